import { expect, test } from 'vitest';
import type { Hit } from '../rag/types.ts';
import { conflictsIn } from './conflicts.ts';

const hit = (file: string, text: string, score = 1): Hit => ({
  ...{ file, text, score, heading: [], chunkId: file.length, documentId: file, citation: `[${file}, line 1]` },
});

const between = (question: string, a: string, b: string) =>
  conflictsIn({ question, resolved: question }, [hit('lease.md', a), hit('addendum.md', b)]);
const BOTH = [{ a: '[lease.md, line 1]', b: '[addendum.md, line 1]' }];

test.each([
  ['amounts', 'how much is the rent?', 'The rent is 950 EUR a month.', 'The rent is 1,010 EUR a month.'],
  ['the currency in front', 'what is the rent', 'The monthly rent is € 950.', 'The monthly rent is €1010 from May.'],
  ['spans', 'how long is the notice period?', 'The notice period is 3 months.', 'The notice period is 6 months.'],
  ['German', 'wie hoch ist die Miete?', 'Die Miete beträgt 950 EUR.', 'Die Miete beträgt 1.010 EUR.'],
])('documents that disagree in %s are told', (_what, question, a, b) => {
  const [found, ...more] = between(question, a, b);
  expect(new Set(Object.values(found ?? {}))).toEqual(new Set(Object.values(BOTH[0] ?? {})));
  expect(more).toEqual([]);
});

test.each([
  ['the same amount, written otherwise', 'how much is the rent?', 'The rent is 1,010 EUR.', 'The rent is 1010.00 EUR.'],
  ['figures of different kinds', 'how much is the rent?', 'The rent is 950 EUR.', 'The rent is due in 3 days.'],
  ['different things', 'how much is it?', 'The deposit for the flat is 1900 EUR.', 'Parking in the yard is 40 EUR.'],
  ['no figures', 'who holds the key?', 'Ingrid holds the key.', 'Petra holds the key.'],
])('%s: no conflict', (_what, question, a, b) => expect(between(question, a, b)).toEqual([]));

test('rows of one document are no conflict', () => {
  const rows = [hit('prices.md', 'The rent is 950 EUR.'), hit('prices.md', 'The rent is 990 EUR.')];
  expect(conflictsIn({ question: 'how much is the rent?', resolved: 'how much is the rent?' }, rows)).toEqual([]);
});
