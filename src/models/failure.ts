import { AssistantError, type ErrorDetails, messageOf } from '../base/errors.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { pattern } from '../base/pattern.ts';
import { cut } from '../base/text.ts';
import { ModelHttpError } from './guard-fetch.ts';

/** Why an attempt failed, sorted by what can be done about it. */
export type FailureKind =
  | 'key'
  | 'quota'
  | 'rate_limit'
  | 'not_found'
  | 'package'
  | 'request'
  | 'too_long'
  | 'server'
  | 'refused'
  | 'host'
  | 'gateway'
  | 'network'
  | 'silent'
  | 'deadline'
  | 'malformed'
  | 'not_a_model'
  | 'too_large'
  | 'empty'
  | 'incomplete'
  | 'crashed'
  | 'memory'
  | 'file'
  | 'unforeseen';

export interface Failure {
  readonly kind: FailureKind;
  /** One sentence without a subject, for example `answered 401: invalid key`. Not yet redacted. */
  readonly reason: string;
  readonly retryAfterMs?: number | undefined;
  readonly cause: unknown;
}

/** Requests per candidate, the first included; kinds that are not listed go to the next candidate at once. */
const REQUESTS: Readonly<Partial<Record<FailureKind, number>>> = {
  rate_limit: 3,
  server: 3,
  refused: 2,
  network: 3,
  silent: 2,
  malformed: 2,
  empty: 2,
  incomplete: 2,
  crashed: 2,
};

export function maxRequests(kind: FailureKind): number {
  return REQUESTS[kind] ?? 1;
}

/** True when asking another model would not help. */
export function isFinal(kind: FailureKind): boolean {
  return kind === 'too_long' || kind === 'deadline';
}

/** Nobody is there, or nobody who can answer now; whoever says no, such as to a key, has been reached. */
const UNREACHABLE: ReadonlySet<FailureKind> = new Set([
  ...['refused', 'host', 'network', 'server', 'silent', 'deadline', 'crashed', 'memory', 'file'],
] as const);

export function isAway(kind: FailureKind): boolean {
  return UNREACHABLE.has(kind);
}

/** No model could be reached: not one of those that were tried has answered, not even with a refusal. */
export class NobodyThere extends AssistantError {
  constructor(message: string, details: ErrorDetails) {
    super('model_unreachable', message, details);
  }
}

/** A reply that we reject ourselves: silent, empty, incomplete or out of time. */
export class ReplyError extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string) {
    super(message);
    this.name = 'ReplyError';
    this.kind = kind;
  }
}

/** Providers have no common code for a full context window, so their own wording has to do. */
const TOO_LONG = new RegExp(
  [
    'context[_ ]length[_ ]exceeded|maximum context length|context window|exceed_context_size',
    'prompt is too long|exceeds? the (?:available )?context|too many tokens|input is too long',
  ].join('|'),
  'iu',
);
/** The window itself in such a message, as opposed to the size of the request. */
const WINDOW = pattern(
  'iu',
  '(?:maximum context length (?:is|of)|context (?:window|size|length)(?: is',
  String.raw`| of|:)?|"?n_ctx"?\s*[:=]|maximum (?:is|of)|max(?:imum)? tokens allowed:?)\s*\(?`,
  String.raw`(\d[\d,]{2,8})`,
);

/** The model's context window, if it named it when refusing a request as too long. */
export function windowSaid({ kind, reason, cause }: Failure): number | undefined {
  if (kind !== 'too_long') return undefined;
  const wire = findCause(cause, (each) => each instanceof ModelHttpError);
  const text = wire instanceof ModelHttpError ? wire.body : reason;
  const digits = (WINDOW.exec(text) ?? WINDOW.exec(reason))?.[1];
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''));
}

/** A 429 that waiting does not cure: the account is out of credit. */
const SPENT = /insufficient_quota|billing_hard_limit|credit balance|exceeded your current quota|payment required/iu;

/** What the wire guard saw of an attempt, before an SDK reworded it. */
export interface Witness {
  /** The original of whatever the SDK made of it. */
  readonly fault: ModelHttpError | undefined;
  /** The server had begun to answer, so what came is what is wrong. */
  readonly answered: boolean;
}

/** Sort any error of an attempt. Prefers the wire guard's original over what the SDK made of it. */
export function diagnose(error: unknown, { fault, answered }: Witness): Failure {
  const wire = fault ?? findCause(error, (each) => each instanceof ModelHttpError);
  if (wire instanceof ModelHttpError) return ofWire(wire, error);
  const ours = findCause(error, (each) => each instanceof ReplyError);
  if (ours instanceof ReplyError) return { kind: ours.kind, reason: ours.message, cause: error };
  return ofNetwork(error) ?? ofStream(error, answered);
}

