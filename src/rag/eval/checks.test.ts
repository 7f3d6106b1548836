import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { openStore } from '../../store/store.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { createDocuments } from '../documents.ts';
import { RAG_DEFAULTS } from '../options.ts';
import { createProjects } from '../projects.ts';
import { Checks } from './checks.ts';

const signal = new AbortController().signal;

async function makeHome() {
  const home = temporaryFolder();
  const store = openStore(join(home, 'w.sqlite3'));
  const projects = createProjects({ projectsDir: join(home, 'projects'), homeDir: home, log: silentLog });
  const documents = createDocuments({
    store,
    projects,
    log: silentLog,
    options: RAG_DEFAULTS,
    vectorDataDir: join(home, 'vector_data'),
  });
  onTestFinished(async () => {
    await documents.close();
    store.close();
  });
  mkdirSync(join(home, 'docs'));
  const write = (name: string, text: string) => writeFileSync(join(home, 'docs', name), text);
  write('key.md', '# Key\n\nThe spare key lies under the flowerpot.\n');
  write('cat.md', '# Cat\n\nThe cat eats at seven.\n');
  await documents.ingest('home', [join(home, 'docs')], { signal });
  const checks = new Checks(store);
  checks.add('home', { question: 'where is the spare key', documentId: 'key' });
  return { home, documents, checks, write };
}

test('questions are asked again and a drop is named', async () => {
  const { documents, checks, write } = await makeHome();
  const first = await checks.run(documents, 'home');
  expect(first).toMatchObject({ score: 1, scoreBefore: null, dropped: [] });
  checks.keep('home', first.results, new Date());
  write('key.md', '# Cellar\n\nNothing of interest.\n');
  await documents.ingest('home', [], { signal });
  const second = await checks.run(documents, 'home');
  expect(second.dropped).toMatchObject([{ question: 'where is the spare key', before: 1 }]);
  expect(second.score).toBeLessThan(1);
  expect(checks.remove('home', 'where is the spare key')).toBe(true);
  expect(checks.list('home')).toEqual([]);
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
