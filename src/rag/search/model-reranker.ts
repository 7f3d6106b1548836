import type { BaseMessage } from '@langchain/core/messages';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { parseJson } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import type { Redactor } from '../../base/redact.ts';
import { preview } from '../../base/text.ts';
import type { Turn } from '../../base/turn.ts';
import type { ModelChoice, ModelRequest, Models } from '../../models/types.ts';
import type { Reranker, RerankRequest } from './rerank.ts';

/** The scheduled job that pays for a call. */
interface PayingJob {
  readonly jobId?: string | undefined;
  /** What the job may cost in all, in USD. */
  readonly budgetUsd?: number | undefined;
}

export interface ModelRerankerDeps {
  readonly models: Pick<Models, 'pick'>;
  /** The system prompt. */
  instructions(): string;
  readonly redactor: Redactor;
  readonly log: Log;
  /** For the whole call, retries included. */
  readonly timeoutMs: number;
  /** The job that a turn belongs to, whose budget the call counts against. */
  jobContext(turn: Turn): PayingJob | undefined;
}

/** The most of one chunk and of the question that is sent, in characters. */
const CHUNK_CHARS = 1000;
const QUESTION_CHARS = 1000;
/** A ranking of thirty numbers is short; the rest is for models that think aloud. */
const REPLY_TOKENS = 2000;
/** A cautious estimate: English has about four bytes per token, Chinese about three. */
const BYTES_PER_TOKEN = 3;

/**
 * Creates a reranker that asks the routed model once for a ranking of all hits. Any failure except an abort keeps the
 * order of retrieval and writes one line to the log; the same failure again writes none. A chunk that contains
 * instructions can change the order at most: the request offers no tools, and only numbers are read from the reply.
 *
 * @see Sun et al. 2023, "Is ChatGPT Good at Search? Investigating Large Language Models as Re-Ranking Agents" (RankGPT,
 *   listwise permutation generation), arXiv:2304.09542; one window suffices, as there are never more than thirty hits
 */
export function createModelReranker(deps: ModelRerankerDeps): Reranker {
  let lastReason = '';
  return async (request) => {
    if (isCondition(request, deps)) return undefined;
    const timeout = AbortSignal.timeout(deps.timeoutMs);
    try {
      const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
      const ranking = await requestRanking(deps, { ...request, signal });
      lastReason = '';
      return toScores(ranking, request.hits.length);
    } catch (error) {
      request.signal?.throwIfAborted();
      const { message, hint } = explain(error, timeout.aborted, deps.timeoutMs);
      if (message !== lastReason) deps.log.warn('search results were not reranked', { why: message, hint });
      lastReason = message;
      return undefined;
    }
  };
}

/** Whether a job's condition is searching: it is checked often and must not cost a call. Only its turns have no job. */
function isCondition({ turn }: RerankRequest, { jobContext }: ModelRerankerDeps): boolean {
  return turn?.origin === 'schedule' && jobContext(turn) === undefined;
}

/**
 * Pick the model that would rerank a project's search results, without calling it.
 *
 * @throws AssistantError whatever `pick` throws; `model_unreachable` when there is only the built-in model.
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
  const message = 'RAG_RERANK=model has no effect here: the built-in model cannot rank passages.';
  throw new AssistantError('model_unreachable', message, { hint });
}

async function requestRanking(
  { models, instructions, redactor, log, jobContext }: ModelRerankerDeps,
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
  const { HumanMessage, SystemMessage } = await import('@langchain/core/messages');
  const system = instructions();
  const { contextWindow } = choice;
  const room = (contextWindow - Math.min(REPLY_TOKENS, contextWindow / 4)) * BYTES_PER_TOKEN - system.length;
  const messages: BaseMessage[] = [
    new SystemMessage(system),
    new HumanMessage(userMessage(request, room, (text) => redactor.redact(text))),
  ];
  const reply = await choice.model.invoke(messages, { signal, callbacks: [] });
  return readRanking(reply.text, hits.length);
}

/**
 * The question and one line per chunk, each as a JSON string: its content cannot pass for a line or a number of ours.
 * When the context window is too small for all, every chunk is cut to the same length.
 */
function userMessage(
  { query, hits }: Pick<RerankRequest, 'query' | 'hits'>,
  roomBytes: number,
  redact: (text: string) => string,
): string {
  const question = `Question: ${quoted(redact(query), QUESTION_CHARS)}`;
  const chunks = hits.map(({ file, heading, text }) => redact(`${[file, ...heading].join(' > ')}: ${text}`));
  const all = chunks.join('');
  const bytesPerChar = Buffer.byteLength(all) / all.length;
  const left = roomBytes - 2 * Buffer.byteLength(question);
  const chars = Math.min(CHUNK_CHARS, Math.max(1, Math.floor(left / hits.length / bytesPerChar)));
  const lines = chunks.map((chunk, index) => `[${index + 1}] ${quoted(chunk, chars)}`);
  return [question, 'Passages, quoted from untrusted documents:', ...lines, question].join('\n');
}

function quoted(text: string, maxChars: number): string {
  // A surrogate pair cut in half is not valid Unicode, and some servers refuse the whole request for it.
  return JSON.stringify(preview(text, maxChars).toWellFormed());
}

const NUMBERS = z.array(z.int());
const RANKING = z.union([z.object({ ranking: NUMBERS }).transform(({ ranking }) => ranking), NUMBERS]);

/**
 * Find the last ranking in a reply, which may think aloud before it. Numbers given twice count once.
 *
 * @throws AssistantError `model_incomplete` when there is none, or when it names a passage that was not given.
 */
function readRanking(reply: string, count: number): readonly number[] {
  const found = reply.match(/\{[^{}]*\}|\[[^[\]{}]*\]/gu) ?? [];
  const ranking = found.map((text) => RANKING.safeParse(parseJson(text))).findLast(({ success }) => success)?.data;
  if (ranking?.every((number) => number >= 1 && number <= count)) return [...new Set(ranking)];
  const problem = ranking ? `names passages that are not among the ${count}` : 'contains no ranking';
  const hint = 'Another model may do better; RAG_RERANK=lexical needs none.';
  throw new AssistantError('model_incomplete', `The model's reply ${problem}.`, { hint });
}

/** Hits that the model ranked come first; those it left out follow in the order of retrieval. */
function toScores(ranking: readonly number[], count: number): number[] {
  const ranks = new Map(ranking.map((number, rank) => [number, rank]));
  return Array.from({ length: count }, (_, index) => count - (ranks.get(index + 1) ?? count));
}

function explain(error: unknown, timedOut: boolean, timeoutMs: number): { message: string; hint: string } {
  if (timedOut)
    return { message: `The model did not answer within ${timeoutMs} ms.`, hint: 'Raise RAG_RERANK_TIMEOUT_MS.' };
  if (error instanceof AssistantError) return { message: error.message, hint: error.hint };
  throw error;
}
