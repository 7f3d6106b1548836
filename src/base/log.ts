/**
 * The log that every module is given. Messages and fields are redacted before they are written, but redaction is only a
 * safety net: never log whole settings. Debug lines are written on request only.
 */
export interface Log {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** A log that drops everything. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
