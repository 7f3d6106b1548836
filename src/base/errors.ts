/** Every code a person can meet. Closed: a test matches this list to docs/errors.md. */
export const ERROR_CODES = [
  'bad_setting',
  'bad_usage',
  'home_not_writable',
  'store_unavailable',
  'store_damaged',
  'unknown_conversation',
  'unknown_project',
  'unknown_command',
  'unknown_tool',
  'file_not_found',
  'path_refused',
  'model_unreachable',
  'model_rejected',
  'model_incomplete',
  'model_missing_package',
  'context_overflow',
  'local_only',
  'budget_reached',
  'sandbox_unavailable',
  'bad_time',
  'unknown_schedule',
  'unknown_channel',
  'not_sent',
  'egress_refused',
  'egress_failed',
  'plugin_broken',
  'index_unavailable',
  'index_busy',
  'workspace_unavailable',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorDetails {
  /** What the person can do about it, one sentence. */
  readonly hint: string;
  readonly cause?: unknown;
}

/** A failure that a person can act on: the message says what happened, the hint what to do. */
export class AssistantError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;

  constructor(code: ErrorCode, message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'AssistantError';
    this.code = code;
    this.hint = details.hint;
  }
}

/** The message of anything thrown, without a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
