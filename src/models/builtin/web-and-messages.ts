import { pattern } from '../../base/pattern.ts';
import { act, ask, bare, type Recognizer } from './intent.ts';

/** Any word may be a channel; `isChannel` decides. */
const CHANNEL = '(\\p{L}[\\p{L}-]*)';
/** Services that people name whether there is a channel for them or not; the notifier says what it lacks. */
const SERVICES = new Set(['ntfy', 'slack', 'telegram', 'email', 'e-mail', 'terminal', 'webhook', 'pushover', 'matrix']);
/**
 * Ways of asking for a message, with the numbers of the groups: `send a CHANNEL message saying hi`,
 * `text me on CHANNEL that hi`, `send hi to Slack`, `notify me: hi`. The forms that name a channel come first.
 */
const SEND: readonly { readonly form: RegExp; readonly text: number; readonly to?: number }[] = [
  {
    form: pattern(
      'isu',
      `^(?:send|post|write)\\s+(?:me\\s+)?(?:an? )?${CHANNEL}\\s+(?:message|notification|note`,
      `|text)\\s*(?:saying|that says|that|:|,)?\\s*(.+)$`,
    ),
    text: 2,
    to: 1,
  },
  {
    form: pattern(
      'isu',
      `^(?:message|text|ping|notify|tell)\\s+me\\s+(?:on|via|by|over|through) (?:my `,
      `|the )?${CHANNEL}\\s*(?:that|saying|:|,)?\\s*(.+)$`,
    ),
    text: 2,
    to: 1,
  },
  {
    form: pattern(
      'isu',
      `^(?:send|post|write|say)\\s+(?:(?:the |a )?(?:message|text|notification`,
      `|note)\\s*)?(?:saying |that )?(.+?)\\s+(?:to|on|via|by|over|through|with) (?:my `,
      `|the )?${CHANNEL}(?: channel)?$`,
    ),
    text: 1,
    to: 2,
  },
  {
    form: pattern(
      'isu',
      `^(?:send|post|write|message|notify|tell|ping)\\s+(?:me\\s+)?(?:(?:a )?(?:message|text`,
      `|notification)\\s+)?(?:to|on|via|by|over|through) (?:my `,
      `|the )?${CHANNEL}(?: channel)?\\s*(?:saying|that|:|,)?\\s*(.+)$`,
    ),
    text: 2,
    to: 1,
  },
  { form: new RegExp(`^${CHANNEL}\\s+(?:me\\s*)?(?:that|:|,)\\s*(.+)$`, 'isu'), text: 2, to: 1 },
  {
    form: pattern(
      'isu',
      String.raw`^(?:send|push|post)\s+(?:me\s+)?(?:a|the|another)?\s*(?:push |test )?(?:notification`,
      String.raw`|message|alert|ping)\b\s*(?:to me)?\s*(?:saying|that says|with(?: the text)?|that|:`,
      String.raw`|,)?\s*(.*)$`,
    ),
    text: 1,
  },
  { form: /^(?:notify|message|ping|text|alert)\s+me\s*(?:saying|that|with|of|about|:|,)?\s*(.*)$/isu, text: 1 },
  { form: /^notify\s*:\s*(.*)$/isu, text: 1 },
];

/** `search the web for tides`, `google tides`, `look up tides online`; the group is the query. */
const SEARCH: readonly RegExp[] = [
  pattern(
    'isu',
    String.raw`^(?:search|look|browse|check)\s+(?:on\s+|in\s+)?(?:the\s+)?(?:web|internet|net|online`,
    String.raw`|google)\s*(?:for|about|on|:)?\s*(.*)$`,
  ),
  /^(?:do a |run a )?(?:web|internet|online|google) search\s*(?:for|about|on|:)?\s*(.*)$/isu,
  /^google\s+(?:for\s+)?(.+)$/isu,
  pattern(
    'isu',
    String.raw`^(?:search|look|look up|find|find out)\s+(?:me\s+)?(?:for\s+|up\s+|about\s+)?(.+?)\s+(?:on`,
    String.raw`|in|over)\s*(?:the\s+)?(?:web|internet|net|google|line)$`,
  ),
  /^(?:search|look up|find)\s+(?:me\s+)?(?:for\s+)?(.+?)\s+online$/isu,
];

/** An http address; brackets and quotation marks around it are not part of it. */
const URL = /\bhttps?:\/\/[^\s<>"')\]]+/iu;
/** One of these words next to an address asks to read it; an address in passing does not. */
const FETCH = /\b(?:fetch|get|open|load|read|download|show|visit|summari[sz]e|what|check|go to)\b/iu;

/** What leaves the machine: notifications, web searches, pages. */
export const outside: Recognizer = ({ text, can }) => {
  const url = URL.exec(text)?.[0]?.replace(/[.,;!?]+$/u, '');
  const sentence = text.replace(/[?\s]+$/u, '');
  const query = SEARCH.map((form) => form.exec(sentence)?.[1]).find((found) => found !== undefined);
  if (query !== undefined)
    return query === ''
      ? ask('What should I search the web for?')
      : act({ tool: 'web_search', input: { query: bare(query) } });
  for (const { form, text: body, to } of SEND) {
    const match = form.exec(text);
    const channel = to === undefined ? undefined : match?.[to]?.toLowerCase();
    if (!match || (channel !== undefined && !isChannel(channel, can))) continue;
    const message = bare(match[body] ?? '');
    if (message === '') return ask('What should the message say?');
    return act(send(message, channel, can));
  }
  if (url !== undefined && (FETCH.test(text) || text.trim() === url))
    return act({ tool: 'fetch_text', input: { url } });
  return undefined;
};

/** Every channel that leaves this machine has a tool named after it. */
function isChannel(name: string, can: (tool: string) => boolean): boolean {
  return SERVICES.has(name) || can(`${name}_notify`);
}

/** Through `notify`, which knows every channel; where it is not offered, through the channel's own tool. */
function send(text: string, channel: string | undefined, can: (tool: string) => boolean) {
  const own = `${channel}_notify`;
  if (channel !== undefined && !can('notify') && can(own)) return { tool: own, input: { text } };
  return { tool: 'notify', input: channel === undefined ? { text } : { text, to: channel } };
}
