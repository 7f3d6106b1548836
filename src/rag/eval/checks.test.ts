import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDocuments } from '../../testing/documents.ts';
import { Checks } from './checks.ts';

const signal = new AbortController().signal;

async function makeHome() {
  const { home, store, documents } = await startDocuments();
  mkdirSync(join(home, 'docs'));
  const write = (name: string, text: string) => writeFileSync(join(home, 'docs', name), text);
  write('key.md', '# Key\n\nThe spare key lies under the flowerpot.\n');
  write('cat.md', '# Cat\n\nThe cat eats at seven.\n');
  await documents.ingest('home', [join(home, 'docs')], { signal });
  const checks = new Checks(store);
  await checks.add('home', { question: 'where is the spare key', documentId: 'key' });
  return { home, documents, checks, write };
}

test('questions are asked again and a drop is named', async () => {
  const { documents, checks, write } = await makeHome();
  const first = await checks.run(documents, 'home');
  expect(first).toMatchObject({ score: 1, scoreBefore: null, dropped: [] });
  await checks.keep('home', first.results, new Date());
  write('key.md', '# Cellar\n\nNothing of interest.\n');
  await documents.ingest('home', [], { signal });
  const second = await checks.run(documents, 'home');
  expect(second.dropped).toMatchObject([{ question: 'where is the spare key', before: 1 }]);
  expect(second.score).toBeLessThan(1);
  expect(await checks.remove('home', 'where is the spare key')).toBe(true);
  expect(await checks.list('home')).toEqual([]);
});

test('a rebuilt index is judged before it is taken, and the old one stays when it is refused', async () => {
  const { home, documents, checks } = await makeHome();
  rmSync(join(home, 'docs', 'key.md'));
  const seen: number[] = [];
  const accept = async (trial: string) => {
    const { results } = await checks.run(documents, 'home', trial);
    seen.push(...results.map(({ rank }) => rank));
    return false;
  };
  expect(await documents.ingest('home', [], { signal, rebuild: true, accept })).toMatchObject({ refused: true });
  expect(seen).toEqual([0]);
  expect((await documents.search('home', 'spare key', { k: 1 }))[0]?.file).toBe('key.md');
  const taken = await documents.ingest('home', [join(home, 'docs', 'cat.md')], {
    signal,
    rebuild: true,
    accept: async () => true,
  });
  expect(taken).toMatchObject({ chunks: 1, missing: [] });
  expect(await documents.search('home', 'spare key', { k: 1 })).toEqual([]);
  expect((await documents.search('home', 'cat eats', { k: 1 }))[0]?.file).toBe('cat.md');
  expect((await documents.sources('home')).map(({ file }) => file)).toEqual(['cat.md']);
});
