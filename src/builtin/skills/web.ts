import { isRecord } from '../../base/json.ts';
import { pattern } from '../../base/pattern.ts';
import { phrases } from '../phrases.ts';
import { act, ask, bare, type Intent, type Skill, type UserRequest } from '../request.ts';

const SEARCH = phrases({
  en: [
    '(search|look|browse|check) [on|in] [the] (web|internet|net|online|google) [for|about|on] {query:maybe}',
    '[do a|run a] (web|internet|online|google) search [for|about|on] {query:maybe}',
    'google [for] {query}',
    `(search|look|look up|find|find out) [me] [for|up|about] {query} (on|in|over) [the]
      (web|internet|net|google|line)`,
    '(search|look up|find) [me] [for] {query} online',
  ],
  de: [
    '(such[e]|schau[e]|recherchier[e]) (im|in dem) (web|internet|netz) [nach] {query:maybe}',
    '(such[e]|find[e]|recherchier[e]) [nach] {query} (im|in dem) (web|internet|netz)',
    '(google|googel|googl[e]) [mal] [nach] {query}',
    '(such[e]|find[e]) [nach] {query} online',
  ],
});

/** An http address; brackets and quotation marks around it are not part of it. */
const URL = /\bhttps?:\/\/[^\s<>"')\]]+/iu;
/** One of these words next to an address asks to read it; an address in passing does not. */
const FETCH = pattern(
  'iu',
  String.raw`(?<!\p{L})(?:fetch|get|open|load|read|download|show|visit|summari[sz]e|what|check|go to|öffne|lies`,
  String.raw`|lade|zeige?|hole?|was|fasse?)\b`,
);
const MAX_PAGE_CHARS = 2000;

/** Web searches and pages. */
export const web: Skill = {
  name: 'web',
  command: true,
  examples: {
    en: ['search the web for tide tables', 'fetch https://example.org'],
    de: ['such im Internet nach Gezeitentabellen', 'öffne https://example.org'],
  },
  recognize: (request) => {
    const { plain, text } = request;
    const asked = SEARCH(plain);
    if (asked) return search(bare(asked.query ?? ''), request);
    const url = URL.exec(text)?.[0]?.replace(/[.,;!?]+$/u, '');
    return url !== undefined && (FETCH.test(text) || plain === url) ? fetchPage(url, request) : undefined;
  },
};

function search(query: string, request: UserRequest): Intent {
  const question = request.in('What should I search the web for?', 'Wonach soll ich im Internet suchen?');
  if (query === '')
    return ask(question, (answer) => `${request.in('search the web for', 'such im Internet nach')} ${answer}`);
  return act({
    tool: 'web_search',
    input: { query },
    say: ({ value }) => {
      const found = resultsOf(value);
      if (found.length > 0) return found.slice(0, 5).join('\n');
      return request.in(
        `The web search for "${query}" found nothing.`,
        `Die Suche nach „${query}“ hat nichts gefunden.`,
      );
    },
  });
}

function resultsOf(value: unknown): string[] {
  const results = isRecord(value) && Array.isArray(value.results) ? value.results.filter(isRecord) : [];
  return results.flatMap(({ url, title, snippet }) =>
    typeof url === 'string' ? [`- ${String(title ?? url)}\n  ${String(snippet ?? '')}\n  ${url}`] : [],
  );
}

function fetchPage(url: string, request: UserRequest): Intent {
  const shortened = (text: string) => (text.length <= MAX_PAGE_CHARS ? text : `${text.slice(0, MAX_PAGE_CHARS)}…`);
  return act({
    tool: 'fetch_text',
    input: { url },
    say: ({ text }) => `${shortened(text)}\n\n${request.in('Source', 'Quelle')}: ${url}`,
  });
}
