import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { MODES, type Mode, type Turn } from '../base/turn.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { codeAgent, testSandbox } from '../testing/code-agent.ts';
import type { Scripted } from '../testing/scripted-model.ts';
import { PLAIN_TOOL } from '../testing/tools.ts';
import { defineTool } from '../tools/tool.ts';
import type { TurnWishes } from './types.ts';

const sandbox = testSandbox();
afterAll(() => sandbox.close());

const PASSAGE = { text: 'The rent is 950 EUR.', citation: '[lease.md, 4. Rent, line 5]' };

interface Given {
  readonly turn?: Partial<Turn>;
  readonly wishes?: TurnWishes;
  readonly fails?: boolean;
}

async function play(mode: Mode, replies: readonly Scripted[], { turn, wishes, fails }: Given = {}) {
  const asked: string[] = [];
  const searched: string[] = [];
  const search = defineTool({
    ...PLAIN_TOOL,
    name: 'query_rag',
    functionName: 'queryRAG',
    positional: ['query'],
    input: z.object({ query: z.string() }),
    presentation: {
      answers: async (request) => {
        asked.push(request);
        if (fails) throw new Error('no index');
        return request.includes('rent') ? { input: { query: request }, citations: [PASSAGE.citation] } : undefined;
      },
    },
    execute: ({ query }) => {
      searched.push(query);
      return { passages: [PASSAGE] };
    },
  });
  const agent = await codeAgent(sandbox, replies, { tools: [search] });
  const context = testContext();
  const answer = await agent.runTurn(
    testTurn(turn?.text ?? 'How much is the rent?', { mode, ...turn }),
    context,
    wishes,
  );
  const retries = context.events.flatMap((event) => (event.type === 'retry' ? [event.reason] : []));
  const last = agent.model.requests.at(-1)?.messages.at(-1)?.text;
  return { answer, asked, searched, retries, last };
}

const GUESS = 'I do not know your rent, but rents differ a lot from place to place.';
const RIGHT = '950 EUR [lease.md, 4. Rent, line 5].';
const WHY = 'the answer was given without looking at what the documents have';

test.each(MODES)('an answer without any call is given again with what answers the request, in %s', async (mode) => {
  const { answer, asked, searched, retries, last } = await play(mode, [GUESS, RIGHT]);
  expect(answer).toMatchObject({ text: RIGHT, stop: 'answered', steps: 2 });
  expect([asked, searched, retries]).toEqual([['How much is the rent?'], ['How much is the rent?'], [WHY]]);
  expect(last).toContain(PASSAGE.text);
});

test.each(MODES)('whatever is said then is the answer, in %s', async (mode) => {
  expect((await play(mode, [GUESS, GUESS])).answer).toMatchObject({ text: GUESS, steps: 2 });
});

const NOT: [what: string, replies: readonly Scripted[], given: Given, looked: number][] = [
  ['nothing answers the request', ['Hello.'], { turn: { text: 'Hi!' } }, 1],
  ['it cannot look', [GUESS], { fails: true }, 1],
  ['the passage has been read', [GUESS], { turn: { text: `Is ${PASSAGE.citation} the rent?` } }, 1],
  ['a text came along', [GUESS], { turn: { material: [{ name: 'a.md', text: 'a', untrusted: false }] } }, 0],
  ['no step is left', [GUESS], { wishes: { maxSteps: 1 } }, 0],
];

test.each(NOT.flatMap((each) => MODES.map((mode) => [mode, ...each] as const)))(
  'in %s, the answer stands where %s',
  async (mode, _what, replies, given, looked) => {
    const { answer, asked, searched } = await play(mode, replies, given);
    expect([answer.text, asked.length, searched]).toEqual([replies[0], looked, []]);
  },
);

test('in classic_tools, the answer stands after a call', async () => {
  const call = { toolCalls: [{ name: 'query_rag', args: { query: 'boat' } }] };
  const { answer, asked } = await play('classic_tools', [call, GUESS]);
  expect([answer.text, asked]).toEqual([GUESS, []]);
});
