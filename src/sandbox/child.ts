import { readSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type IsolatedVM from 'isolated-vm';

/**
 * The child process: one isolate, one script, then it is killed.
 *
 * It is started from its text, without access to files, so it cannot import anything of ours. fd 3 brings frames from
 * the parent; fd 4 carries all messages to the parent and its answers to blocking calls. fd 4 must never become a
 * stream, or a blocked read would spin.
 */

interface Config {
  readonly addon: string;
  readonly prelude: string;
  readonly memoryMb: number;
}

interface RunFrame {
  readonly type: 'run';
  readonly source: string;
  readonly setup: string;
  readonly modules: readonly { readonly name: string; readonly source: string }[];
  readonly imports: readonly string[];
  readonly maxCalls: number;
  readonly syncTimeoutMs: number;
}

interface SettleFrame {
  readonly type: 'settle';
  readonly id: number;
  readonly ok: boolean;
  readonly json: string;
}

type Frame = RunFrame | SettleFrame;
type Kind = 'ready' | 'call' | 'block' | 'fire' | 'log' | 'store' | 'over' | 'done' | 'fail' | 'syntax' | 'memory';

const FROM_PARENT = 3;
const TO_PARENT = 4;
/** Log lines and the like, besides two messages per call. */
const EXTRA_MESSAGES = 5000;
const MAX_OUTBOX_BYTES = 16 * 1024 * 1024;

const config = JSON.parse(process.argv.at(-1) ?? '{}') as Config;
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

/** A script that floods the parent is killed. */
function send(kind: Kind, id: number, name: string, text: string): void {
  const body = Buffer.from(JSON.stringify([kind, id, name, text]), 'utf8');
  outbox.messages += 1;
  outbox.bytes += body.length;
  if (outbox.messages > outbox.maxMessages || outbox.bytes > MAX_OUTBOX_BYTES) die();
  const frame = Buffer.allocUnsafe(body.length + 4);
  frame.writeUInt32BE(body.length);
  body.copy(frame, 4);
  writeAll(frame);
}

function readExactly(bytes: number): Buffer {
  const buffer = Buffer.allocUnsafe(bytes);
  try {
    for (let got = 0; got < bytes; ) {
      const count = readSync(TO_PARENT, buffer, got, bytes - got, null);
      if (count === 0) die();
      got += count;
    }
  } catch {
    die();
  }
  return buffer;
}

function fromGuest(kind: Kind, id: number, name: string, text: string): void {
  if (kind === 'over') void checkOver();
  else send(kind, id, name, text);
}

/** Ask and wait: the whole process stops until the parent answers or kills it. */
function askBlocking(name: string, json: string): string {
  send('block', 0, name, json);
  return readExactly(readExactly(4).readUInt32BE()).toString('utf8');
}

function loadAddon(path: string): typeof IsolatedVM {
  const holder = { exports: {} as { ivm: typeof IsolatedVM } };
  process.dlopen(holder, path);
  return holder.exports.ivm;
}

function createIsolate(ivm: typeof IsolatedVM): IsolatedVM.Isolate {
  return new ivm.Isolate({
    memoryLimit: config.memoryMb,
    onCatastrophicError: () => {
      send('memory', 0, '', '');
      die();
    },
  });
}

const ivm = loadAddon(config.addon);
const isolate = createIsolate(ivm);
const context = isolate.createContextSync();
const host = context.evalClosureSync(
  `globalThis.__host = { post: $0, block: $1 };\nreturn ${config.prelude}`,
  [new ivm.Callback(fromGuest, { ignored: true }), new ivm.Callback(askBlocking)],
  { result: { reference: true }, filename: 'prelude.js' },
) as IsolatedVM.Reference<Record<string, unknown>>;
const entry = (name: string) => host.getSync(name, { reference: true }) as IsolatedVM.Reference<CallableFunction>;
const guest = { setup: entry('setup'), settle: entry('settle'), check: entry('check'), run: entry('run') };

/** Compile the modules that the script imports and hand their exports to the prelude. */
async function loadModules(frame: RunFrame): Promise<void> {
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

/** Nothing of this rejects: every failure becomes a message. */
async function runScript(frame: RunFrame): Promise<void> {
  outbox.maxMessages = frame.maxCalls * 2 + EXTRA_MESSAGES;
  let fn: IsolatedVM.Reference<CallableFunction>;
  try {
    await loadModules(frame);
    await guest.setup.apply(undefined, [frame.setup]);
    const script = await isolate.compileScript(frame.source, { filename: 'agent.js', lineOffset: -1 });
    fn = (await script.run(context, { reference: true, timeout: 1000 })) as IsolatedVM.Reference<CallableFunction>;
  } catch (error) {
    send(isolate.isDisposed ? 'memory' : 'syntax', 0, '', describe(error));
    return;
  }
  try {
    await guest.run.apply(undefined, [fn.derefInto()], { timeout: frame.syncTimeoutMs });
  } catch (error) {
    send(isolate.isDisposed ? 'memory' : 'fail', 0, 'host', describe(error));
  }
}

/** `check` runs as a task of its own, after the microtasks that a settled promise started. */
async function checkOver(): Promise<void> {
  try {
    await guest.check.apply(undefined, []);
  } catch (error) {
    send(isolate.isDisposed ? 'memory' : 'fail', 0, 'host', describe(error));
  }
}

async function settleCall({ id, ok, json }: SettleFrame): Promise<void> {
  try {
    await guest.settle.apply(undefined, [id, ok, json]);
  } catch (error) {
    send(isolate.isDisposed ? 'memory' : 'fail', 0, 'host', describe(error));
  }
  await checkOver();
}

function receive(frame: Frame): void {
  void (frame.type === 'run' ? runScript(frame) : settleCall(frame));
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
send('ready', 0, '', '');
