import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { storeSettings } from './stores.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PROGRAM = resolve(ROOT, 'bin/wooster');
const ON_TERMINAL = resolve(ROOT, 'scripts/on-terminal.py');

export interface Run {
  /** Data folder; every test has its own. */
  readonly home: string;
  /** For tests about the database file of a home: they stay with it on a server too. */
  readonly store?: 'sqlite';
  /** Standard input; empty unless given. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Run the real program to its end, with an environment that holds nothing of the machine's keys or servers. */
export async function wooster(args: readonly string[], run: Run): Promise<Ran> {
  const child = start(PROGRAM, args, run);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  child.stdin?.end(run.input ?? '');
  const code = await ended(child);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

/** The real program on a pseudo-terminal. */
export interface Terminal {
  type(text: string): void;
  /** What was shown so far, without escape sequences. */
  shown(): string;
  /** Wait until `text` is shown; what came before the last hit is not looked at again. */
  see(text: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  ended(): Promise<number | null>;
}

/** Start the REPL on a terminal of 80 columns; it is ended with the test at the latest. */
export function woosterOnTerminal(args: readonly string[], run: Run): Terminal {
  const child = start('python3', [ON_TERMINAL, PROGRAM, ...args], run);
  const output = collect(child.stdout);
  const shown = () => stripVTControlCharacters(output.text).replaceAll('\r', '');
  let seen = 0;
  const end = ended(child);
  onTestFinished(() => {
    // Its terminal goes with it, and the program is hung up.
    child.kill('SIGKILL');
  });
  return {
    type: (text) => child.stdin?.write(text),
    shown,
    signal: (name) => child.kill(name),
    ended: () => end,
    async see(text) {
      while (shown().indexOf(text, seen) < 0) {
        const more = await Promise.race([output.more(), end.then(() => 'end' as const)]);
        if (more === 'end' && shown().indexOf(text, seen) < 0) throw new Error(`never seen: ${text}\n${shown()}`);
      }
      seen = shown().indexOf(text, seen) + text.length;
    },
  };
}

/** Every `--json` line as an object. */
export function rows(stdout: string): Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Jobs of `schedule list --json`, without those that plugins bring: a test must not depend on which are bundled. */
export function ownJobs(stdout: string): Record<string, unknown>[] {
  return rows(stdout).filter(({ taskKey = null }) => taskKey === null);
}

function start(program: string, args: readonly string[], run: Run): ChildProcess {
  return spawn(program, args, { cwd: run.cwd ?? run.home, env: childEnvironment(run), stdio: 'pipe' });
}

/** What a program is started with: its home and its store, and nothing of the machine's keys or servers. */
export function childEnvironment({ home, store, env }: Pick<Run, 'home' | 'store' | 'env'>): NodeJS.ProcessEnv {
  const { PATH, HOME, TZ, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const own = { ROUTING_LOCAL_ENABLED: 'false', WOOSTER_HOME: home, ...storeSettings(home, store) };
  return { PATH, HOME, TZ, TMPDIR, NODE_COMPILE_CACHE, ...own, ...env };
}

function collect(stream: NodeJS.ReadableStream | null): { text: string; more(): Promise<void> } {
  const collected = {
    text: '',
    more: () => new Promise<void>((resolve) => stream?.once('data', () => resolve())),
  };
  stream?.setEncoding('utf8').on('data', (part: string) => {
    collected.text += part;
  });
  return collected;
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}
