import { type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { z } from 'zod';
import { AssistantError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import type { Redactor } from '../base/redact.ts';
import { preview } from '../base/text.ts';
import type { Turn } from '../base/turn.ts';
import type { ModelChoice, ModelRequest, Models } from '../models/types.ts';
import type { Reranker, RerankRequest } from '../rag/search/rerank.ts';
import { internalPrompt } from './prompt.ts';
import type { JobContext } from './types.ts';

export interface ModelRerankerDeps {
  readonly models: Pick<Models, 'pick'>;
  readonly promptsDir: string;
  readonly redactor: Redactor;
  readonly log: Log;
  /** For the whole of it, tries included; what comes later is not waited for. */
  readonly timeoutMs: number;
  /** The job that a turn belongs to: what is spent counts against its budget. */
  jobContext(turn: Turn): JobContext | undefined;
}

/** Of one passage and of the question, in characters. */
const PASSAGE_CHARS = 1000;
const QUESTION_CHARS = 1000;
/** An order of thirty numbers is short; the rest is for models that think aloud. */
const REPLY_TOKENS = 2000;
/** Careful: four are usual in English, three are one character of Chinese. */
const BYTES_PER_TOKEN = 3;

/**
 * Orders passages by asking the routed model once for a ranking of all of them. Whatever goes wrong, but for the
 * signal, leaves the order of the search and one line in the log; what goes wrong again in the same way leaves none.
 * A passage that gives orders can change the order at most: the request offers no tools, and of the reply nothing but
 * numbers is read.
 *
 * @see Sun et al. 2023, "Is ChatGPT Good at Search? Investigating Large Language Models as Re-Ranking Agents" (RankGPT,
 *   listwise permutation generation), arXiv:2304.09542; one window here, as there are never more than thirty passages
 */
export function createModelReranker(deps: ModelRerankerDeps): Reranker {
  let lastReason = '';
  return async (request) => {
    if (isCondition(request, deps)) return undefined;
    const late = AbortSignal.timeout(deps.timeoutMs);
    try {
      const signal = request.signal ? AbortSignal.any([request.signal, late]) : late;
      const ranking = await askForRanking(deps, { ...request, signal });
      lastReason = '';
      return toScores(ranking, request.hits.length);
    } catch (error) {
      request.signal?.throwIfAborted();
      const { message, hint } = explain(error, late.aborted, deps.timeoutMs);
      if (message !== lastReason) deps.log.warn('passages stay in the order of the search', { why: message, hint });
      lastReason = message;
      return undefined;
    }
  };
}

/** A job's condition runs often and without a model; of the turns of the scheduler only its own belong to no job. */
function isCondition({ turn }: RerankRequest, { jobContext }: ModelRerankerDeps): boolean {
  return turn?.origin === 'schedule' && jobContext(turn) === undefined;
}

/**
 * The model that a project's passages would be put before. It was not asked anything yet.
 *
 * @throws AssistantError what `pick` throws; `model_unreachable` when there is only the built-in one, which cannot judge.
 */
export async function pickRanker(
  models: Pick<Models, 'pick'>,
  request: Pick<ModelRequest, 'project' | 'signal'> & Partial<ModelRequest>,
): Promise<ModelChoice> {
  const choice = await models.pick({
    mode: 'classic_tools',
    ...request,
    profile: 'RAG_PROCESSING',
    purpose: 'rerank',
    temperature: 0,
    maxTokens: REPLY_TOKENS,
  });
  if (choice.provider !== 'builtin') return choice;
  const hint = 'Connect a model (`wooster models` shows how), or set RAG_RERANK=lexical.';
  const message = 'RAG_RERANK=model has no effect here: the built-in model cannot put passages in order.';
  throw new AssistantError('model_unreachable', message, { hint });
}

async function askForRanking(
  { models, promptsDir, redactor, log, jobContext }: ModelRerankerDeps,
  request: RerankRequest & { readonly signal: AbortSignal },
): Promise<readonly number[]> {
  const { project, turn, signal, hits } = request;
  const job = turn && jobContext(turn);
  const choice = await pickRanker(models, {
    project,
    signal,
    ...(turn && { mode: turn.mode, turnId: turn.id, conversationId: turn.conversationId }),
    jobId: job?.jobId,
    jobBudgetUsd: job?.budgetUsd,
    onNotice: (text) => log.warn(text),
  });
  signal.throwIfAborted();
  const instructions = internalPrompt(promptsDir, 'rerank');
  const { contextWindow } = choice;
  const room = (contextWindow - Math.min(REPLY_TOKENS, contextWindow / 4)) * BYTES_PER_TOKEN - instructions.length;
  const messages: BaseMessage[] = [
    new SystemMessage(instructions),
    new HumanMessage(material(request, room, (text) => redactor.redact(text))),
  ];
  const reply = await choice.model.invoke(messages, { signal, callbacks: [] });
  return readRanking(reply.text, hits.length);
}

/**
 * The question and one line per passage, each a JSON string: nothing inside can pass for a line or a number of ours.
 * Passages get equal room where not all of them fit.
 */
function material(
  { query, hits }: Pick<RerankRequest, 'query' | 'hits'>,
  roomBytes: number,
  redact: (text: string) => string,
): string {
  const question = `Question: ${quoted(redact(query), QUESTION_CHARS)}`;
  const passages = hits.map(({ file, heading, text }) => redact(`${[file, ...heading].join(' > ')}: ${text}`));
  const all = passages.join('');
  const bytesPerChar = Buffer.byteLength(all) / all.length;
  const left = roomBytes - 2 * Buffer.byteLength(question);
  const chars = Math.min(PASSAGE_CHARS, Math.max(1, Math.floor(left / hits.length / bytesPerChar)));
  const lines = passages.map((passage, index) => `[${index + 1}] ${quoted(passage, chars)}`);
  return [question, 'Passages, quoted from documents of strangers:', ...lines, question].join('\n');
}

function quoted(text: string, maxChars: number): string {
  // A pair cut in two is no valid text; some servers refuse the whole request then.
  return JSON.stringify(preview(text, maxChars).toWellFormed());
}

const NUMBERS = z.array(z.int());
const RANKING = z.union([z.object({ ranking: NUMBERS }).transform(({ ranking }) => ranking), NUMBERS]);

/**
 * The last ranking in a reply, which may think aloud before it. Numbers given twice count once.
 *
 * @throws AssistantError `model_incomplete` where there is none, or where it names a passage that was not given.
 */
function readRanking(reply: string, count: number): readonly number[] {
  const found = reply.match(/\{[^{}]*\}|\[[^[\]{}]*\]/gu) ?? [];
  const ranking = found.map((text) => RANKING.safeParse(parseJson(text))).findLast(({ success }) => success)?.data;
  if (ranking?.every((number) => number >= 1 && number <= count)) return [...new Set(ranking)];
  const problem = ranking ? `names passages that are not among the ${count}` : 'holds no ranking';
  const hint = 'Another model may do better; RAG_RERANK=lexical needs none.';
  throw new AssistantError('model_incomplete', `The reply of the model ${problem}.`, { hint });
}

/** The model's order leads; what it left out keeps the order of the search, behind. */
function toScores(ranking: readonly number[], count: number): number[] {
  const places = new Map(ranking.map((number, place) => [number, place]));
  return Array.from({ length: count }, (_, index) => count - (places.get(index + 1) ?? count));
}

function explain(error: unknown, late: boolean, timeoutMs: number): { message: string; hint: string } {
  if (late)
    return { message: `The model did not answer within ${timeoutMs} ms.`, hint: 'Raise RAG_RERANK_TIMEOUT_MS.' };
  if (error instanceof AssistantError) return { message: error.message, hint: error.hint };
  throw error;
}
