import { describe, expect, test } from 'vitest';
import { NO_USAGE, type Turn, type Usage } from '../base/turn.ts';
import type { ModelChoice, ModelRequest } from '../models/types.ts';
import { testContext, testTurn } from '../testing/agent.ts';
import { openTestStore } from '../testing/stores.ts';
import { TurnModels, type TurnModelsDeps } from './turn-models.ts';

const CHOICE = { provider: 'scripted', name: 'qwen', contextWindow: 128_000 } as ModelChoice;
const USAGE = { inputTokens: 10, outputTokens: 5, cachedTokens: 2, calls: 1, costUsd: 0.5 };

/** The models of one turn; every request for one is kept, and may be answered by `pick`. */
async function turnModels(
  turn: Partial<Turn> & { readonly text?: string } = {},
  deps: Partial<TurnModelsDeps> = {},
  choices: readonly Partial<ModelChoice>[] = [],
) {
  const asked: ModelRequest[] = [];
  const left = [...choices];
  const pick = async (request: ModelRequest) => {
    asked.push(request);
    return { ...CHOICE, ...left.shift() };
  };
  const context = testContext();
  const models = new TurnModels({
    models: { pick, candidates: async () => [], close: async () => {} },
    store: await openTestStore(),
    turn: testTurn(turn.text ?? 'go', { id: 'turn_1', ...turn }),
    context,
    job: undefined,
    ...deps,
  });
  return { models, asked, context };
}

describe('what is asked of the models', () => {
  const usual = {
    profile: 'TOOL_EXECUTION',
    purpose: 'turn',
    model: undefined,
    severalSteps: false,
    mode: 'classic_tools',
    project: 'home',
    turnId: 'turn_1',
    conversationId: 'conv_1',
    jobId: undefined,
    jobBudgetUsd: undefined,
    signal: expect.any(AbortSignal),
    onRetry: expect.any(Function),
    onNotice: expect.any(Function),
    onUsage: expect.any(Function),
  };
  const job = { jobId: 'job_1', budgetUsd: 2, profile: 'BACKGROUND_TASK' } as const;

  test.each<[string, Parameters<typeof turnModels>[0], Partial<TurnModelsDeps>, object]>([
    ['a turn', {}, {}, usual],
    ['a turn of several steps', { text: 'look, and then write' }, {}, { ...usual, severalSteps: true }],
    ['a turn of a program', { origin: 'program' }, {}, { ...usual, purpose: 'agent' }],
    ['a caller with a model of its own', {}, { model: 'openai:gpt' }, { ...usual, model: 'openai:gpt' }],
    [
      'a job',
      { project: 'garden' },
      { job },
      { ...usual, project: 'garden', jobId: 'job_1', jobBudgetUsd: 2, profile: 'BACKGROUND_TASK' },
    ],
    ['a job of no profile', {}, { job: { jobId: 'job_1' } }, { ...usual, jobId: 'job_1' }],
  ])('for %s', async (_whom, turn, deps, request) => {
    const { models, asked } = await turnModels(turn, deps);
    await models.pick({ profile: 'TOOL_EXECUTION' });
    expect(asked).toEqual([request]);
  });

  test('a summary comes from the profile of the turn, whatever the job wants and the turn asked last', async () => {
    const { models, asked } = await turnModels({}, { job });
    await models.pickSummariser(500);
    await models.pick({ profile: 'CODE_ASSISTANCE' });
    await models.pickSummariser(700);
    await models.pick({ profile: 'RAG_PROCESSING', purpose: 'compaction' });
    await models.pickSummariser(900);
    const summary = { ...usual, purpose: 'compaction', temperature: 0.3, jobId: 'job_1', jobBudgetUsd: 2 };
    expect(asked.filter(({ maxTokens }) => maxTokens !== undefined)).toEqual([
      { ...summary, profile: 'TOOL_EXECUTION', maxTokens: 500 },
      { ...summary, profile: 'CODE_ASSISTANCE', maxTokens: 700 },
      { ...summary, profile: 'CODE_ASSISTANCE', maxTokens: 900 },
    ]);
  });
});

describe('what is shown of the models', () => {
  test('the turn is seen before a model in this process keeps the processor', async () => {
    let isSeen = false;
    // Whoever writes to a socket has written in the next round of the event loop.
    const show = () => {
      setImmediate(() => {
        isSeen = true;
      });
    };
    const { models } = await turnModels({}, { context: { ...testContext(), show } }, [{ provider: 'builtin' }]);
    await models.pick({ profile: 'TOOL_EXECUTION' });
    expect(isSeen).toBe(true);
  });

  test('the turn, once its first model is known', async () => {
    const { models, context } = await turnModels({}, {}, [{ name: 'qwen' }, { name: 'llama' }]);
    expect([models.model, models.usage]).toEqual(['none', NO_USAGE]);
    await models.pick({ profile: 'TOOL_EXECUTION' });
    await models.pick({ profile: 'TOOL_EXECUTION' });
    models.announce('none');
    expect(models.model).toBe('qwen');
    expect(context.events).toEqual([
      { type: 'turn', id: 'turn_1', conversationId: 'conv_1', mode: 'classic_tools', model: 'qwen', project: 'home' },
    ]);
  });

  test('retries, notices and what each call took, which adds up', async () => {
    const { models, asked, context } = await turnModels();
    const told: unknown[] = [];
    await models.pick({ profile: 'TOOL_EXECUTION', onUsage: (usage) => told.push(usage) });
    await models.pick({ profile: 'TOOL_EXECUTION' });
    context.events.length = 0;
    const [first, second] = asked;
    first?.onRetry?.({ reason: 'the server is busy', waitMs: 250 });
    first?.onNotice?.('half the budget is used');
    first?.onUsage?.({ ...USAGE, model: 'qwen' });
    second?.onUsage?.({ ...USAGE, model: 'llama', costUsd: undefined });
    expect(context.events).toEqual([
      { type: 'retry', reason: 'the server is busy', waitMs: 250 },
      { type: 'notice', text: 'half the budget is used' },
      { type: 'usage', model: 'qwen', inputTokens: 10, outputTokens: 5, costUsd: 0.5 },
      { type: 'usage', model: 'llama', inputTokens: 10, outputTokens: 5, costUsd: undefined },
    ]);
    expect(told).toEqual([{ ...USAGE, model: 'qwen' }]);
    const sum: Usage = { inputTokens: 20, outputTokens: 10, cachedTokens: 4, calls: 2, costUsd: undefined };
    expect(models.usage).toEqual(sum);
  });
});

test.each([
  [128_000, false],
  [16_384, true],
])('a model with a window of %i tokens is small: %s', async (contextWindow, small) => {
  const { models } = await turnModels({}, {}, [{ contextWindow }]);
  expect(await models.pick({ profile: 'TOOL_EXECUTION' })).toEqual({ ...CHOICE, contextWindow, small });
});
