import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as fault from './testing/fault-server.ts';
import { temporaryFolder } from './testing/home.ts';
import { rows, wooster } from './testing/wooster.ts';

const server = new fault.FaultServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const doctor = async (env: Record<string, string> = {}) => {
  const home = temporaryFolder();
  writeFileSync(join(home, '.env'), 'OPENAI_KEY=sk-old\n');
  const model = {
    OPENAI_BASE_URL: server.url,
    OPENAI_MODEL_NAME: 'fault',
    OPENAI_API_KEY: 'sk-test-not-a-real-key-0000',
  };
  const ran = await wooster(['doctor', '--live', '--json'], { home, env: { ...model, ...env } });
  return { code: ran.code, checks: rows(ran.stdout) };
};

test('doctor --live asks the model for a word, and names what is set without an effect', async () => {
  server.play(fault.ok('ok'));
  const { checks } = await doctor();
  expect(checks).toContainEqual(
    expect.objectContaining({
      name: 'live model',
      state: 'ok',
      detail: expect.stringContaining(':fault: answered in'),
    }),
  );
  expect(checks).toContainEqual(expect.objectContaining({ name: 'settings', detail: 'OPENAI_KEY is not read' }));
}, 60_000);

test('a key that the provider refuses is said to be refused', async () => {
  server.play(...Array.from({ length: 4 }, () => fault.status(401)));
  const { code, checks } = await doctor();
  expect(code).toBe(1);
  const [live] = checks.filter(({ name }) => name === 'live model');
  expect(live).toMatchObject({ state: 'fail', detail: expect.stringContaining('401') });
}, 60_000);
