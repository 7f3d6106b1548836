import { AssistantError, messageOf } from '../../base/errors.ts';

/** The error code of PostgreSQL or the system: https://www.postgresql.org/docs/current/errcodes-appendix.html */
function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** The cause behind an explained error. */
function rootOf(error: unknown): unknown {
  return error instanceof AssistantError ? error.cause : error;
}

/** Serialization failure, deadlock, and waiting too long for a lock. */
const CONFLICTS = new Set(['40001', '40P01', '55P03']);
/** The server is shutting down or starting up, or the connection broke. */
const LOST = /^(?:57P0[1-3]|08...|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT)$/u;
const LOST_WITHOUT_CODE = /^Connection terminated/u;
/** The connection was known to be broken, so the statement was not sent. */
const NOT_SENT = /^Client has encountered a connection error/u;
/** What pg reports for a timeout. A retry would take as long again. */
const TIMED_OUT = /timeout/u;

/** A newer program changed the tables while a statement on them was prepared. */
export function isOutdatedPlan(error: unknown): boolean {
  return codeOf(error) === '0A000' && messageOf(error).includes('cached plan');
}

/**
 * Whether a transaction may succeed on a retry. When the connection broke while `committing`, nobody knows whether the
 * commit went through, so it is not retried.
 */
export function isConflict(error: unknown, committing: boolean): boolean {
  const root = rootOf(error);
  if (CONFLICTS.has(codeOf(root)) || isOutdatedPlan(root) || NOT_SENT.test(messageOf(root))) return true;
  return !committing && isLost(root);
}

/** Whether the server did not answer in time. */
export function isSilence(error: unknown): boolean {
  return TIMED_OUT.test(messageOf(rootOf(error)));
}

function isLost(error: unknown): boolean {
  const message = messageOf(error);
  return LOST.test(codeOf(error)) || (LOST_WITHOUT_CODE.test(message) && !TIMED_OUT.test(message));
}

interface Explanation {
  readonly when: RegExp;
  readonly message: (server: string) => string;
  readonly hint: string;
}

/** By code, or by the start of the message where there is no code. */
const EXPLANATIONS: readonly Explanation[] = [
  {
    when: /^(?:28P01|28000|SASL)/u,
    message: (server) => `The database server ${server} refused the login.`,
    hint: 'Check the user and the password in WOOSTER_STORE_URL.',
  },
  {
    when: /^3D000/u,
    message: (server) => `There is no database ${server}.`,
    hint: 'Check the name in WOOSTER_STORE_URL, or create it: createdb NAME.',
  },
  {
    when: /^42501/u,
    message: (server) => `The role may not do this on the database ${server}.`,
    hint: 'Use a role that may create tables, or let one of those run `wooster store migrate`.',
  },
  {
    when: /^42P07/u,
    message: (server) => `The database ${server} has tables of another program.`,
    hint: 'Create a database of its own: createdb NAME.',
  },
  {
    when: /^53300/u,
    message: (server) => `The database server ${server} has no connection left.`,
    hint: 'Lower WOOSTER_STORE_POOL, or raise max_connections of the server.',
  },
  {
    when: /^(?:25006|55000)/u,
    message: (server) => `The database server ${server} is a read-only replica.`,
    hint: 'Give WOOSTER_STORE_URL the primary server.',
  },
];

/** Sort an error of connecting or opening by what the user can do about it. `server` is shown: see `serverOf`. */
export function explain(server: string, error: unknown): unknown {
  if (error instanceof AssistantError) return error;
  const what = codeOf(error) || messageOf(error);
  const known = EXPLANATIONS.find(({ when }) => when.test(what));
  if (known) return new AssistantError('store_unavailable', known.message(server), { hint: known.hint, cause: error });
  const message = `The database server ${server} cannot be used: ${messageOf(error) || what}.`;
  const hint = 'Check that it is running and that WOOSTER_STORE_URL is right; `wooster store check` tells more.';
  return new AssistantError('store_unavailable', message, { hint, cause: error });
}

/**
 * `host:port/database` of a URL, without the user and the password.
 *
 * @throws AssistantError `bad_setting` when it is no PostgreSQL URL.
 */
export function serverOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && /^postgres(?:ql)?:$/u.test(parsed.protocol)) return `${parsed.host}${parsed.pathname}`;
  throw new AssistantError('bad_setting', 'WOOSTER_STORE_URL is not the URL of a PostgreSQL database.', {
    hint: 'It looks like postgres://USER:PASSWORD@HOST:5432/DATABASE.',
  });
}
