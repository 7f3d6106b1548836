import { describe, expect, test } from 'vitest';
import {
  type Answer,
  type ApprovalRequest,
  NO_USAGE,
  type Turn,
  type TurnContext,
  type TurnEvent,
} from '../base/turn.ts';
import type { DueRun, JobProgram, ScheduledJob } from '../scheduler/types.ts';
import { testScope, testToolbox } from '../testing/scope.ts';
import { mailTool, PLAIN_TOOL, WRITE_NOTE } from '../testing/tools.ts';
import { defineTool } from '../tools/tool.ts';
import { JobTurns, type JobTurnsDeps } from './job-turns.ts';
import type { Engine, JobContext, TurnWishes } from './types.ts';

const NOW = new Date('2026-01-15T09:00:00.000Z');
const ENGINE: Engine = { run: () => Promise.reject(new Error('not run here')) };
const ANSWER: Answer = { text: 'Done.', stop: 'answered', usage: { ...NO_USAGE, costUsd: 0.25 }, steps: 1 };

/** A job as far as its turns know it. */
type JobParts = Partial<Omit<ScheduledJob, 'options'>> & { readonly options?: Partial<ScheduledJob['options']> };

function jobOf({ options = {}, ...rest }: JobParts): ScheduledJob {
  return { id: 'job_1', project: 'home', prompt: 'water it', untrusted: false, options, ...rest } as ScheduledJob;
}

function due(job: JobParts = {}, run: Partial<DueRun> = {}): DueRun {
  return {
    runId: 'run_1',
    job: jobOf(job),
    scheduledFor: NOW,
    attempt: 2,
    reason: 'time',
    changed: [],
    signal: new AbortController().signal,
    heard: () => {},
    ...run,
  };
}

/** What the agent was asked to run, and what it was told of the job meanwhile. */
interface Asked {
  readonly turn: Turn;
  readonly context: TurnContext;
  readonly wishes: TurnWishes | undefined;
  readonly job: JobContext | undefined;
  readonly lines: readonly string[];
}

/** The turns of jobs before an agent that shows these events and gives this answer. */
function jobTurns(answer: Partial<Answer> = {}, events: readonly TurnEvent[] = [], deps: Partial<JobTurnsDeps> = {}) {
  const asked: Asked[] = [];
  const jobs: JobTurns = new JobTurns({
    runTurn: async (turn, context, wishes) => {
      asked.push({ turn, context, wishes, job: jobs.contextOf(turn), lines: jobs.linesFor(turn) });
      for (const event of events) context.show(event);
      return { ...ANSWER, ...answer };
    },
    defaultMode: { mode: 'classic_tools', autoMode: true },
    defaultChannel: async () => 'terminal',
    now: () => NOW,
    timeZone: 'Europe/Oslo',
    ...deps,
  });
  const only = () => {
    expect(asked).toHaveLength(1);
    return asked[0] as Asked;
  };
  return { jobs, asked: only };
}

async function ranTurn(job: JobParts, run: Partial<DueRun> = {}): Promise<Asked> {
  const { jobs, asked } = jobTurns();
  await jobs.onDue(due(job, run));
  return asked();
}

