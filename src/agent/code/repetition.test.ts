import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { ApprovalRequest, Decision } from '../../base/turn.ts';
import { testContext, testTurn } from '../../testing/agent.ts';
import { codeAgent, testSandbox } from '../../testing/code-agent.ts';
import type { Scripted } from '../../testing/scripted-model.ts';
import { defineTool } from '../../tools/tool.ts';
import type { CodeOptions } from './types.ts';

const sandbox = testSandbox();
afterAll(() => sandbox.close());

const js = (source: string) => `\`\`\`js\n${source}\n\`\`\``;
const NO: Decision = { verdict: 'denied', by: 'terminal' };
const shared = {
  provenance: { readsFrom: [] },
  timeoutMs: 5000,
  input: z.object({ page: z.number() }),
} as const;

/** A turn with a tool that reads, one that always fails, and one that asks; `ran` is what they really did. */
async function play(replies: readonly Scripted[], first = Promise.resolve(NO), code: Partial<CodeOptions> = {}) {
  const ran: string[] = [];
  const asked: ApprovalRequest[] = [];
  const look = defineTool({
    ...shared,
    name: 'look',
    description: 'Look.',
    policy: { effect: 'none' },
    execute: ({ page }) => {
      ran.push(`look ${page}`);
      return 'seen';
    },
  });
  const broken = defineTool({
    ...shared,
    name: 'broken',
    description: 'Fail.',
    policy: { effect: 'none' },
    execute: ({ page }) => {
      ran.push(`broken ${page}`);
      throw new Error(`no page after ${ran.length}`);
    },
  });
  const mail = defineTool({
    ...shared,
    name: 'mail',
    description: 'Mail.',
    policy: {
      effect: 'outbound',
      recipient: () => ({ channel: 'mail', address: 'bob', own: false }),
    },
    execute: ({ page }) => {
      ran.push(`mail ${page}`);
      return 'sent';
    },
  });
  const agent = await codeAgent(sandbox, replies, { tools: [look, broken, mail], code: { maxAttempts: 9, ...code } });
  const approve = async (request: ApprovalRequest) => {
    asked.push(request);
    return asked.length === 1 ? first : NO;
  };
  const answer = await agent.runTurn(testTurn('go', { mode: 'code_agent' }), { ...testContext(), approve });
  return { agent, answer, ran, asked };
}

const told = (agent: Awaited<ReturnType<typeof play>>['agent'], request: number) =>
  agent.model.requests[request]?.messages.at(-1)?.text ?? '';

test('the same call in script after script ends the turn', async () => {
  const { agent, answer, ran } = await play(Array.from({ length: 10 }, () => js('look({ page: 1 })')));
  // Three, a refusal that the model reads, three more for the script that was written knowing it.
  expect(ran).toHaveLength(6);
  expect(told(agent, 4)).toContain('called three times with the same input');
  expect(answer).toMatchObject({ stop: 'step_limit', text: expect.stringContaining('the turn was stopped') });
});

test('a call that failed three times in one script is not tried again by the next', async () => {
  const loop = js('for (let i = 0; i < 50; i++) { try { broken({ page: 1 }) } catch {} }');
  const { answer, ran } = await play([loop, loop, js("finalAnswer('never')")]);
  expect(ran).toHaveLength(3);
  expect(answer).toMatchObject({ stop: 'step_limit', text: expect.stringContaining('broken was called three times') });
});

test('a script that asked too often is told, and the one that keeps the value is fine', async () => {
  const { answer, ran, agent } = await play([
    js('for (let i = 0; i < 9; i++) look({ page: 1 })'),
    js("const seen = look({ page: 1 }); finalAnswer('it says ' + seen)"),
  ]);
  expect(ran).toHaveLength(4);
  expect(told(agent, 1)).toContain('Keep its result in a variable');
  expect(answer).toMatchObject({ stop: 'answered', text: 'it says seen' });
});

test('a loop over different arguments is nobody going in circles', async () => {
  const each = js(
    "for (let page = 0; page < 40; page++) look({ page }); parallel([7, 8, 9, 10].map((page) => ({ tool: 'look', input: { page } })))",
  );
  const { answer, ran } = await play([each, js("finalAnswer('all seen')")]);
  expect(ran).toHaveLength(44);
  expect(answer).toMatchObject({ stop: 'answered', text: 'all seen' });
});

test('a no is asked for once in a turn, whatever the script', async () => {
  const again = js('for (let i = 0; i < 3; i++) { try { mail({ page: 1 }) } catch {} }');
  const { asked, ran } = await play([again, again, js("finalAnswer('gave up')")]);
  expect(asked).toHaveLength(1);
  expect(ran).toEqual([]);
});

test('identical calls that wait at once share one question', async () => {
  const batch = "parallel([1, 1, 1].map((page) => ({ tool: 'mail', input: { page } })))";
  const { asked } = await play([js(batch), js("finalAnswer('gave up')")]);
  expect(asked).toHaveLength(1);
});

test('a question that ended with its script may be asked again', async () => {
  const scripts = [
    js("await Promise.race([mail({ page: 1 }), sleep(50)]); throw new Error('too early')"),
    js("try { mail({ page: 1 }) } catch {} finalAnswer('asked')"),
  ];
  const { asked, answer } = await play(scripts, new Promise(() => {}), { stepTimeoutMs: 2000 });
  expect(answer.text).toBe('asked');
  expect(asked).toHaveLength(2);
});
