import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { makeFolder } from '../../base/folders.ts';
import { sha256 } from '../../base/json.ts';
import type { Redactor } from '../../base/redact.ts';
import type { HostFunction, ScriptResult } from '../../sandbox/contract.ts';
import type { WorldCall } from './world.ts';

const FUNCTION = z.object({
  name: z.string(),
  kind: z.enum(['value', 'fire', 'batch']),
  tool: z.boolean().optional(),
  global: z.boolean().optional(),
});

const LINE = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('script'),
    at: z.string(),
    script: z.int(),
    /** SHA-256 of the source as the model wrote it. */
    hash: z.string(),
    source: z.string(),
    seed: z.int(),
    memory: z.record(z.string(), z.unknown()),
    globals: z.record(z.string(), z.unknown()),
    modules: z.record(z.string(), z.string()),
    functions: z.array(FUNCTION),
  }),
  z.object({
    type: z.literal('call'),
    script: z.int(),
    name: z.string(),
    args: z.array(z.unknown()),
    ok: z.boolean(),
    value: z.unknown(),
    error: z.string().optional(),
  }),
  z.object({
    type: z.literal('result'),
    script: z.int(),
    value: z.unknown(),
    failed: z.object({ reason: z.string(), message: z.string(), line: z.number().optional() }).optional(),
    logs: z.array(z.string()),
    ms: z.number(),
  }),
]);

export type TraceLine = z.infer<typeof LINE>;
export type TracedScript = Extract<TraceLine, { type: 'script' }>;
export type TracedCall = Extract<TraceLine, { type: 'call' }>;
export type TracedResult = Extract<TraceLine, { type: 'result' }>;

/** Everything that determines what a script does, apart from its calls. */
export interface ScriptStart {
  readonly source: string;
  readonly at: Date;
  readonly seed: number;
  readonly memory: Readonly<Record<string, unknown>>;
  readonly globals: Readonly<Record<string, unknown>>;
  readonly modules: Readonly<Record<string, string>>;
  readonly functions: readonly HostFunction[];
}

/** Hides secrets in what is written. */
export type TraceRedactor = Pick<Redactor, 'redactValue'>;

/** Writes what the scripts of one turn did to one file, one JSON line per event. Secrets are redacted. */
export class Trace {
  #path: string | undefined;
  readonly #redactor: TraceRedactor | undefined;
  #script = 0;

  /** @param dir without it nothing is written. */
  constructor(dir: string | undefined, turnId: string, redactor: TraceRedactor | undefined) {
    this.#path = dir === undefined ? undefined : pathOf(dir, turnId);
    this.#redactor = redactor;
  }

  /** Record the start of a script, with everything that is needed to run it again. */
  script({ source, at, functions, ...start }: ScriptStart): void {
    this.#script += 1;
    const kept = functions.map(({ name, kind, tool, global }) => ({ name, kind, tool, global }));
    this.#write({
      type: 'script',
      ...start,
      at: at.toISOString(),
      script: this.#script,
      hash: sha256(source),
      source,
      functions: kept,
    });
  }

  /** Record a call of the current script. */
  call({ name, args, reply }: WorldCall): void {
    const outcome = reply.ok
      ? { ok: true, value: reply.value ?? null }
      : { ok: false, value: null, error: reply.error };
    this.#write({ type: 'call', script: this.#script, name, args: [...args], ...outcome });
  }

  /** Record the end of the current script. */
  result({ value, failed, logs, ms }: ScriptResult): void {
    this.#write({
      type: 'result',
      script: this.#script,
      value: value ?? null,
      ...(failed
        ? { failed: { reason: failed.reason, message: failed.message, ...(failed.line ? { line: failed.line } : {}) } }
        : {}),
      logs: [...logs],
      ms: Math.round(ms),
    });
  }

  #write(line: TraceLine): void {
    if (this.#path === undefined) return;
    const clean = this.#redactor?.redactValue(line) ?? line;
    try {
      makeFolder(dirname(this.#path));
      appendFileSync(this.#path, `${JSON.stringify(clean)}\n`);
    } catch {
      // A turn does not fail for want of its trace; a part of one would be worse than none.
      this.#path = undefined;
    }
  }
}

/**
 * Read the trace of a turn, in the order in which it was written.
 *
 * @throws AssistantError `file_not_found` when no script of that turn was recorded.
 */
export function readTrace(dir: string, turnId: string): TraceLine[] {
  const path = pathOf(dir, turnId);
  if (!existsSync(path)) {
    throw new AssistantError('file_not_found', `There is no trace of turn "${turnId}".`, {
      hint: 'Only turns that ran scripts have one. Their ids are the file names in logs/scripts/.',
    });
  }
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => LINE.parse(JSON.parse(line)));
}

function pathOf(dir: string, turnId: string): string {
  return join(dir, `${turnId.replace(/[^\w.-]/gu, '_')}.jsonl`);
}
