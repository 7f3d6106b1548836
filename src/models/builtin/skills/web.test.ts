import { expect, test } from 'vitest';
import { answered, outcome, told } from '../../../testing/built-in-outcome.ts';

test.each([
  ['search the web', 'What should I search the web for?', 'tides'],
  ['such im Internet', 'Wonach soll ich im Internet suchen?', 'Ebbe'],
])('%s: what for is asked', (text, question, query) => {
  expect(outcome(text)).toBe(question);
  expect(answered(text, query)).toEqual([['web_search', { query }]]);
});

const hit = (name: string) => ({ url: `https://${name}.example`, title: name, snippet: `about ${name}` });
const line = (name: string) => `- ${name}\n  about ${name}\n  https://${name}.example`;

test.each([
  [
    'search the web for tides',
    { results: ['a', 'b', 'c', 'd', 'e', 'f'].map(hit) },
    ['a', 'b', 'c', 'd', 'e'].map(line).join('\n'),
  ],
  [
    'search the web for tides',
    { results: ['x', { title: 'no address' }, { url: 'https://u.example' }] },
    '- https://u.example\n  \n  https://u.example',
  ],
  ['search the web for tides', { results: [] }, 'The web search for "tides" found nothing.'],
  ['search the web for tides', 'offline', 'The web search for "tides" found nothing.'],
  ['such im Internet nach Ebbe', {}, 'Die Suche nach „Ebbe“ hat nichts gefunden.'],
])('%s finding %j', (text, value, said) => expect(told(text, value)).toBe(said));

test.each([
  ['read https://example.org/a, please', 'https://example.org/a'],
  ['what does "https://example.org/a" say?', 'https://example.org/a'],
  ['öffne https://example.org', 'https://example.org'],
  ['https://example.org/a', 'https://example.org/a'],
  ['https://example.org/a.', 'https://example.org/a'],
])('%s reads the page', (text, url) => expect(outcome(text)).toEqual([['fetch_text', { url }]]));

test('an address in passing is not read', () => {
  expect(outcome('I like https://example.org a lot')).toMatch(/^I did not understand that\./u);
});

test.each([
  ['read https://a.example', 'x'.repeat(2000), `${'x'.repeat(2000)}\n\nSource: https://a.example`],
  ['read https://a.example', 'x'.repeat(2001), `${'x'.repeat(2000)}…\n\nSource: https://a.example`],
  ['öffne https://a.example', 'Ebbe', 'Ebbe\n\nQuelle: https://a.example'],
])('%s: the beginning, and where it is from', (text, page, said) => expect(told(text, page)).toBe(said));
