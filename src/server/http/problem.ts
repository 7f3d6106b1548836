import type { Context } from 'hono';
import { z } from 'zod';
import { AssistantError, messageOf } from '../../base/errors.ts';
import type { CommandResult } from '../../face/doors.ts';
import { errorEvent } from '../../face/error-event.ts';
import { lingering } from './linger.ts';

/** A request that is refused, with its status. */
export class Refused extends Error {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503;
  readonly code: string;
  readonly hint: string;

  constructor(status: Refused['status'], code: string, message: string, hint = '') {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
  }
}

/** @throws Refused 400 naming each field that is wrong, in one line. */
export function checked<T>(schema: z.ZodType<T>, body: unknown): T {
  const read = schema.safeParse(body);
  if (read.success) return read.data;
  const told = read.error.issues.map(
    ({ path, message }) => `${path.length > 0 ? `${z.core.toDotPath(path)}: ` : ''}${message}`,
  );
  throw new Refused(400, 'bad_body', `${told.join('; ')}.`);
}

/** A command that failed, as the client is told. @param more where it said nothing of its own. */
export function refusedCommand({ problem, text }: CommandResult, status: Refused['status'], code = 'failed'): Refused {
  return problem
    ? new Refused(status, problem.code, problem.message, problem.hint)
    : new Refused(status, code, text.trim());
}

/** What every error looks like to a client. */
export interface Problem {
  readonly error: { readonly code: string; readonly message: string; readonly hint: string };
}

/** Errors of the owner's are theirs to read; anything unforeseen is told without a stack. */
function problemOf(error: unknown): { readonly status: number; readonly problem: Problem } {
  if (error instanceof Refused) {
    const { status, code, message, hint } = error;
    return { status, problem: { error: { code, message, hint } } };
  }
  const { code, message, hint } = errorEvent(error);
  return {
    status: error instanceof AssistantError ? (STATUS[code] ?? 400) : 500,
    problem: { error: { code, message, hint } },
  };
}

/** Answer with what went wrong. @param log  what is unforeseen. */
export function answerProblem(error: unknown, c: Context, log: (told: { readonly error: string }) => void): Response {
  const { status, problem } = problemOf(error);
  if (status === 500) log({ error: messageOf(error) });
  // The rest of such a body is not read: no other request can follow it.
  if (status === 413) {
    c.header('connection', 'close');
    lingering(c);
  }
  return c.json(problem, status as 500);
}

export function answerNothing(c: Context): Response {
  return c.json(problemOf(new Refused(404, 'not_found', 'There is nothing here.')).problem, 404);
}

const STATUS: Readonly<Record<string, number>> = {
  unknown_conversation: 404,
  unknown_project: 404,
  unknown_schedule: 404,
  file_not_found: 404,
  store_unavailable: 503,
  home_not_writable: 503,
  project_busy: 503,
  internal: 500,
};