describe('the turn of a due job', () => {
  const usual = {
    id: 'turn_run_1_2',
    conversationId: 'job_run_1',
    text: 'water it',
    origin: 'schedule',
    project: 'home',
    mode: 'classic_tools',
    autoMode: true,
  };

  test.each<[string, JobParts, Partial<DueRun>, object]>([
    ['as it is', {}, {}, usual],
    ['in the project of the job', { project: 'garden' }, {}, { ...usual, project: 'garden' }],
    ['in its own mode', { options: { mode: 'code_agent' } }, {}, { ...usual, mode: 'code_agent', autoMode: undefined }],
    ['in its own conversation', { options: { conversationId: 'conv_7' } }, {}, { ...usual, conversationId: 'conv_7' }],
    [
      'with the documents that changed',
      {},
      { changed: ['a.md', 'b.md'] },
      { ...usual, text: 'water it\n\nChanged documents: a.md, b.md' },
    ],
  ])('is asked %s', async (_how, job, run, turn) => {
    expect((await ranTurn(job, run)).turn).toEqual(turn);
  });

  test('has the clock, the zone and the end of the run', async () => {
    const signal = AbortSignal.abort();
    const { context, wishes } = await ranTurn({}, { signal });
    expect(context).toMatchObject({ signal, timeZone: 'Europe/Oslo' });
    expect(context.now()).toBe(NOW);
    expect(wishes).toEqual({ engine: undefined });
  });

  test('is run by the program of the job, where it has one', async () => {
    const program: JobProgram = { path: '/jobs/water.thk', hash: 'h', args: {} };
    const engineOf = (given: JobProgram) => (given === program ? ENGINE : ({} as Engine));
    const { jobs, asked } = jobTurns({}, [], { engineOf });
    await jobs.onDue(due({ options: { program } }));
    expect(asked().wishes).toEqual({ engine: ENGINE });
    const without = jobTurns();
    await without.jobs.onDue(due({ options: { program } }));
    expect(without.asked().wishes).toEqual({ engine: undefined });
  });

  const brought = {
    jobId: 'job_1',
    runId: 'run_1',
    channel: 'terminal',
    untrusted: false,
    limit: expect.any(Function),
  };
  test.each<[string, JobParts, object]>([
    ['the default channel and no budget', {}, brought],
    ['its channel', { options: { to: 'signal' } }, { ...brought, channel: 'signal' }],
    ['what it may cost', { options: { budgetUsd: 2 } }, { ...brought, budgetUsd: 2 }],
    ['its profile', { options: { profile: 'CREATIVE_WRITING' } }, { ...brought, profile: 'CREATIVE_WRITING' }],
    ['no profile that is unknown', { options: { profile: 'MAGIC' } }, brought],
    ['that its words may be of others', { untrusted: true }, { ...brought, untrusted: true }],
  ])('brings %s', async (_what, job, context) => {
    expect((await ranTurn(job)).job).toEqual(context);
  });

  test('is told that its answer is delivered, while it runs', async () => {
    const { jobs, asked } = jobTurns();
    await jobs.onDue(due());
    expect(asked().lines).toEqual([
      'This request is the scheduled job job_1, due now: carry it out. Your answer is delivered to the user by',
      'itself, so do not also send it with a notify tool, and do not schedule it again.',
    ]);
    expect(jobs.contextOf(asked().turn)).toBeUndefined();
    expect(jobs.linesFor(asked().turn)).toEqual([]);
  });

  test('that breaks down is forgotten as well', async () => {
    let seen: Turn | undefined;
    const { jobs } = jobTurns({}, [], {
      runTurn: (turn) => {
        seen = turn;
        return Promise.reject(new Error('no luck'));
      },
    });
    await expect(jobs.onDue(due())).rejects.toThrow('no luck');
    expect(jobs.contextOf(seen as Turn)).toBeUndefined();
  });
});

describe('a model is heard of', () => {
  const turn = (model: string): TurnEvent => {
    return { type: 'turn', id: 't', conversationId: 'c', mode: 'classic_tools', model, project: 'home' };
  };

  test.each<[string, readonly TurnEvent[], JobParts, boolean]>([
    [
      'not when it is asked, or asked again',
      [turn('openai:x'), { type: 'retry', reason: 'busy', waitMs: 1 }],
      {},
      false,
    ],
    ['when it says something', [turn('openai:x'), { type: 'token', text: 'a' }], {}, true],
    ['when it is one of our own process', [turn('local:x')], {}, true],
    ['when a program was asked instead', [], { options: { program: {} as never } }, true],
  ])('%s', async (_when, events, job, isHeard) => {
    const heard: string[] = [];
    const run = { heard: () => void heard.push('it') };
    await jobTurns({}, events, { engineOf: () => ENGINE }).jobs.onDue(due(job, run));
    expect(heard.length > 0).toBe(isHeard);
  });
});

