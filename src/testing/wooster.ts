import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import xterm from '@xterm/headless';
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

/** The real program on a pseudo-terminal, with a terminal emulator that shows what it draws. */
export interface Terminal {
  type(text: string): void;
  /** All rows so far, those scrolled away and those at the bottom included. */
  shown(): string;
  /** Wait until `text` is shown, wrapped or not; what came before the last hit is not looked at again. */
  see(text: string): Promise<void>;
  /** Everything that was written, escape sequences included. */
  bytes(): string;
  signal(name: NodeJS.Signals): void;
  ended(): Promise<number | null>;
}

/** Start the REPL on a terminal of 80 columns; it is ended with the test at the latest. */
export function woosterOnTerminal(args: readonly string[], run: Run): Terminal {
  const child = start('python3', [ON_TERMINAL, PROGRAM, ...args], run);
  const emulator = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true, scrollback: 10_000 });
  emulator.onData((answer) => child.stdin?.write(answer));
  const output = collect(child.stdout, (part) => emulator.write(part));
  const drawn = () => new Promise<void>((resolve) => emulator.write('', resolve));
  const shown = () => {
    const { active } = emulator.buffer;
    const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '');
    return rows.join('\n').trimEnd();
  };
  let seen = 0;
  const find = async (text: string) => {
    await drawn();
    // The prompt ends with a blank, which rows do not keep.
    return `${shown()} `.replaceAll('\n', ' ').indexOf(text, seen);
  };
  const end = ended(child);
  onTestFinished(() => {
    // Its terminal goes with it, and the program is hung up.
    child.kill('SIGKILL');
  });
  return {
    type: (text) => child.stdin?.write(text),
    shown,
    bytes: () => output.text,
    signal: (name) => child.kill(name),
    async ended() {
      const code = await end;
      await drawn();
      return code;
    },
    async see(text) {
      let at = await find(text);
      while (at < 0) {
        const more = await Promise.race([output.more(), end.then(() => 'end' as const)]);
        at = await find(text);
        if (more === 'end' && at < 0) throw new Error(`never seen: ${text}\n${shown()}`);
      }
      seen = at + text.length;
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

function collect(
  stream: NodeJS.ReadableStream | null,
  onPart: (part: string) => void = () => {},
): { text: string; more(): Promise<void> } {
  let told = Promise.withResolvers<void>();
  const collected = { text: '', more: () => told.promise };
  stream?.setEncoding('utf8').on('data', (part: string) => {
    collected.text += part;
    onPart(part);
    told.resolve();
    told = Promise.withResolvers<void>();
  });
  return collected;
}

function ended(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}
