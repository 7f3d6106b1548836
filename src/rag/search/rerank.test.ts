import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startDocuments } from '../../testing/documents.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { evaluate } from '../eval/metrics.ts';
import { RAG_DEFAULTS } from '../options.ts';
import type { Hit, RagOptions } from '../types.ts';
import { proximity } from './proximity.ts';
import { dropNearDuplicates, lexicalReranker, RERANK_DEPTH, type Reranker, rerank } from './rerank.ts';

function hit(text: string, score = 1, heading: readonly string[] = []): Hit {
  return { text, score, heading, file: 'a.md', documentId: text, chunkId: 1, citation: '[a.md]' };
}

/** Hits `h0` to `h<count - 1>`, best first. */
function ladder(count: number): Hit[] {
  return Array.from({ length: count }, (_, index) => hit(`h${index}`, 1 - index / count));
}

const ask = (reranker: Reranker, hits: readonly Hit[], query = 'q') =>
  rerank(reranker, { project: 'home', query, hits });
const texts = (hits: readonly Hit[]) => hits.map(({ text }) => text);
const FAR = 'and then nothing of the kind was ever seen or heard again in all those long years';

test('words of the query count more the closer together they stand, and apart they count next to nothing', () => {
  const [together = 0, near = 0, far = 0, alone = 0] = proximity('main valve', [
    hit('The main valve is open.'),
    hit('The main and rather heavy valve is open.'),
    hit(`The main thing ${FAR}, valve included.`),
    hit('A valve is open.'),
  ]);
  expect(together).toBeGreaterThan(near);
  expect(near).toBeGreaterThan(far);
  expect(far).toBeGreaterThan(alone);
  expect(far).toBeLessThan(0.02);
  expect(alone).toBe(0);
});

test('more words of the query close together count more, in any order, also across the heading', () => {
  const [three = 0, two = 0, turned = 0, heading = 0] = proximity('cabin water valve', [
    hit('The cabin water valve is open.'),
    hit('The mountain water valve is open.'),
    hit('The valve water cabin is open.'),
    hit('The valve is open.', 1, ['Cabin', 'Water']),
  ]);
  expect(three).toBeGreaterThan(two);
  expect(turned).toBe(three);
  expect(heading).toBeGreaterThan(two);
});

test('only words that are neighbours in the query lend each other weight', () => {
  const [neighbours = 0, strangers = 0] = proximity('water pressure behind the main valve', [
    hit('The water pressure falls.'),
    hit('The water valve falls.'),
  ]);
  expect(neighbours).toBeGreaterThan(0);
  expect(strangers).toBe(0);
});

test('the lexical reranker lifts a passage over a slightly better one, not over a much better one', async () => {
  const close = 'Turn the main valve to the left.';
  const apart = `The main house ${FAR}, with a valve.`;
  expect(texts(await ask(lexicalReranker, [hit(apart, 1), hit(close, 0.95)], 'main valve'))[0]).toBe(close);
  expect(texts(await ask(lexicalReranker, [hit(apart, 1), hit(close, 0.7)], 'main valve'))[0]).toBe(apart);
});

test('where no words stand together the lexical reranker changes nothing', async () => {
  const hits = ladder(5);
  expect(await ask(lexicalReranker, hits, 'something else')).toEqual(hits);
});

test('the best hits are ordered by the scores, ties as they were, and scores keep falling', async () => {
  const hits = ladder(RERANK_DEPTH + 3);
  const after = await ask(
    async ({ hits: seen }) => seen.map((_, index) => (index === 4 ? 2 : index === 9 ? 1 : 0)),
    hits,
  );
  expect(texts(after).slice(0, 5)).toEqual(['h4', 'h9', 'h0', 'h1', 'h2']);
  expect(texts(after).slice(RERANK_DEPTH)).toEqual(texts(hits).slice(RERANK_DEPTH));
  expect(after.map(({ score }) => score)).toEqual(hits.map(({ score }) => score));
});

test.each([
  ['too few', [1, 2]],
  ['too many', [1, 2, 3, 4]],
  ['not numbers', [Number.NaN, 1, 2]],
  ['without end', [1, Number.POSITIVE_INFINITY, 2]],
  ['none', undefined],
])('scores that are %s leave the order as it is', async (_name, scores) => {
  const hits = ladder(3);
  expect(await ask(async () => scores, hits)).toEqual(hits);
});

test('a single hit and a query of conditions alone are not put to the reranker', async () => {
  const reranker: Reranker = () => Promise.reject(new Error('asked'));
  expect(await ask(reranker, ladder(1))).toEqual(ladder(1));
  expect(await ask(reranker, ladder(3), '')).toEqual(ladder(3));
});

const THINGS = ['anchor', 'barrel', 'candle', 'drawer', 'engine', 'fender', 'gasket', 'hammer'];

/** For each thing one file about its spare key, and one that only says all the words, and says them often. */
async function searchable(options: RagOptions) {
  const { home, documents } = await startDocuments(temporaryFolder(), { options });
  mkdirSync(join(home, 'docs'));
  for (const thing of THINGS) {
    const filler = `This was written on a rainy evening by somebody who liked long sentences ${FAR}. `;
    writeFileSync(
      join(home, 'docs', `${thing}-key.md`),
      `${filler}The spare ${thing} key hangs by the door. ${filler}`,
    );
    const decoy = `The ${thing} broke ${FAR}. A key was made ${FAR}. Spare time is rare. ${FAR}`;
    writeFileSync(join(home, 'docs', `${thing}-story.md`), decoy);
  }
  await documents.ingest('home', [join(home, 'docs')], { signal: new AbortController().signal });
  return documents;
}

test('measured: where words stand together only in what is relevant, the lexical reranker finds it first', async () => {
  const measure = async (rerank: RagOptions['rerank']) => {
    const documents = await searchable({ ...RAG_DEFAULTS, rerank });
    const run = new Map<string, string[]>();
    for (const thing of THINGS) {
      const hits = await documents.search('home', `spare ${thing} key`, { k: 10, documents: true });
      run.set(
        thing,
        hits.map(({ documentId }) => documentId),
      );
    }
    return evaluate(run, new Map(THINGS.map((thing) => [thing, new Map([[`${thing}-key`, 1]])]))).ndcg10;
  };
  const [without, lexical] = [await measure('none'), await measure('lexical')];
  expect(without).toBeLessThan(0.9);
  expect(lexical).toBe(1);
});

describe('nearly the same text', () => {
  const said = (chunkId: number, text: string) => ({ ...hit(text), chunkId, citation: `[${chunkId}]` });
  const kept = async (...texts: string[]) => {
    const hits = (async function* () {
      for (const [index, text] of texts.entries()) yield said(index, text);
    })();
    return (await dropNearDuplicates(hits, 10)).map(({ chunkId, copies = [] }) => [chunkId, copies.length]);
  };
  const shed = (code: string) => `The shed is behind the house, its door sticks, and the code of the lock is ${code}.`;

  test('is a copy of the better one', async () => {
    expect(await kept(shed('4471'), `${shed('4471')} Mind it.`)).toEqual([[0, 1]]);
  });

  test('is another version where a number differs', async () => {
    expect(await kept(shed('4471'), shed('8152'))).toEqual([
      [0, 0],
      [1, 0],
    ]);
  });
});
