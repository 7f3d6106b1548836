import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type Answer, NOBODY_TO_ASK, type TurnContext, type TurnEvent } from '../base/turn.ts';
import { temporaryFolder } from '../testing/home.ts';
import { evaluate, type TaskRun, type Trial } from './evaluate.ts';
import type { Task } from './tasks.ts';

const TASK: Task = { id: 'hello', files: {}, requests: ['hello'], checks: {} };
const USAGE = { inputTokens: 10, outputTokens: 1, cachedTokens: 0, calls: 1, costUsd: 0.1 };

interface Given {
  readonly task?: Partial<Task>;
  /** What a turn shows and answers; `stop` is how it ends. */
  readonly turn?: (context: TurnContext, text: string) => Partial<Answer>;
  readonly schedules?: Awaited<ReturnType<Trial['schedules']>>;
  readonly signal?: AbortSignal;
}

/** One task in one mode. */
async function tried({
  task = {},
  turn = () => ({}),
  schedules = [],
  signal = new AbortController().signal,
}: Given = {}) {
  const folder = temporaryFolder();
  const asked: Parameters<Trial['runTurn']>[] = [];
  const order: string[] = [];
  const runs: TaskRun[] = [];
  const trial: Trial = {
    ...{ project: 'garden', folder, timeZone: 'Asia/Tokyo' },
    runTurn: async (request, context) => {
      asked.push([request, context]);
      order.push(`turn ${request.text}`);
      const answer = turn(context, request.text);
      return { text: `to ${request.text}`, stop: 'answered', steps: 1, usage: USAGE, ...answer };
    },
    ingest: async (given) => {
      expect(given).toBe(signal);
      order.push('ingest');
    },
    schedules: async () => schedules,
    close: async () => void order.push('close'),
  };
  const plan = { tasks: [{ ...TASK, ...task }], modes: ['code_agent'] as const, times: 1, budgetUsd: undefined };
  const evaluated = evaluate({ ...plan, open: async () => trial, signal, done: (run) => void runs.push(run) });
  await evaluated.catch(() => {});
  return { evaluated, run: runs[0], asked, order, folder };
}

const shows = (...events: readonly Partial<TurnEvent>[]): NonNullable<Given['turn']> => {
  return ({ show }) => {
    for (const event of events) show(event as TurnEvent);
    return {};
  };
};

test('requests are turns of one conversation, and what they took is summed up', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(1000).mockReturnValueOnce(1234.6);
  const { run, asked, order } = await tried({ task: { requests: ['hello', 'and now?'] } });
  clock.mockRestore();
  expect(run).toEqual({
    ...{ task: 'hello', mode: 'code_agent', ok: true, failed: [], ms: 235, model: 'none' },
    ...{ requests: 2, inputTokens: 20, outputTokens: 2, costUsd: 0.2, retries: 0 },
  });
  expect(order).toEqual(['turn hello', 'turn and now?', 'close']);
  const [[first], [second]] = asked as [Parameters<Trial['runTurn']>, Parameters<Trial['runTurn']>];
  expect(first).toMatchObject({ id: expect.stringMatching(/^turn_/u), text: 'hello', mode: 'code_agent' });
  expect(first.conversationId).toMatch(/^conv_/u);
  expect(second.conversationId).toBe(first.conversationId);
  expect(second.id).not.toBe(first.id);
});

test('a turn is in the zone and at the time of the trial, and has nobody to ask', async () => {
  const { asked } = await tried();
  const context = asked[0]?.[1];
  expect(context?.timeZone).toBe('Asia/Tokyo');
  expect(Math.abs(Number(context?.now()) - Date.now())).toBeLessThan(60_000);
  expect(await context?.approve({} as never)).toBe(NOBODY_TO_ASK);
});

test('the model is the one that answered last, and each retry counts', async () => {
  const turn = shows(
    { type: 'turn', model: 'small' },
    { type: 'retry' },
    { type: 'turn', model: 'large' },
    { type: 'retry' },
  );
  expect((await tried({ turn })).run).toMatchObject({ model: 'large', retries: 2 });
});

test('files are in the project and in the index before the first request', async () => {
  const files = { 'flat.md': 'The rent is 870 EUR.', 'deep/er/notes.md': 'x' };
  const { order, folder } = await tried({ task: { files } });
  expect(order).toEqual(['ingest', 'turn hello', 'close']);
  for (const [path, text] of Object.entries(files)) expect(readFileSync(join(folder, path), 'utf8')).toBe(text);
});

test('where a task has no files, nothing is put into the index', async () => {
  expect((await tried()).order).not.toContain('ingest');
});

test('the last answer, the calls, the schedules and the journal are looked at', async () => {
  const turn = shows({ type: 'tool', name: 'query_rag', ok: true }, { type: 'tool', name: 'notify', ok: false });
  const schedules = [{ text: 'water the tulips', next: new Date(Date.now() + 24 * 3600_000) }];
  const checks: Task['checks'] = {
    answer: { contains: ['to and now?'], lacks: ['hello'] },
    calls: { some: ['query_rag', 'notify'] },
    schedules: { count: 1, some: { contains: ['tulips'], days: 1 } },
    notes: { contains: ['dry'] },
  };
  const task = { requests: ['hello', 'and now?'], checks, files: { 'garden.md': 'It is dry.' } };
  expect((await tried({ task, turn, schedules })).run).toMatchObject({ ok: false, failed: ['notify was not called'] });
});

test('a turn that does not answer has failed, whatever else is right', async () => {
  const turn = (): Partial<Answer> => ({ stop: 'step_limit' });
  expect((await tried({ turn })).run).toMatchObject({ ok: false, failed: ['the turn ended as step_limit'] });
});

test('only how the last turn ended counts', async () => {
  const turn: Given['turn'] = (_, text) => ({ stop: text === 'hello' ? 'failed' : 'answered' });
  expect((await tried({ turn, task: { requests: ['hello', 'again'] } })).run).toMatchObject({ ok: true });
});

test('a task without a request ends as nothing', async () => {
  const { run } = await tried({ task: { requests: [], checks: { answer: { matches: '^$' } } } });
  expect(run).toMatchObject({ ok: false, failed: ['the turn ended as nothing'], model: 'none', requests: 0 });
});

test('a stop during a turn ends it all, and the trial is closed', async () => {
  const stop = new AbortController();
  const turn = () => {
    stop.abort(new Error('cancelled'));
    return { stop: 'aborted' as const };
  };
  const { evaluated, run, order } = await tried({ turn, signal: stop.signal, task: { requests: ['hello', 'again'] } });
  await expect(evaluated).rejects.toThrow('cancelled');
  expect([run, order]).toEqual([undefined, ['turn hello', 'close']]);
});

test('a trial whose turn breaks is closed', async () => {
  const turn = () => {
    throw new Error('no disk');
  };
  const { evaluated, order, folder } = await tried({ turn });
  await expect(evaluated).rejects.toThrow('no disk');
  expect(order).toEqual(['turn hello', 'close']);
  expect(existsSync(folder)).toBe(true);
});
