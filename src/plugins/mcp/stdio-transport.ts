import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isRecord, parseJson } from '../../base/json.ts';
import { cutTail } from '../../base/text.ts';
import { tooHeavy } from './json-weight.ts';
import { LineReader, MAX_LINE_BYTES } from './line-reader.ts';

/** How a server is started. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables in addition to the few that every program needs. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
}

/** How long a server gets to end after its input is closed, and after SIGTERM, before it is killed. */
const END_OF_INPUT_MS = 300;
const TERMINATE_MS = 500;
/** How long to wait for its exit code after its input has broken. */
const LAST_WORDS_MS = 200;
const KEPT_STDERR_CHARS = 4096;
/** A message begins with a brace. */
const RECORD = 0x7b;
/** What a program needs to run at all; nothing else of our environment is passed on. */
const PASSED_ON = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];
const PASSED_ON_WINDOWS = ['APPDATA', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT', 'SYSTEMROOT', 'TEMP'];

/**
 * One server over its standard streams. Our own, since the SDK's leaves a server's child processes behind, and
 * reads lines without a limit.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #command: ServerCommand;
  readonly #onStderr: (text: string) => void;
  #child: ChildProcess | undefined;
  #reader: LineReader | undefined;
  #stderr = '';
  #closing: Promise<void> | undefined;
  #ended: string | undefined;

  /** @param onStderr gets what the server writes to standard error. */
  constructor(command: ServerCommand, onStderr: (text: string) => void = () => {}) {
    this.#command = command;
    this.#onStderr = onStderr;
  }

  /** Why the server has ended; undefined while it runs. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** The last lines of the server's log. */
  get stderr(): string {
    return this.#stderr.trim();
  }

  /** Its process; undefined before the start. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#command;
    const child = spawn(command, [...args], {
      env: { ...basicEnvironment(), ...env },
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ['pipe', 'pipe', 'pipe'],
      // A process group of its own, so that its child processes can be ended with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    this.#listen(child);
    await once(child, 'spawn');
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin;
    if (!input || this.#ended !== undefined || !input.writable)
      throw new Error(this.#ended ?? 'the server is not running');
    if (input.write(`${JSON.stringify(message)}\n`)) return;
    await Promise.race([once(input, 'drain'), once(input, 'close')]).catch(() => undefined);
  }

  /** Like `close`, with a reason. */
  stop(why: string): void {
    this.#end(why);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #listen(child: ChildProcess): void {
    child.on('error', (error) => this.#end(`it does not start: ${error.message}`));
    let how = 'it no longer reads its input';
    const end = () => this.#end(how);
    child.on('exit', (code, signal) => {
      how = signal ? `it was ended by ${signal}` : `it ended with code ${code}`;
      // Its last output may arrive after it has ended; its child processes may keep the pipe open.
      child.once('close', end);
      setTimeout(end, LAST_WORDS_MS).unref();
    });
    // Its exit code says more than that it no longer reads.
    child.stdin?.on('error', () => setTimeout(end, LAST_WORDS_MS).unref());
    child.stdout?.on('error', (error) => this.onerror?.(error));
    child.stderr?.on('data', (part: Buffer) => this.#note(part.toString('utf8')));
    if (!child.stdout) return;
    this.#reader = new LineReader(child.stdout, {
      line: (line) => this.#receive(line),
      tooLong: () => this.#end(`it sent a line of more than ${MAX_LINE_BYTES} bytes`),
    });
  }

  #note(text: string): void {
    this.#stderr = cutTail(this.#stderr + text, KEPT_STDERR_CHARS);
    this.#onStderr(text);
  }

  #receive(line: Buffer): void {
    // Anything else is noise from a library that prints where it should not.
    if (line[0] !== RECORD) return;
    const heavy = tooHeavy(line);
    if (heavy !== undefined) {
      this.#end(`it sent ${heavy}`);
      return;
    }
    const message = parseJson(line.toString('utf8'));
    if (!isRecord(message) || message.jsonrpc !== '2.0') return;
    this.onmessage?.(message as unknown as JSONRPCMessage);
  }

  #end(why: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    this.#reader?.stop();
    void this.close();
    this.#tellClosed();
  }

  async #close(): Promise<void> {
    this.#ended ??= 'it was closed';
    const child = this.#child;
    if (child?.pid === undefined) return this.#tellClosed();
    const tree = treeOf(child.pid);
    child.stdin?.end();
    await exitWithin(child, END_OF_INPUT_MS);
    // Its child processes may still be running, inside or outside its group.
    signalAll(child.pid, tree, 'SIGTERM');
    if (isRunning(child)) await exitWithin(child, TERMINATE_MS);
    signalAll(child.pid, [...tree, ...treeOf(child.pid)], 'SIGKILL');
    if (isRunning(child)) await exitWithin(child, TERMINATE_MS);
    for (const stream of child.stdio) stream?.destroy();
    this.#tellClosed();
  }

  #tellClosed(): void {
    const tell = this.onclose;
    delete this.onclose;
    tell?.();
  }
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function exitWithin(child: ChildProcess, limitMs: number): Promise<void> {
  if (!isRunning(child)) return;
  const timer = new AbortController();
  await Promise.race([once(child, 'exit'), delay(limitMs, undefined, { signal: timer.signal }).catch(() => {})]);
  timer.abort();
}

function basicEnvironment(): Record<string, string> {
  const names = process.platform === 'win32' ? PASSED_ON_WINDOWS : PASSED_ON;
  const found = names.flatMap((name) => {
    const value = process.env[name];
    // An exported shell function is not a value.
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/**
 * A process and all its descendants, including those that have left its group. Without `/proc`, the group has
 * to do.
 */
function treeOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const [pid, parent] of everyProcess()) children.set(parent, [...(children.get(parent) ?? []), pid]);
  const tree = [root];
  for (let next = 0; next < tree.length; next++) tree.push(...(children.get(tree[next] ?? 0) ?? []));
  return tree;
}

/** Send a signal to a process group and to single processes, ignoring those that have ended. */
function signalAll(group: number, pids: readonly number[], signal: NodeJS.Signals): void {
  for (const target of [-group, ...pids]) {
    try {
      process.kill(target, signal);
    } catch {
      // It has ended.
    }
  }
}

function everyProcess(): [pid: number, parent: number][] {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return [];
  }
  return names.filter((name) => /^\d+$/u.test(name)).flatMap((name) => parentOf(name));
}

/** The fields after the command name, which may contain anything but ends at the last bracket. */
function parentOf(pid: string): [number, number][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    return [[Number(pid), parent]];
  } catch {
    return [];
  }
}
