import type IsolatedVM from 'isolated-vm';

/**
 * The child process: one isolate and one script at a time, for one turn at most; then it is killed.
 *
 * It is started from its text as CommonJS, which is up 20 ms before a module would be, without access to files, so it
 * cannot import anything of ours. Every message carries the number of its script, and what comes from a script that is
 * over is dropped. fd 3 brings frames from the parent; fd 4 carries all messages to the parent and its answers to
 * blocking calls. fd 4 must never become a stream, or a blocked read would spin.
 *
 * Host calls are made in the thread that reads and writes, because waking another thread takes longer than the pipes. A
 * call from another thread would wait for this one, which may be waiting for the isolate.
 */

interface Config {
  readonly addon: string;
  readonly prelude: string;
  readonly memoryMb: number;
  readonly stackKb: number;
}

interface RunFrame {
  readonly type: 'run';
  readonly script: number;
  readonly source: string;
  readonly setup: string;
  readonly modules: readonly { readonly name: string; readonly source: string }[];
  readonly imports: readonly string[];
  readonly maxCalls: number;
  readonly syncTimeoutMs: number;
}

interface SettleFrame {
  readonly type: 'settle';
  readonly script: number;
  readonly id: number;
  readonly ok: boolean;
  readonly json: string;
}

/** The last script is over; `script` is the number of the next one. */
interface RenewFrame {
  readonly type: 'renew';
  readonly script: number;
}

type Frame = RunFrame | SettleFrame | RenewFrame;
type Kind = 'ready' | 'call' | 'block' | 'fire' | 'log' | 'store' | 'over' | 'done' | 'fail' | 'syntax' | 'memory';

const FROM_PARENT = 3;
const TO_PARENT = 4;
/** Log lines and the like, besides two messages per call. */
const EXTRA_MESSAGES = 5000;
const MAX_OUTBOX_BYTES = 16 * 1024 * 1024;

const { readSync, writeSync } = process.getBuiltinModule('node:fs');
const { Socket } = process.getBuiltinModule('node:net');
const { setFlagsFromString } = process.getBuiltinModule('node:v8');
const config = JSON.parse(process.argv.at(-1) ?? '{}') as Config;
/** The most that one read of an answer takes. */
const piece = Buffer.alloc(16 * 1024);
const outbox = { messages: 0, bytes: 0, maxMessages: EXTRA_MESSAGES };

/** Leave without running any more code; the parent sees the signal. */
function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}

function writeAll(bytes: Uint8Array): void {
  try {
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(TO_PARENT, bytes, sent);
  } catch {
    die();
  }
}

/** Messages of a script that is over are dropped. A script that floods the parent is killed. */
function send(script: number, kind: Kind, id: number, name: string, text: string): void {
  if (script !== current) return;
  const body = Buffer.from(JSON.stringify([script, kind, id, name, text]), 'utf8');
  outbox.messages += 1;
  outbox.bytes += body.length;
  if (outbox.messages > outbox.maxMessages || outbox.bytes > MAX_OUTBOX_BYTES) die();
  const frame = Buffer.allocUnsafe(body.length + 4);
  frame.writeUInt32BE(body.length);
  body.copy(frame, 4);
  writeAll(frame);
}

/** Fill `buffer` from `got` on until it holds at least `bytes`. @returns how many it holds. */
function readInto(buffer: Buffer, got: number, bytes: number): number {
  try {
    while (got < bytes) {
      const count = readSync(TO_PARENT, buffer, got, buffer.length - got, null);
      if (count === 0) die();
      got += count;
    }
  } catch {
    die();
  }
  return got;
}

/** The frame of an answer, after which nothing follows; all but long ones take a single read. */
function readAnswer(): string {
  const got = readInto(piece, 0, 4);
  const end = 4 + piece.readUInt32BE();
  if (end <= got) return piece.toString('utf8', 4, end);
  const whole = Buffer.allocUnsafe(end);
  piece.copy(whole, 0, 0, got);
  readInto(whole, got, end);
  return whole.toString('utf8', 4);
}

/** Ask and wait: the whole process stops until the parent answers or kills it. */
function askBlocking(script: number, name: string, json: string): string {
  send(script, 'block', 0, name, json);
  const answer = readAnswer();
  const number = `${script} `;
  if (!answer.startsWith(number)) die();
  return answer.slice(number.length);
}

function loadAddon(path: string): typeof IsolatedVM {
  const holder = { exports: {} as { ivm: typeof IsolatedVM } };
  process.dlopen(holder, path);
  return holder.exports.ivm;
}

const ivm = loadAddon(config.addon);
// Isolates made from now on get less stack than our own code, which is called when theirs is exhausted.
setFlagsFromString(`--stack-size=${config.stackKb}`);
/** The number of the script that may speak. */
let current = 0;
let guest = createGuest(1);

