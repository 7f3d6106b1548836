import { phrases } from '../phrases.ts';
import { act, ask, bare, type Skill, type UserRequest } from '../request.ts';

/** Any word may be a channel; `isChannel` decides. */
const CHANNEL = '{to:(?!an?\\b)\\p{L}[\\p{L}-]*}';
/** Services that people name whether there is a channel for them or not; the notifier says what it lacks. */
const SERVICES = new Set(['ntfy', 'slack', 'telegram', 'email', 'e-mail', 'terminal', 'webhook', 'pushover', 'matrix']);

/** Ways of asking for a message on a channel. */
const SEND_ON = phrases(
  {
    en: [
      `(send|post|write) [me] [a|an] ${CHANNEL} (message|notification|note|text) [saying|that says|that] {text}`,
      `(message|text|ping|notify|tell) me (on|via|by|over|through) [my|the] ${CHANNEL} [that|saying] {text}`,
      `(send|post|write|say) [the message|a message|the text|a text|a notification|a note] [saying|that] {text}
        (to|on|via|by|over|through|with) [my|the] ${CHANNEL} [channel]`,
      `(send|post|write|message|notify|tell|ping) [me] [a message|message|a text|a notification]
        (to|on|via|by|over|through) [my|the] ${CHANNEL} [channel] [saying|that] {text}`,
    ],
    de: [
      `(schick[e]|sende|schreib[e]) [mir] [eine] ${CHANNEL}[-]nachricht [mit|dass] {text}`,
      `(schick[e]|sende|schreib[e]) [mir] {text} (an|über|auf|per|via) [den] ${CHANNEL}`,
      `(schick[e]|sende|schreib[e]) [mir] [eine nachricht] (an|über|auf|per|via) ${CHANNEL} [dass] {text}`,
      `benachrichtig[e] mich (über|auf|per|via) ${CHANNEL} [dass] {text}`,
    ],
  },
  { long: true },
);
/** Ways of asking for a message on the usual channel. */
const SEND = phrases(
  {
    en: [
      `(send|push|post) [me] [a|the|another] [push|test] (notification|message|alert|ping) [to me] [saying|that
        says|with the text|with|that] {text:maybe}`,
      '(notify|message|ping|text|alert) me [saying|that|with|of|about] {text:maybe}',
      'notify: {text:maybe}',
    ],
    de: [
      `(schick[e]|sende) [mir] [eine] (nachricht|benachrichtigung|mitteilung|meldung) [mit dem text|mit|dass]
        {text:maybe}`,
      'benachrichtig[e] mich [dass|darüber dass] {text:maybe}',
    ],
  },
  { long: true },
);

/** Messages to the person, on their channels. */
export const messages: Skill = {
  name: 'messages',
  anyLength: true,
  command: true,
  examples: {
    en: ['notify me that dinner is ready'],
    de: ['benachrichtige mich, dass das Essen fertig ist'],
  },
  recognize: (request) => {
    const { plain } = request;
    const named = SEND_ON(plain);
    const channel = named?.to?.toLowerCase();
    if (named && channel !== undefined && isChannel(channel, request))
      return send(bare(named.text ?? ''), channel, request);
    const usual = SEND(plain);
    if (!usual) return undefined;
    const text = bare(usual.text ?? '');
    const question = request.in('What should the message say?', 'Was soll in der Nachricht stehen?');
    return text === '' ? ask(question, (answer) => `${plain}: ${answer}`) : send(text, undefined, request);
  },
};

/** Every channel that leaves this machine has a tool named after it. */
function isChannel(name: string, { can }: UserRequest): boolean {
  return SERVICES.has(name) || can(`${name}_notify`);
}

/** Through `notify`, which knows every channel; where it is not offered, through the channel's own tool. */
function send(text: string, channel: string | undefined, { can }: UserRequest) {
  const own = `${channel}_notify`;
  const say = (result: { readonly text: string }) => result.text;
  if (channel !== undefined && !can('notify') && can(own)) return act({ tool: own, input: { text }, say });
  return act({ tool: 'notify', input: channel === undefined ? { text } : { text, to: channel }, say });
}
