import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lastingFolder } from './testing/home.ts';
import { type OpenServe, openServe } from './testing/serve.ts';
import { freePort } from './testing/server-process.ts';
import { rows, wooster } from './testing/wooster.ts';

const PAGE = readFileSync(resolve(import.meta.dirname, '../docs/api.md'), 'utf8');
const folder = lastingFolder();
let served: OpenServe;
let env: NodeJS.ProcessEnv;
let url = '';

/** Several starts of the program, one after the other. */
const START_MS = 120_000;

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  served = openServe({ home: folder.dir }, '--http', `127.0.0.1:${port}`);
  await served.see('The door is at');
  const row = async (...words: string[]) => {
    const ran = await wooster([...words, '--json'], { home: folder.dir });
    return (rows(ran.stdout)[0] ?? {}) as { token?: string; secret?: string; url?: string };
  };
  const { token = '' } = await row('pair', '--token', '--name', 'docs', '--scopes', 'api,read,openai');
  const hook = await row('hook', 'add', 'doorbell', '--prompt', 'Tell me who rang');
  // The command says where the door really is.
  expect(hook.url).toBe(`${url}/hooks/doorbell`);
  env = { PATH: process.env.PATH, TOKEN: token, SECRET: hook.secret };
}, START_MS);

afterAll(async () => {
  await served.end();
  folder.remove();
});

const BLOCKS = [...PAGE.matchAll(/^```sh\n(.*?)^```$/gmsu)].map(([, block = '']) => block);

test.each([
  ['events of the answer', '/events', /event: answer\ndata: .*= 12/u],
  [
    'status, the document and the jobs',
    '/api/status',
    /"items"[\s\S]*uploads\/boiler\.md[\s\S]*boiler\.md, lines? \d[\s\S]*"code":0/u,
  ],
  ['the answers of the OpenAI protocol', '/v1/', /"chat\.completion"[\s\S]*event: response\.completed/u],
  ['the run of the hook', '/hooks/', /^\{"run":"job_\w+"\}$/u],
])('the example prints %s', (_, path, printed) => {
  const block = BLOCKS.find((each) => each.includes(path)) ?? '';
  const command = block.replaceAll('http://127.0.0.1:4321', url);
  const ran = spawnSync('sh', ['-e', '-c', command], { env, encoding: 'utf8', input: '' });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  expect(ran.stdout).toMatch(printed);
});

test('every example is one of those', () => {
  expect(BLOCKS).toHaveLength(4);
});
