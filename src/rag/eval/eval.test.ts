import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { evaluate, scoreRanking } from './metrics.ts';
import { formatRun, readQrels, readQueries, readRun } from './trec.ts';

function file(text: string): string {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, text);
  return path;
}

test('nDCG@10 uses gain = score, log2 discounts and the ideal over all judgements', () => {
  const judged = new Map([
    ['a', 2],
    ['b', 1],
    ['c', 0],
  ]);
  // By hand: (1/log2(2) + 2/log2(4)) / (2/log2(2) + 1/log2(3)).
  const expected = (1 + 2 / 2) / (2 + 1 / Math.log2(3));
  expect(scoreRanking(['b', 'c', 'a'], judged).ndcg10).toBeCloseTo(expected, 12);
});

test('a document that occurs twice counts at its first place', () => {
  const judged = new Map([['a', 1]]);
  expect(scoreRanking(['x', 'a', 'a'], judged)).toEqual(scoreRanking(['x', 'a'], judged));
});

test('recall looks at the first 100, average precision divides by all relevant', () => {
  const judged = new Map(['a', 'b', 'late', 'never'].map((id) => [id, 1]));
  const ranking = ['a', 'x', 'b', ...Array.from({ length: 100 }, (_, index) => `n${index}`), 'late'];
  const { recall100, map } = scoreRanking(ranking, judged);
  expect(recall100).toBe(0.5);
  expect(map).toBeCloseTo((1 / 1 + 2 / 3 + 3 / 104) / 4, 12);
});

test('an unanswered query counts 0, one without relevant documents does not count', () => {
  const judgements = new Map([
    ['1', new Map([['a', 1]])],
    ['2', new Map([['b', 1]])],
    ['3', new Map([['c', 0]])],
  ]);
  expect(evaluate(new Map([['1', ['a']]]), judgements)).toMatchObject({ queries: 2, ndcg10: 0.5, recall100: 0.5 });
});

test('a run file reads back by score, ties by rank, ids with spaces too', () => {
  const text = formatRun('q 1', [
    { documentId: 'my notes/a', score: 0.9 },
    { documentId: 'b', score: 0.5 },
  ]);
  expect(text).toBe('q%201 Q0 my%20notes/a 1 0.900000 wooster\nq%201 Q0 b 2 0.500000 wooster\n');
  expect(readRun(file(`${text}q%201 Q0 c 3 0.95 other\nq%201 Q0 d 4 0.5 x\n`))).toEqual(
    new Map([['q%201', ['c', 'my%20notes/a', 'b', 'd']]]),
  );
});

test.each([
  ['tabs and a header', 'query-id\tcorpus-id\tscore\n1\tdoc-a\t2\n1\tb\t0\n'],
  ['TREC form', '1 0 doc-a 2\n1 0 b 0\n'],
  ['no header, Windows line ends', '1\tdoc-a\t2\r\n1\tb\t0\r\n'],
])('judgements are read: %s', (_name, text) => {
  expect(readQrels(file(text))).toEqual(
    new Map([
      [
        '1',
        new Map([
          ['doc-a', 2],
          ['b', 0],
        ]),
      ],
    ]),
  );
});

test('queries need an id and a text, and the bad line is named', () => {
  expect(readQueries(file('{"_id": "1", "text": "a"}\n\n{"id": 2, "query": "b"}\n'))).toEqual([
    { id: '1', text: 'a' },
    { id: '2', text: 'b' },
  ]);
  const broken = file('{"_id": "1", "text": "a"}\n{"_id": 3\n');
  expect(() => readQueries(broken)).toThrow(
    expect.objectContaining({ code: 'bad_usage', message: expect.stringContaining('line 2') }),
  );
});
