import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import type { TurnEvent } from '../../base/turn.ts';
import { createModels } from '../../models/models.ts';
import { testAgent, testContext, testTurn } from '../../testing/agent.ts';
import * as fault from '../../testing/fault-server.ts';
import { modelsOptions } from '../../testing/models-options.ts';
import { openTestStore } from '../../testing/stores.ts';
import { Seam } from './continue.ts';
import { createClassicEngine } from './engine.ts';

const BEFORE = `${'The boiler was serviced on 12 March by Nordvarme. '.repeat(4)}The pressure has to stay at one and a ha`;

describe('a continuation joins without a word twice', () => {
  test.each([
    ['it begins with the quoted end', 'has to stay at one and a half bar.', 'lf bar.'],
    ['with an omission before it', '… stay at one and a half bar.', 'lf bar.'],
    ['with a quote and a break before it', '\n"stay at one and a half bar.', 'lf bar.'],
    ['it begins with the whole sentence', 'The pressure has to stay at one and a half bar.', 'lf bar.'],
    ['it repeats nothing and brings its own space', ' and more.', ' and more.'],
    ['it repeats nothing and brings none', 'and more.', ' and more.'],
    ['it begins with a mark', ', or so.', ', or so.'],
    ['a chance likeness is none', 'a half.', ' a half.'],
  ])('%s', (_name, next, expected) => {
    for (const size of [1, 7, 1000]) {
      let shown = '';
      const seam = new Seam(BEFORE, (text) => {
        shown += text;
      });
      for (let at = 0; at < next.length; at += size) seam.add(next.slice(at, at + size));
      expect(seam.end(next)).toBe(expected);
      expect(shown).toBe(expected);
    }
  });

  test('what comes after the seam is shown at once', () => {
    const shown: string[] = [];
    const seam = new Seam('Once upon a time', (text) => shown.push(text));
    seam.add(`upon a time ${'x'.repeat(300)}`);
    seam.add(' and so on');
    expect(shown).toEqual([` ${'x'.repeat(300)}`, ' and so on']);
  });
});

const server = new fault.FaultServer();
beforeAll(async () => Promise.all([server.start(), import('@langchain/openai')]));
afterAll(() => server.stop());

const cut = (text: string) => fault.ok(text, { finish: 'length' });

describe('with a real server', () => {
  async function play(replies: readonly fault.Behaviour[], options: { max?: number; budgetTurnUsd?: number } = {}) {
    const { max = 3, budgetTurnUsd } = options;
    const store = await openTestStore();
    const models = createModels({
      timeZone: 'UTC',
      options: modelsOptions({
        providers: { openai: { baseUrl: server.url, model: 'fault' } },
        budget: { turnUsd: budgetTurnUsd },
      }),
      store,
      log: silentLog,
      redactor: new Redactor(),
      now: () => new Date(),
      pace: { sleep: async () => {}, random: () => 0 },
    });
    models.registerPricing('fault', { input: 1_000_000, output: 1_000_000 });
    const engine = createClassicEngine({ maxIterations: 50, maxContinuations: max });
    const agent = await testAgent([], {
      store,
      deps: { models, engines: { classic_tools: engine, code_agent: engine } },
    });
    const events: TurnEvent[] = [];
    server.play(...replies);
    const answer = await agent.runTurn(testTurn('tell me'), { ...testContext(), show: (event) => events.push(event) });
    const tokens = events.map((event) => (event.type === 'token' ? event.text : '')).join('');
    const codes = events.flatMap((event) => (event.type === 'error' ? [event.code] : []));
    return { answer, tokens, codes, events, requests: [...server.requests] };
  }

  test('an answer that the length limit cut is continued, and shown as one', async () => {
    const { answer, tokens, codes, requests } = await play([
      cut('Once upon a time there was a fox who co'),
      cut('there was a fox who could read and wri'),
      fault.ok('could read and write letters.'),
    ]);
    const whole = 'Once upon a time there was a fox who could read and write letters.';
    expect(answer).toMatchObject({ text: whole, stop: 'answered', steps: 3 });
    expect([tokens, codes]).toEqual([whole, []]);
    expect(requests).toHaveLength(3);
    const messages = requests[2]?.body.messages as { role: string; content: string }[];
    expect(messages.at(-2)).toMatchObject({ role: 'assistant', content: expect.stringMatching(/read and wri$/u) });
    expect(messages.at(-1)?.content).toContain('there was a fox who could read and wri');
    expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(1);
  });

  test('not for ever: then it is marked', async () => {
    const { answer, codes, requests } = await play([cut('one two three '), cut('four '), cut('five ')], { max: 2 });
    expect(answer).toMatchObject({ text: 'one two three four five', stop: 'cut_off' });
    expect(codes).toEqual(['model_incomplete']);
    expect(requests).toHaveLength(3);
  });

  test('every part is booked, and a budget ends it with what there is', async () => {
    const { answer, events, requests } = await play([cut('one two three '), cut('four ')], { budgetTurnUsd: 1 });
    expect(requests).toHaveLength(1);
    expect(answer).toMatchObject({ text: 'one two three', stop: 'cut_off' });
    expect(events).toContainEqual(expect.objectContaining({ type: 'notice', text: expect.stringContaining('budget') }));
    expect(events).toContainEqual(expect.objectContaining({ type: 'error', code: 'model_incomplete' }));
    expect(events.filter(({ type }) => type === 'usage')).toHaveLength(1);
  });

  test('what a broken connection left is not continued', async () => {
    const { answer, requests } = await play([fault.stream(fault.textEvents('Half an ans')), fault.ok('never asked')]);
    expect(answer).toMatchObject({ text: 'Half an ans', stop: 'cut_off' });
    expect(requests).toHaveLength(1);
  });
});
