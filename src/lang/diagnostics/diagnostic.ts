import type { Location } from '../grammar/location.ts';
import { CODES, type DiagnosticCode } from './codes.ts';

export type Severity = 'error' | 'warning';

/** One error or warning about a program. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** What is wrong, without a full stop: `there is no variable \`pirce\``. */
  readonly message: string;
  /** What to do about it, one sentence. */
  readonly hint?: string;
  /** The path as given; empty for a text without a file. */
  readonly file: string;
  readonly location: Location;
  /** An edit that does what the hint says. */
  readonly fix?: Fix;
}

export interface Fix {
  /** Imperative, no full stop: ``Write `price` ``. */
  readonly title: string;
  readonly location: Location;
  /** What to put in place of that text. */
  readonly text: string;
}

/** What a diagnostic has besides its code, message, file and location. */
export interface DiagnosticExtras {
  readonly hint?: string | undefined;
  readonly fix?: Fix | undefined;
}

/** Collects the diagnostics of one file. */
export class Diagnostics {
  readonly file: string;
  readonly list: Diagnostic[] = [];
  readonly #noted = new Set<string>();

  constructor(file: string) {
    this.file = file;
  }

  /** Add a diagnostic, unless the same one was added for the same location. */
  add(code: DiagnosticCode, location: Location, message: string, { hint, fix }: DiagnosticExtras = {}): void {
    const key = `${code} ${location.start.offset}`;
    if (this.#noted.has(key)) return;
    this.#noted.add(key);
    const { severity } = CODES[code];
    const extras = { ...(hint !== undefined && { hint }), ...(fix && { fix }) };
    this.list.push({ code, severity, message, ...extras, file: this.file, location });
  }

  /** In source order. */
  sorted(): readonly Diagnostic[] {
    return this.list.toSorted((a, b) => a.location.start.offset - b.location.start.offset);
  }
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}
