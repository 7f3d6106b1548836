import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** What a program did to a file of its folder, in the order in which the kernel heard of it. */
type Step =
  | { readonly kind: 'write'; readonly file: string; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly size: number }
  | { readonly kind: 'sync'; readonly file: string }
  | { readonly kind: 'unlink'; readonly file: string };

/** The writes of a program, from which the disk at any moment can be put together. */
export interface Recording {
  readonly steps: readonly Step[];
}

const CALLS = 'trace=write,pwrite64,ftruncate,fsync,fdatasync,unlink';

/**
 * Run a program of `src/testing` under strace and record what it does to the files of its folder, which is its first
 * argument.
 */
export function record(program: string, ...words: readonly string[]): Recording {
  const dir = mkdtempSync(join(tmpdir(), 'wooster-power-'));
  const trace = join(dir, 'trace');
  const home = join(dir, 'home');
  mkdirSync(home);
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', join(import.meta.dirname, program), home];
  // Every byte as hex, with the path behind each descriptor.
  const strace = ['-f', '-qq', '-y', '-xx', '-s', '2000000', '-e', CALLS, '-o', trace];
  execFileSync('strace', [...strace, ...node, ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
  const lines = readFileSync(trace, 'latin1').split('\n');
  return { steps: lines.flatMap((line) => stepOf(line, home)) };
}

const CALL = /^\d+ +(\w+)\((?:\d+<([^>]*)>|"([^"]*)")(?:, (?:"([^"]*)", )?(\d+)(?:, (\d+))?)?\) += /u;

function stepOf(line: string, home: string): Step[] {
  const [, call = '', descriptor, path, data = '', first = '0', second = '0'] = CALL.exec(line) ?? [];
  const whole = bytesOf(descriptor ?? path ?? '').toString('utf8');
  if (!whole.startsWith(`${home}/`)) return [];
  const file = basename(whole);
  if (call === 'unlink') return [{ kind: 'unlink', file }];
  if (call === 'ftruncate') return [{ kind: 'truncate', file, size: Number(first) }];
  if (call === 'pwrite64') return [{ kind: 'write', file, at: Number(second), bytes: bytesOf(data) }];
  // Only the notes are written without a place: at the end.
  if (call === 'write') return [{ kind: 'write', file, at: -1, bytes: bytesOf(data) }];
  return call === '' ? [] : [{ kind: 'sync', file }];
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
}

/** What the program had noted in `file` before a step, a line each: what it had done to the world. */
export function noted({ steps }: Recording, file: string, before: number): string[] {
  const writes = steps.slice(0, before).filter((step) => step.kind === 'write' && step.file === file);
  return writes.flatMap((step) => ('bytes' in step ? step.bytes.toString('utf8').trim().split('\n') : []));
}

/**
 * Write the database as a disk has it whose power goes just before a step: all that was synced, and of the rest what
 * `survives` says; SQLite's shared memory is gone.
 */
export function cutPower(recording: Recording, before: number, into: string, survives: () => boolean): void {
  const steps = recording.steps.slice(0, before);
  const synced = new Map<string, number>();
  for (const [index, step] of steps.entries()) if (step.kind === 'sync') synced.set(step.file, index);
  const files = new Map<string, Buffer>();
  for (const [index, step] of steps.entries()) {
    const isSafe = index < (synced.get(step.file) ?? -1);
    if (step.kind === 'unlink') files.delete(step.file);
    else if (step.kind !== 'sync' && (isSafe || survives())) files.set(step.file, changed(files.get(step.file), step));
  }
  for (const [file, bytes] of files) if (file.startsWith('state.')) writeFileSync(join(into, file), bytes);
}

function changed(content: Buffer = Buffer.alloc(0), step: Extract<Step, { kind: 'write' | 'truncate' }>): Buffer {
  const size = step.kind === 'truncate' ? step.size : Math.max(content.length, step.at + step.bytes.length);
  const next = Buffer.alloc(size);
  content.copy(next);
  if (step.kind === 'write') step.bytes.copy(next, Math.max(0, step.at));
  return next;
}
