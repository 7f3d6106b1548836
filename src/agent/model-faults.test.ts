import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { MODES, type Mode, type TurnEvent } from '../base/turn.ts';
import { createModels } from '../models/models.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { codeAgent, testSandbox } from '../testing/code-agent.ts';
import * as fault from '../testing/fault-server.ts';
import { modelsOptions } from '../testing/models-options.ts';
import { openTestStore } from '../testing/stores.ts';
import { keepTool } from '../testing/tools.ts';

const server = new fault.FaultServer();
const sandbox = testSandbox();
// Loaded before the clocks of the first attempt run.
beforeAll(async () => Promise.all([server.start(), import('@langchain/openai')]));
afterAll(async () => {
  await server.stop();
  await sandbox.close();
});

const SILENCE_MS = 500;

/** A whole agent on the real model layer in front of the fault server, with one tool whose effects are counted. */
async function open() {
  const store = await openTestStore();
  const effects: string[] = [];
  const keep = keepTool((text) => effects.push(text));
  const models = createModels({
    timeZone: 'UTC',
    options: modelsOptions({
      providers: { openai: { baseUrl: server.url, model: 'fault' } },
      limits: { firstByteMs: SILENCE_MS, idleMs: SILENCE_MS },
    }),
    store,
    log: silentLog,
    redactor: new Redactor(),
    now: () => new Date(),
    pace: { sleep: async () => {}, random: () => 0 },
  });
  return { agent: await codeAgent(sandbox, [], { store, tools: [keep], deps: { models } }), effects };
}

/** The model's first step, which has an effect, as each mode asks for it. */
const ACT: Readonly<Record<Mode, fault.Behaviour>> = {
  classic_tools: fault.ok('', { calls: [{ name: 'keep', args: '{"text":"once"}' }] }),
  code_agent: fault.ok("```js\nawait keep('once');\n```"),
};
const HELLO = fault.textEvents('Half an ans');

interface Case {
  readonly name: string;
  /** What the second request of the turn meets; the third gets a good answer unless the fault stays. */
  readonly meets: readonly fault.Behaviour[];
  readonly ends: { readonly stop: 'answered' | 'failed'; readonly text?: RegExp; readonly code?: string };
}

const good = fault.ok('All done.');
const answered = { stop: 'answered', text: /All done\./u } as const;
const CASES: readonly Case[] = [
  { name: '400', meets: [fault.status(400)], ends: { stop: 'failed', code: 'model_rejected' } },
  { name: '401', meets: [fault.status(401)], ends: { stop: 'failed', code: 'model_rejected' } },
  { name: '403', meets: [fault.status(403)], ends: { stop: 'failed', code: 'model_rejected' } },
  { name: '404', meets: [fault.status(404)], ends: { stop: 'failed', code: 'model_rejected' } },
  { name: '408, then good', meets: [fault.status(408), good], ends: answered },
  { name: '409, then good', meets: [fault.status(409), good], ends: answered },
  {
    name: '429 with Retry-After, then good',
    meets: [fault.status(429, {}, { 'retry-after': '1' }), good],
    ends: answered,
  },
  {
    name: '429 with a huge Retry-After',
    meets: [fault.status(429, {}, { 'retry-after': '3600' })],
    ends: { stop: 'failed', code: 'model_unreachable' },
  },
  { name: '500, then good', meets: [fault.status(500), good], ends: answered },
  { name: '500 for ever', meets: [fault.status(500)], ends: { stop: 'failed', code: 'model_unreachable' } },
  { name: 'reset, then good', meets: [fault.reset, good], ends: answered },
  { name: 'no headers, then good', meets: [fault.hang, good], ends: answered },
  { name: 'no headers for ever', meets: [fault.hang], ends: { stop: 'failed', code: 'model_unreachable' } },
  {
    name: 'a web page',
    meets: [fault.raw('<html></html>', 'text/html')],
    ends: { stop: 'failed', code: 'model_unreachable' },
  },
  { name: 'a malformed event, then good', meets: [fault.stream(['data: {"x\n\n']), good], ends: answered },
  { name: 'an empty answer for ever', meets: [fault.ok('')], ends: { stop: 'failed', code: 'model_incomplete' } },
  {
    name: 'a stall before words, then good',
    meets: [fault.stream([fault.delta({ role: 'assistant', content: '' })], 'stall'), good],
    ends: answered,
  },
  {
    name: 'context overflow, then good',
    meets: [fault.status(400, { error: { message: 'maximum context length', code: 'context_length_exceeded' } }), good],
    ends: answered,
  },
];

