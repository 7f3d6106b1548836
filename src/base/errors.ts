/**
 * Every error code that users can see, also in `--json` output, so none is ever renamed.
 *
 * The list is closed: a test compares it with docs/errors.md.
 */
export const ERROR_CODES = [
  'bad_setting',
  'bad_usage',
  'home_not_writable',
  'home_moved',
  'store_unavailable',
  'store_damaged',
  'stores_differ',
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
  'model_not_installed',
  'context_overflow',
  'local_only',
  'budget_reached',
  'sandbox_unavailable',
  'bad_time',
  'unknown_schedule',
  'unknown_channel',
  'not_sent',
  'not_received',
  'egress_refused',
  'egress_failed',
  'plugin_broken',
  'program_failed',
  'program_changed',
  'index_unavailable',
  'index_busy',
  'project_busy',
  'server_refused',
  'server_unreachable',
  'workspace_unavailable',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** What a text says, as data: for whoever decides by it, or says it in another language. */
export interface Told {
  readonly code: string;
  /** JSON. */
  readonly values: Readonly<Record<string, unknown>>;
}

export interface ErrorDetails {
  /** What the user can do about it, in one sentence. */
  readonly hint: string;
  /** A time has no single meaning, or none was given: only the person can tell which. */
  readonly unclear?: true;
  /** What the message says; absent: only the code of the error is known. */
  readonly told?: Told | undefined;
  /** The error underneath, for the log. */
  readonly cause?: unknown;
}

/**
 * A failure that the user can act on: the message says what happened, the hint what to do about it.
 *
 * Both are shown as they are, so neither may contain a secret. Anything that only a developer can fix is a plain
 * `Error`.
 */
export class AssistantError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly unclear: boolean;
  readonly told: Told | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'AssistantError';
    this.code = code;
    this.hint = details.hint;
    this.unclear = details.unclear ?? false;
    this.told = details.told;
  }
}

/** The message of anything thrown, without a stack. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