/** A new isolate with the prelude, and the functions of the prelude that we call. */
function createGuest(script: number) {
  current = script;
  const isolate = new ivm.Isolate({
    memoryLimit: config.memoryMb,
    onCatastrophicError: () => {
      send(script, 'memory', 0, '', '');
      die();
    },
  });
  const context = isolate.createContextSync();
  const post = (kind: Kind, id: number, name: string, text: string) => {
    if (kind === 'over') setImmediate(checkOver);
    else send(script, kind, id, name, text);
  };
  const block = (name: string, json: string) => askBlocking(script, name, json);
  const host = context.evalClosureSync(
    `globalThis.__host = { post: $0, block: $1 };\nreturn ${config.prelude}`,
    [new ivm.Callback(post), new ivm.Callback(block)],
    { result: { reference: true }, filename: 'prelude.js' },
  ) as IsolatedVM.Reference<Record<string, unknown>>;
  const entry = (name: string) => host.getSync(name, { reference: true }) as IsolatedVM.Reference<CallableFunction>;
  /** `check` runs as a task of its own, after the microtasks that a settled promise started. */
  const checkOver = () => {
    try {
      check.applySync(undefined, []);
    } catch (error) {
      fail(error);
    }
  };
  const fail = (error: unknown, kind: Kind = 'fail') => {
    send(script, isolate.isDisposed ? 'memory' : kind, 0, kind === 'fail' ? 'host' : '', describe(error));
  };
  const check = entry('check');
  return { isolate, context, fail, checkOver, setup: entry('setup'), settle: entry('settle'), run: entry('run') };
}

/** Compile the modules that the script imports and hand their exports to the prelude. */
async function loadModules({ isolate, context }: typeof guest, frame: RunFrame): Promise<void> {
  const compiled = new Map<string, IsolatedVM.Module>();
  for (const { name, source } of frame.modules) {
    compiled.set(name, await isolate.compileModule(source, { filename: `${name}.mjs` }));
  }
  const find = (name: string): IsolatedVM.Module => {
    const found = compiled.get(name);
    if (!found) throw new Error(`module "${name}" is not registered`);
    return found;
  };
  for (const name of frame.imports) {
    const module = find(name);
    await module.instantiate(context, find);
    await module.evaluate();
    await context.global.set(`__module:${name}`, module.namespace.derefInto());
  }
}

function describe(error: unknown): string {
  const failure = error instanceof Error ? error : new Error(String(error));
  return JSON.stringify({ text: failure.message.slice(0, 4000), stack: (failure.stack ?? '').slice(0, 8000) });
}

/** Never rejects: every failure becomes a message. */
async function runScript(frame: RunFrame): Promise<void> {
  const { isolate, context, fail, setup, run } = guest;
  outbox.maxMessages = frame.maxCalls * 2 + EXTRA_MESSAGES;
  let fn: IsolatedVM.Reference<CallableFunction>;
  try {
    await loadModules(guest, frame);
    await setup.apply(undefined, [frame.setup]);
    const script = await isolate.compileScript(frame.source, { filename: 'agent.js', lineOffset: -1 });
    fn = (await script.run(context, { reference: true, timeout: 1000 })) as IsolatedVM.Reference<CallableFunction>;
  } catch (error) {
    fail(error, 'syntax');
    return;
  }
  try {
    run.applySync(undefined, [fn.derefInto()], { timeout: frame.syncTimeoutMs });
  } catch (error) {
    fail(error);
  }
}

function settleCall({ id, ok, json }: SettleFrame): void {
  const { settle, checkOver, fail } = guest;
  try {
    // A script that is still running reports its own end.
    if (!settle.applySync(undefined, [id, ok, json])) return;
  } catch (error) {
    fail(error);
  }
  checkOver();
}

/** The old isolate is disposed of before the new one is made: the kernel's limit applies to both together. */
function renew(script: number): void {
  try {
    // From here on nothing of the old script counts, not even the end of its isolate.
    current = script;
    guest.isolate.dispose();
    Object.assign(outbox, { messages: 0, bytes: 0, maxMessages: EXTRA_MESSAGES });
    guest = createGuest(script);
    send(script, 'ready', 0, '', '');
  } catch {
    die();
  }
}

/** Only the next number starts a new script; a reply to a script that is over comes too late. */
function receive(frame: Frame): void {
  if (frame.type === 'renew' && frame.script === current + 1) renew(frame.script);
  else if (frame.script !== current) return;
  else if (frame.type === 'run') void runScript(frame);
  else if (frame.type === 'settle') settleCall(frame);
}

function listen(): void {
  let rest: Buffer = Buffer.alloc(0);
  const socket = new Socket({ fd: FROM_PARENT, readable: true, writable: false });
  socket.on('data', (bytes: Buffer) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE()) {
      const end = 4 + rest.readUInt32BE();
      const frame = JSON.parse(rest.toString('utf8', 4, end)) as Frame;
      rest = rest.subarray(end);
      receive(frame);
    }
  });
  socket.on('end', die);
  socket.on('error', die);
}

listen();
send(1, 'ready', 0, '', '');