/** Words came before the fault. Tools mode has shown them: they stay, marked. Code mode has not: it asks again. */
const CUT: readonly (readonly [string, fault.Behaviour])[] = [
  ['a stall after words', fault.stream(HELLO, 'stall')],
  ['a reset after words', fault.stream(HELLO, 'reset')],
  ['a body that just ends', fault.stream(HELLO)],
  ['the length limit', fault.ok('Half an ans', { finish: 'length' })],
];

describe.each(MODES)('%s', (mode) => {
  test.each(CASES.map((each) => [each.name, each] as const))(
    '%s: the effect happens once, the conversation goes on',
    async (_name, { meets, ends }) => {
      const { agent, effects } = await open();
      const events: TurnEvent[] = [];
      server.play(ACT[mode], ...meets);
      const answer = await agent.runTurn(testTurn('keep it', { mode }), {
        ...testContext(),
        show: (event) => events.push(event),
      });
      expect(answer.stop).toBe(ends.stop);
      if (ends.text) expect(answer.text).toMatch(ends.text);
      if (ends.code) expect(events).toContainEqual(expect.objectContaining({ type: 'error', code: ends.code }));
      expect(effects).toEqual(['once']);
      server.play(fault.ok('Still here.'));
      const next = await agent.runTurn(testTurn('are you there?', { mode }), testContext());
      expect(next).toMatchObject({ stop: 'answered', text: 'Still here.' });
      expect(JSON.stringify(server.requests[0]?.body.messages)).toContain('keep it');
    },
  );

  test.each(CUT)('%s: half an answer never passes for a whole one', async (_name, behaviour) => {
    const { agent, effects } = await open();
    const events: TurnEvent[] = [];
    server.play(ACT[mode], behaviour, good);
    const answer = await agent.runTurn(testTurn('keep it', { mode }), {
      ...testContext(),
      show: (event) => events.push(event),
    });
    expect(effects).toEqual(['once']);
    if (mode === 'classic_tools') {
      expect(answer.text).toContain('Half an ans');
      expect(events).toContainEqual(expect.objectContaining({ type: 'error', code: 'model_incomplete' }));
    } else expect(answer.text).toBe('All done.');
    expect(answer.text).not.toMatch(/Half an ans.*All done/su);
  });

  test.each([
    ['fails', fault.status(500)],
    ['says nothing more', fault.ok('')],
  ])('the longest text that arrived is the answer, as cut, where the model then %s', async (_name, behaviour) => {
    const { agent } = await open();
    const events: TurnEvent[] = [];
    const [longest, shorter] = ['Half an answer so far', 'Half'].map((text) =>
      fault.stream(fault.textEvents(text), 'reset'),
    );
    server.play(longest ?? behaviour, ...(mode === 'code_agent' && shorter ? [shorter] : []), behaviour);
    const turn = testTurn('tell me', { mode });
    const context = { ...testContext(), show: (event: TurnEvent) => void events.push(event) };
    expect(await agent.runTurn(turn, context)).toMatchObject({ stop: 'cut_off', text: 'Half an answer so far' });
    expect(events).toContainEqual(expect.objectContaining({ type: 'error', code: 'model_incomplete' }));
    server.play(fault.ok('Still here.'));
    await agent.runTurn(testTurn('go on', { mode }), testContext());
    expect(JSON.stringify(server.requests[0]?.body.messages)).toContain('Half an answer so far');
  });
});
