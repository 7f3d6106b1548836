import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { FaultServer, ok } from './testing/fault-server.ts';

const ROOT = resolve(import.meta.dirname, '..');
const page = readFileSync(join(ROOT, 'docs/library.md'), 'utf8');
const snippets = [...page.matchAll(/^```ts\n(.*?)^```$/gmsu)].map((match) => match[1] ?? '');
const folder = mkdtempSync(join(tmpdir(), 'wooster-snippets-'));
const server = new FaultServer();
await server.start();

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What the model says to each snippet, and what the snippet then prints. */
const PLAYS = [
  {
    answers: [
      ok('{"mood":"good","why":"They are glad."}'),
      ok('', { calls: [{ name: 'searchDocs', args: '{"query":"refunds"}' }] }),
      ok('{"text":"Within 30 days.","sources":["refunds.md"]}'),
    ],
    prints: ['They are glad.', 'Within 30 days. 2'],
  },
  { answers: [], prints: ['SchemaViolation', 'It is 7.'] },
  {
    answers: [ok('Too short.'), ok('It went up by a third, and then down again.')],
    prints: ['It went up by a third, and then down again.'],
  },
] as const;

/** The snippet as a file that can be run here. */
function written(index: number): string {
  const file = join(folder, `snippet-${index}.mts`);
  const runtime = JSON.stringify(pathToFileURL(join(ROOT, 'src/runtime.ts')).href);
  writeFileSync(file, snippets[index]?.replaceAll("'wooster/runtime'", runtime) ?? '');
  return file;
}

test('every snippet compiles', async () => {
  for (const [index, snippet] of snippets.entries()) writeFileSync(join(folder, `typed-${index}.mts`), snippet);
  const options = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      paths: { 'wooster/runtime': [join(ROOT, 'src/runtime.ts')] },
      typeRoots: [join(ROOT, 'node_modules/@types')],
      allowImportingTsExtensions: true,
    },
    include: ['typed-*.mts', join(ROOT, 'src/**/*.d.ts')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const ran = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch((error) => error);
  expect(ran.stdout).toBe('');
}, 240_000);

test('every snippet has a play', () => expect(PLAYS).toHaveLength(snippets.length));

test.each(PLAYS.map((play, index) => [index, play] as const))('snippet %i runs', async (index, { answers, prints }) => {
  server.play(...answers);
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, WOOSTER_HOME: join(folder, 'home'), ROUTING_LOCAL_ENABLED: 'false' },
    ...{ OPENAI_API_KEY: 'sk-test', OPENAI_BASE_URL: server.url },
  };
  const { stdout } = await promisify(execFile)(process.execPath, [written(index)], { env, cwd: folder });
  expect(stdout.trim().split('\n')).toEqual(prints);
  expect(server.requests).toHaveLength(answers.length);
});
