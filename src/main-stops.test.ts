import { afterAll, beforeAll, expect, test } from 'vitest';
import * as fault from './testing/fault-server.ts';
import { temporaryFolder } from './testing/home.ts';
import { rows, wooster } from './testing/wooster.ts';

const server = new fault.FaultServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const env = () => ({
  OPENAI_BASE_URL: server.url,
  OPENAI_MODEL_NAME: 'fault',
  OPENAI_API_KEY: 'sk-test-not-a-real-key-0000',
  AGENT_MAX_CONTINUATIONS: '0',
  AGENT_MAX_ITERATIONS: '2',
});
const cut = () => fault.ok('Once upon a time', { finish: 'length' });

test('an answer that was cut off is printed, and the exit code is 7', async () => {
  server.play(cut(), cut(), cut(), cut());
  const ran = await wooster(['ask', 'tell me'], { home: temporaryFolder(), env: env() });
  expect([ran.code, ran.stdout.trim()]).toEqual([7, 'Once upon a time']);
  expect(ran.stderr).toMatch(/^conversation conv_\w+\n/u);
  expect(ran.stderr).toContain('incomplete');
});

test('with --json the stop says so', async () => {
  server.play(cut(), cut(), cut(), cut());
  const ran = await wooster(['ask', 'tell me', '--json'], { home: temporaryFolder(), env: env() });
  expect(ran.code).toBe(7);
  expect(rows(ran.stdout)).toContainEqual({ type: 'answer', text: 'Once upon a time', stop: 'cut_off' });
});

test('a turn that reached its step limit is no failure, and goes on when it is resumed', async () => {
  const home = temporaryFolder();
  const note = (text: string) => fault.ok('', { calls: [{ name: 'write_note', args: JSON.stringify({ text }) }] });
  server.play(note('one'), note('two'));
  const first = await wooster(['ask', 'note three things', '-c', 'three'], { home, env: env() });
  expect(first.code).toBe(1);
  expect(first.stderr).toContain('It can go on: wooster resume three');
  expect((await wooster(['sessions'], { home, env: env() })).stdout).toContain('[interrupted]');
  server.play(note('three'), fault.ok('All three are noted.'));
  const second = await wooster(['resume', 'three', '--yes'], { home, env: env() });
  expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('All three are noted.')]);
  expect((await wooster(['sessions'], { home, env: env() })).stdout).not.toContain('[');
});