describe('how a run ended', () => {
  const approval = (rest: Partial<TurnEvent & { type: 'approval' }>): TurnEvent => ({
    ...{ type: 'approval', callId: 'call_1', id: 'a', tool: 'send_mail', input: {}, ...rest },
    provenance: { untrusted: false, private: false, sources: [] },
  });
  const error: TurnEvent = { type: 'error', code: 'model_unreachable', message: 'Nobody answers.', hint: 'Start it.' };
  const notified = (text: string): TurnEvent => {
    return { type: 'tool', callId: 'call_1', name: 'notify', input: { text }, ok: true, ms: 1, preview: '' };
  };
  const denied = 'send_mail needs approval, and there was nobody to ask.';
  const stopped = 'It was stopped before it finished.';

  test.each<[string, Partial<Answer>, readonly TurnEvent[], object]>([
    ['answered', {}, [], { state: 'succeeded' }],
    ['cut off', { stop: 'cut_off' }, [], { state: 'succeeded' }],
    ['after an error that it got over', {}, [error], { state: 'succeeded' }],
    ['having told the same', {}, [notified('done')], { state: 'succeeded', told: true }],
    ['having told something else', {}, [notified('hello')], { state: 'succeeded' }],
    ['stopped', { stop: 'aborted' }, [], { state: 'cancelled', error: stopped }],
    ['out of steps', { stop: 'step_limit' }, [], { state: 'failed', error: 'It ended with step_limit.' }],
    [
      'failed',
      { stop: 'failed' },
      [error, { type: 'answer', text: '', stop: 'failed' }],
      { state: 'failed', error: 'Nobody answers. Start it.', modelAway: true },
    ],
    ['denied', {}, [approval({ decision: 'denied' })], { state: 'denied', error: denied }],
    ['denied and stopped', { stop: 'aborted' }, [approval({ decision: 'denied' })], { state: 'denied', error: denied }],
    ['with a call that waits', {}, [approval({ decision: 'denied', proposal: 'p_1' })], { state: 'succeeded' }],
    ['with a call that was allowed', {}, [approval({ decision: 'once' })], { state: 'succeeded' }],
    ['with a call that is asked for', {}, [approval({})], { state: 'succeeded' }],
  ])('%s', async (_how, answer, events, outcome) => {
    const about = { output: 'Done.', conversationId: 'job_run_1', turnId: 'turn_run_1_2', costUsd: 0.25 };
    expect(await jobTurns(answer, events).jobs.onDue(due())).toEqual({ ...about, ...outcome });
  });
});

describe('what a job may do', () => {
  const asks = (tool: string, destination?: string) => ({ tool, destination }) as ApprovalRequest;
  const pin = { tools: ['write_note', 'send_mail'], destinations: ['mail:bob@home.example'] };

  test.each<[string, JobParts, ApprovalRequest, object]>([
    ['a pinned tool', { pin }, asks('write_note'), { verdict: 'once', by: 'the pin of the job' }],
    [
      'a pinned tool to a pinned address',
      { pin },
      asks('send_mail', 'mail:bob@home.example'),
      { verdict: 'once', by: 'the pin of the job' },
    ],
    [
      'a pinned tool to another address',
      { pin },
      asks('send_mail', 'mail:eve@evil.example'),
      { verdict: 'denied', by: 'the pin of the job' },
    ],
    ['another tool', { pin }, asks('fetch_text'), { verdict: 'denied', by: 'the pin of the job' }],
    ['anything, without a pin', {}, asks('write_note'), { verdict: 'denied', by: 'no approver' }],
  ])('approval of %s', async (_what, job, request, decision) => {
    expect(await (await ranTurn(job)).context.approve(request)).toEqual(decision);
  });

  const tool = (name: string) => defineTool({ ...PLAIN_TOOL, name, execute: () => `${name} ran` });
  const notify = defineTool({
    ...PLAIN_TOOL,
    name: 'notify',
    policy: { ...PLAIN_TOOL.policy, effect: 'local' },
    execute: () => 'told',
  });
  const TOOLS = [tool('artifact.get'), WRITE_NOTE, notify];

  async function limitedTools(job: JobParts, seen?: (outcome: object) => void) {
    const scope = await testScope();
    const { jobs } = jobTurns({}, [], {
      runTurn: async (turn) => {
        const toolbox = jobs.contextOf(turn)?.limit?.(testToolbox(TOOLS, scope));
        names = toolbox?.list().map(({ name }) => name);
        result = await toolbox?.call('write_note', { text: 'x' }, scope);
        return ANSWER;
      },
    });
    let names: readonly string[] | undefined;
    let result: unknown;
    const { state, error } = await jobs.onDue(due(job));
    seen?.({ state, error });
    return { names, result };
  }

  test.each<[string, JobParts, readonly string[]]>([
    ['all', {}, ['artifact.get', 'write_note', 'notify']],
    ['those that it was given, by name', { options: { tools: ['artifact.get'] } }, ['artifact.get']],
    [
      'those that it was given, as scripts call them',
      { options: { tools: ['artifactGet', 'notify'] } },
      ['artifact.get', 'notify'],
    ],
    ['none, where it was given none', { options: { tools: [] } }, []],
    [
      'those that change nothing and tell the owner, where it is restricted',
      { restricted: true },
      ['artifact.get', 'notify'],
    ],
    ['all, where it is pinned', { restricted: true, pin }, ['artifact.get', 'write_note', 'notify']],
  ])('the tools of a job are %s', async (_which, job, names) => {
    expect((await limitedTools(job)).names).toEqual(names);
  });

  test('a call beyond its pin fails, and so does the run', async () => {
    const outcomes: object[] = [];
    const only = { pin: { tools: ['notify'], destinations: [] } };
    const { result } = await limitedTools(only, (outcome) => outcomes.push(outcome));
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining('write_note is not something') });
    const error = 'write_note needs approval, and there was nobody to ask.';
    expect(outcomes).toEqual([{ state: 'denied', error }]);
  });
});