function ofWire(wire: ModelHttpError, cause: unknown): Failure {
  const reason = `answered ${wire.status}${summary(wire.body)}`;
  if (wire.fault === 'too_large')
    return { kind: 'too_large', reason: 'sent a longer answer than Wooster accepts', cause };
  if (wire.fault === 'content_type') {
    return { kind: 'not_a_model', reason: `answered with something other than JSON${summary(wire.body)}`, cause };
  }
  const { retryAfterMs } = wire;
  const wait = retryAfterMs === undefined ? '' : ` and asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
  return { kind: ofStatus(wire), reason: `${reason}${wait}`, retryAfterMs, cause };
}

function ofStatus({ status, body }: ModelHttpError): FailureKind {
  if (TOO_LONG.test(body) && [400, 413, 422, 500].includes(status)) return 'too_long';
  if (status === 402 || (status === 429 && SPENT.test(body))) return 'quota';
  if (status === 401 || status === 403) return 'key';
  if (status === 404) return 'not_found';
  if (status === 413) return 'too_long';
  if (status === 429) return 'rate_limit';
  return status === 408 || status === 409 || status === 425 || status >= 500 ? 'server' : 'request';
}

const NETWORK: Readonly<Record<string, { readonly kind: FailureKind; readonly reason: string }>> = {
  ECONNREFUSED: { kind: 'refused', reason: 'refused the connection; is the server running?' },
  ENOTFOUND: { kind: 'host', reason: 'has a host name that cannot be found' },
  EAI_AGAIN: { kind: 'network', reason: 'has a host name that could not be looked up' },
  ECONNRESET: { kind: 'network', reason: 'broke off the connection' },
  EPIPE: { kind: 'network', reason: 'broke off the connection' },
  ETIMEDOUT: { kind: 'network', reason: 'could not be reached in time' },
  UND_ERR_SOCKET: { kind: 'network', reason: 'broke off the connection' },
  UND_ERR_CONNECT_TIMEOUT: { kind: 'network', reason: 'could not be reached in time' },
  UND_ERR_HEADERS_TIMEOUT: { kind: 'silent', reason: 'did not start to answer' },
  UND_ERR_BODY_TIMEOUT: { kind: 'silent', reason: 'fell silent' },
};

function ofNetwork(error: unknown): Failure | undefined {
  const found = findCause(error, (each) => isRecord(each) && typeof each.code === 'string' && each.code in NETWORK);
  const known = isRecord(found) ? NETWORK[String(found.code)] : undefined;
  if (known) return { ...known, cause: error };
  const refused = findCause(error, (each) => each instanceof AssistantError);
  if (refused instanceof AssistantError) {
    if (refused.code === 'model_missing_package')
      return { kind: 'package', reason: `cannot be used: ${refused.message}`, cause: refused };
    if (refused.code === 'egress_refused')
      return { kind: 'gateway', reason: `was not reached: ${refused.message}`, cause: refused };
    return {
      kind: refused.code === 'egress_failed' ? 'network' : 'host',
      reason: `was not reached: ${refused.message}`,
      cause: error,
    };
  }
  return undefined;
}

/** The rest: SDK errors about the contents of a stream, and our own bugs. */
function ofStream(error: unknown, answered: boolean): Failure {
  const reason = `sent something unreadable: ${messageOf(error)}`;
  if (findCause(error, (each) => each instanceof SyntaxError)) return { kind: 'malformed', reason, cause: error };
  const api = findCause(error, (each) => isRecord(each) && each.error !== undefined && 'headers' in each);
  if (api) {
    const kind = TOO_LONG.test(messageOf(error)) ? 'too_long' : SPENT.test(messageOf(error)) ? 'quota' : 'server';
    return { kind, reason: `reported an error: ${messageOf(error)}`, cause: error };
  }
  const terminated = findCause(
    error,
    (each) => each instanceof TypeError && /terminated|fetch failed|network/iu.test(each.message),
  );
  if (terminated) return { kind: 'network', reason: 'broke off the connection', cause: error };
  // A bundler may put a line before the name of a class.
  const connection = findCause(
    error,
    (each) => each instanceof Error && /^_?APIConnection/u.test(each.constructor.name),
  );
  if (connection) return { kind: 'network', reason: 'could not be reached', cause: error };
  // SDKs crash on answers that lack the fields they read.
  return { kind: answered ? 'malformed' : 'unforeseen', reason, cause: error };
}

/** The first error in the chain of causes that matches; the depth limit guards against cyclic chains. */
function findCause(error: unknown, wanted: (each: unknown) => boolean): unknown {
  let each = error;
  for (let depth = 0; depth < 8 && each !== undefined && each !== null; depth++) {
    if (wanted(each)) return each;
    each = (each as { cause?: unknown }).cause;
  }
  return undefined;
}

/** The server's own message, from the usual JSON shapes or else the raw text, as one short line. */
function summary(body: string): string {
  const text = (wordsOf(body) ?? body)
    .replace(/<[^<>]*>/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  return text === '' ? '' : `: ${cut(text, 200)}`;
}

function wordsOf(body: string): string | undefined {
  const json = parseJson(body);
  const inner = isRecord(json) ? (json.error ?? json) : undefined;
  if (typeof inner === 'string') return inner;
  return isRecord(inner) && typeof inner.message === 'string' ? inner.message : undefined;
}

/** Whether a model failed with an empty reply: rephrasing may then help. */
export function isEmptyReply(error: unknown): boolean {
  const ours = findCause(error, (each) => each instanceof ReplyError);
  return ours instanceof ReplyError && ours.kind === 'empty';
}

/** Whether a turn ends because no model gave an answer to it. */
export function isModelFailure(error: unknown): error is AssistantError {
  return error instanceof AssistantError && error.code.startsWith('model_');
}

/** Whether a model timed out before its answer was complete. */
export function isTimeout(error: unknown): boolean {
  const ours = findCause(error, (each) => each instanceof ReplyError);
  return ours instanceof ReplyError && (ours.kind === 'deadline' || ours.kind === 'silent');
}

/** Whether a server refused a request as malformed, as those do that take no JSON Schema. */
export function isRefusedRequest(error: unknown): boolean {
  const wire = findCause(error, (each) => each instanceof ModelHttpError);
  return wire instanceof ModelHttpError && (wire.status === 400 || wire.status === 422);
}

const CODES: Readonly<Partial<Record<FailureKind, AssistantError['code']>>> = {
  key: 'model_rejected',
  quota: 'model_rejected',
  gateway: 'egress_refused',
  not_found: 'model_rejected',
  package: 'model_missing_package',
  request: 'model_rejected',
  too_long: 'context_overflow',
  malformed: 'model_incomplete',
  too_large: 'model_incomplete',
  empty: 'model_incomplete',
  incomplete: 'model_incomplete',
};

const HINTS: Readonly<Partial<Record<FailureKind, string>>> = {
  key: 'Check the key in .env; `wooster models` shows which variable it comes from.',
  quota: 'Add credit with the provider, or switch with /model NAME.',
  rate_limit: 'Wait a little, or switch with /model NAME.',
  not_found: 'Check the model name and the address in .env; `wooster models` shows both.',
  request: 'Switch with /model NAME, or start a /new conversation.',
  too_long: 'Use /compact to shorten the conversation, or a model with a larger window.',
  not_a_model: 'Check the address in .env: most servers want it to end in /v1.',
  empty: 'The server answers without a word: look at its log and its chat template, or switch with /model NAME.',
  deadline: 'Raise MODEL_TIMEOUT_MS, or switch with /model NAME.',
  crashed: 'Try again; if it keeps ending, choose another model: wooster models list.',
  memory: 'Close other programs, set LOCAL_MODEL_CONTEXT_TOKENS lower, or install a smaller model.',
  file: 'Remove it and install it again: wooster models remove NAME, then wooster models install NAME.',
  silent: 'Raise MODEL_IDLE_TIMEOUT_MS for slow servers, or switch with /model NAME.',
};

function hintOf(kind: FailureKind, keyName: string | undefined): string | undefined {
  return kind === 'key' && keyName !== undefined ? `Check the key in ${keyName}, for example in .env.` : HINTS[kind];
}

/** A candidate that gave no answer. */
export interface Tried {
  /** One line, redacted. */
  readonly summary: string;
  readonly kind: FailureKind;
}

/**
 * What a person is told when no candidate is left.
 *
 * @param keyName the variable that holds the key of the last one.
 */
export function explain(failure: Failure, tried: readonly Tried[], keyName?: string): AssistantError {
  const { kind, cause } = failure;
  const usual = 'Check that the server runs and OPENAI_BASE_URL (or the key) is right, or switch with /model NAME.';
  const hint =
    (kind === 'package' || kind === 'gateway') && cause instanceof AssistantError
      ? cause.hint
      : (hintOf(kind, keyName) ?? usual);
  const message = `No answer: ${tried.map(({ summary }) => summary).join('; ')}.`;
  if (tried.every((each) => isAway(each.kind))) return new NobodyThere(message, { hint, cause });
  return new AssistantError(CODES[kind] ?? 'model_unreachable', message, { hint, cause });
}
