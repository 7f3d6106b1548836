import { afterAll, expect, test } from 'vitest';
import { testAgent, testContext, testTurn } from '../testing/agent.ts';
import { codeAgent, testSandbox } from '../testing/code-agent.ts';
import { openTestStore } from '../testing/stores.ts';
import { PLAIN_TOOL, WRITE_NOTE } from '../testing/tools.ts';
import { defineTool } from '../tools/tool.ts';

const sandbox = testSandbox();
afterAll(() => sandbox.close());

const SCHEDULE = defineTool({ ...PLAIN_TOOL, name: 'schedule', execute: () => '' });
const NOTE = { ...WRITE_NOTE, presentation: { unremarkable: () => true } };

/** A store in which the scripted model has kept to the format in so many of its replies. */
async function storeWith(replies: number, clean: number) {
  const store = await openTestStore();
  const row = { turn_id: 't', model: 'scripted', replies, clean, retries: 0, fell_back: 0 };
  await store.db
    .insertInto('code_turns')
    .values({ ...row, created_at: '2026-01-01' })
    .execute();
  return store;
}

test('the compact prompt stays as it is when scripts have run, so that a server can reuse its cache of it', async () => {
  const turn = (text: string) => testTurn(text, { mode: 'code_agent' });
  const replies = ['```js\nno()\n```', '```js\n2 + 2\n```', 'Four.', 'Still four.'];
  const code = await codeAgent(sandbox, replies, { window: 16_384, tools: [SCHEDULE] });
  await code.runTurn(turn('one'), testContext());
  await code.runTurn(turn('two'), testContext());
  const systems = code.model.requests.map(({ messages }) => messages[0]?.text ?? '');
  expect([systems.length, new Set(systems).size]).toEqual([4, 1]);
  expect(systems[3]).toContain('await schedule(');
});

test.each([
  ['nobody knows how large it is', 128_000, [0, 0], false],
  ['its window is small', 16_384, [0, 0], true],
  ['it has seldom kept to the format', 128_000, [20, 9], true],
  ['it has mostly kept to the format', 128_000, [20, 10], false],
  ['little has been seen of it', 128_000, [19, 0], false],
] as const)(
  'in both modes a model gets what small ones get, or not: %s',
  async (_why, window, [replies, clean], small) => {
    const store = await storeWith(replies, clean);
    const options = { store, window, tools: [NOTE] };
    const classic = await testAgent(['Hello.'], options);
    await classic.runTurn(testTurn('one'), testContext());
    const code = await codeAgent(sandbox, ['Hello.'], options);
    await code.runTurn(testTurn('two', { mode: 'code_agent' }), testContext());
    const [inClassic = '', inCode = ''] = [classic, code].map(({ model }) => model.requests[0]?.messages[0]?.text);
    expect([inClassic.includes('Calls with `answer` may carry'), inCode.includes('Functions (')]).toEqual([
      !small,
      small,
    ]);
  },
);