describe('a rehearsal', () => {
  test('is a turn of its own, in which nothing is done', async () => {
    const scope = await testScope();
    const sent: string[] = [];
    const tools = [mailTool(sent), WRITE_NOTE];
    let asked: Asked | undefined;
    const results: unknown[] = [];
    const { jobs } = jobTurns({}, [], {
      runTurn: async (turn, context, wishes) => {
        const job = jobs.contextOf(turn);
        asked = { turn, context, wishes, job, lines: jobs.linesFor(turn) };
        const toolbox = job?.limit?.(testToolbox(tools, scope));
        results.push(await toolbox?.call('send_mail', { to: 'bob@home.example' }, scope));
        results.push(await toolbox?.call('write_note', { text: 'x' }, scope));
        return ANSWER;
      },
    });
    const { signal } = new AbortController();
    const rehearsed = await jobs.onRehearse(jobOf({ options: { tools: ['send_mail'], to: 'signal' } }), signal);
    const id = asked?.turn.id ?? '';
    expect(id).toMatch(/^turn_/u);
    expect(asked?.turn).toEqual({
      id,
      conversationId: `rehearsal_${id}`,
      text: 'water it',
      origin: 'schedule',
      project: 'home',
      mode: 'classic_tools',
      autoMode: true,
    });
    expect(asked?.job).toEqual({
      jobId: 'job_1',
      channel: 'signal',
      untrusted: false,
      limit: expect.any(Function),
      tried: true,
    });
    expect(asked?.context.signal).toBe(signal);
    const decision = { verdict: 'denied', by: 'a run that only tries things out' };
    expect(await asked?.context.approve({} as ApprovalRequest)).toEqual(decision);
    expect(sent).toEqual([]);
    expect(results).toMatchObject([{ ok: true }, { ok: false, reason: 'unknown_tool' }]);
    expect(rehearsed).toEqual({
      outcome: {
        state: 'succeeded',
        output: 'Done.',
        conversationId: `rehearsal_${id}`,
        turnId: id,
        costUsd: 0.25,
      },
      calls: [
        {
          tool: 'send_mail',
          input: { to: 'bob@home.example' },
          effect: 'outbound',
          destination: 'mail:bob@home.example',
          stubbed: true,
        },
      ],
    });
  });

  test('runs the program of the job', async () => {
    const program: JobProgram = { path: '/jobs/water.thk', hash: 'h', args: {} };
    const { jobs, asked } = jobTurns({}, [], { engineOf: () => ENGINE });
    await jobs.onRehearse(jobOf({ options: { program } }), new AbortController().signal);
    expect(asked().wishes).toEqual({ engine: ENGINE });
  });
});
