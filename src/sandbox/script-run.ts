import { messageOf } from '../base/errors.ts';
import { isDeeperThan, isRecord } from '../base/json.ts';
import { ApprovalPauses } from './approval-pauses.ts';
import { CallLimiter } from './call-limiter.ts';
import type { Position } from './compile/edits.ts';
import type { Compiled } from './compile/types.ts';
import type {
  BridgeReply,
  CallRecord,
  HostFunction,
  Limits,
  ScriptFailure,
  ScriptFailureReason,
  ScriptOptions,
  ScriptResult,
} from './contract.ts';
import { type GuestError, locateFailure } from './locate.ts';
import { Watchdog } from './watchdog.ts';
import type { ChildMessage, Worker, WorkerEnd } from './worker.ts';

export interface ScriptRunDeps {
  readonly worker: Worker;
  readonly source: string;
  readonly compiled: Extract<Compiled, { ok: true }>;
  readonly options: ScriptOptions;
  readonly limits: Limits;
}

type Outcome = Pick<ScriptResult, 'value' | 'failed'>;

/** Signals by which V8 dies when the kernel refuses it more memory. */
const MEMORY_SIGNALS: ReadonlySet<string> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS']);
/** Memory of a child before its script starts, in MB. */
const CHILD_MB = 252;

/** Runs one script in one child, from the first frame to the last. A child that must not be used again is killed. */
export class ScriptRun {
  readonly #deps: ScriptRunDeps;
  readonly #functions: ReadonlyMap<string, HostFunction>;
  readonly #gate: CallLimiter;
  readonly #watchdog: Watchdog;
  readonly #outcome = Promise.withResolvers<Outcome>();
  readonly #calls: CallRecord[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #logs: string[] = [];
  #logChars = 0;
  #dropped = 0;
  #callCount = 0;
  #over = false;
  #clean = false;

  constructor(deps: ScriptRunDeps) {
    const { worker, limits, options } = deps;
    this.#deps = deps;
    this.#functions = new Map(options.functions.map((each) => [each.name, each]));
    this.#gate = new CallLimiter(limits.maxCallsInFlight, limits.maxNetworkCallsInFlight);
    this.#watchdog = new Watchdog({
      pid: worker.pid ?? 0,
      limits,
      pauses: options.pauses ?? new ApprovalPauses(),
      maxRssMb: CHILD_MB + limits.memoryMb,
      stop: (reason, message) => this.#fail(reason, message),
    });
  }

  /** Whether the script ended by itself, within all limits and with no calls in progress: its child may run another. */
  get clean(): boolean {
    return this.#clean;
  }

  async run(): Promise<ScriptResult> {
    const { worker, options } = this.#deps;
    const abort = () => this.#fail('aborted', 'The script was stopped: the turn was cancelled');
    options.signal.addEventListener('abort', abort);
    worker.onMessage((message) => this.#receive(message));
    void worker.ended.then((end) => this.#childEnded(end));
    try {
      if (options.signal.aborted) abort();
      else this.#begin();
      const outcome = await this.#outcome.promise;
      if (!this.#clean) worker.kill();
      await this.#letCallsEnd(outcome.failed);
      this.#clean &&= this.#underWay.size === 0;
      return {
        ...outcome,
        logs: this.#logs,
        droppedLogs: this.#dropped,
        calls: this.#calls,
        ms: this.#watchdog.elapsedMs(),
      };
    } finally {
      this.#watchdog.stop();
      options.signal.removeEventListener('abort', abort);
      if (!this.#clean) worker.kill();
    }
  }

  #begin(): void {
    const { worker, compiled, options, limits } = this.#deps;
    this.#watchdog.start();
    worker.send({
      type: 'run',
      source: compiled.code,
      imports: compiled.imports,
      modules: Object.entries(options.modules ?? {}).map(([name, source]) => ({ name, source })),
      maxCalls: limits.maxCalls,
      syncTimeoutMs: syncTimeoutMs(limits),
      setup: JSON.stringify(this.#setup()),
    });
  }

  #setup(): unknown {
    const { compiled, options, limits } = this.#deps;
    return {
      limits,
      now: (options.now ?? new Date()).getTime(),
      seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
      memory: options.memory?.initial ?? {},
      globals: options.globals ?? {},
      modules: compiled.imports,
      functions: options.functions.map(({ name, kind, tool, global = true }) => ({
        name,
        kind,
        tool,
        global: global && isIdentifier(name),
      })),
    };
  }

  /** Messages that arrive after the end are ignored. */
  #receive([kind, id, name, text]: ChildMessage): void {
    if (this.#over) return;
    if (kind === 'call') this.#underWayCall(name, text, (reply) => this.#settle(id, reply));
    else if (kind === 'block') this.#underWayCall(name, text, (reply) => this.#answer(reply));
    else if (kind === 'fire') this.#underWayCall(name, text, () => {});
    else if (kind === 'store') this.#remember(name, text);
    else if (kind === 'log') this.#log(text);
    else this.#end(kind, id, name, text);
  }

  /** The script is over, one way or another. */
  #end(kind: string, dropped: number, name: string, text: string): void {
    this.#dropped += dropped;
    if (kind === 'done') this.#finish(text === '' ? {} : { value: this.#received(text) }, true);
    else if (kind === 'memory')
      this.#fail('memory', `The script used more than ${this.#deps.limits.memoryMb} MB of memory`);
    else if (kind === 'fail' || kind === 'syntax') this.#failGuest(kind, name, JSON.parse(text) as GuestError);
    else this.#fail('crashed', 'The script broke its sandbox and was stopped');
  }

  /** V8 reports a script that does not yield as an error of its own. */
  #failGuest(kind: 'fail' | 'syntax', origin: string, error: GuestError): void {
    const timedOut = origin === 'host' && error.text === 'Script execution timed out.';
    const reason = timedOut ? 'timeout' : kind === 'syntax' ? 'syntax' : 'exception';
    const { compiled, source, limits } = this.#deps;
    const why = 'an endless loop, or a computation that is too long';
    const late = `Execution timed out after ${syncTimeoutMs(limits)} ms: ${why}`;
    const text = timedOut ? late : error.text;
    const about = { source, original: (position: Position) => compiled.original(position) };
    this.#finish({ failed: locateFailure(reason, { ...error, text }, about) }, kind === 'fail' && origin !== 'host');
  }

  /** Make a call and reply to it, counted by the watchdog while it is in progress. */
  #underWayCall(name: string, text: string, reply: (reply: BridgeReply) => void): void {
    const { limits } = this.#deps;
    this.#callCount += 1;
    // The guest enforces both limits itself, so a script that gets here has broken out of it.
    if (this.#callCount > limits.maxCalls || text.length > limits.maxArgumentChars) {
      this.#fail('limit', `A script may make ${limits.maxCalls} calls of ${limits.maxArgumentChars} characters each`);
      return;
    }
    this.#watchdog.callBegins();
    const call = this.#call(name, this.#received(text) as unknown[])
      .then(reply)
      .finally(() => {
        this.#watchdog.callEnds();
        this.#underWay.delete(call);
      });
    this.#underWay.add(call);
  }

  async #call(name: string, args: readonly unknown[]): Promise<BridgeReply> {
    const known = this.#functions.get(name);
    if (!known) return { ok: false, error: `"${name}" is not a function here` };
    if (known.kind === 'fire') return this.#deps.options.bridge.call(name, args).catch(unforeseen);
    return known.kind === 'batch' ? this.#callAll(args[0]) : this.#record(name, args, known.network ?? false);
  }

  /** `parallel`: results keep their order, and a failed call affects only its own entry. */
  async #callAll(list: unknown): Promise<BridgeReply> {
    if (!Array.isArray(list) || !list.every(isToolCall)) {
      return { ok: false, error: 'parallel() expects an array of {tool, input} objects' };
    }
    this.#callCount += list.length;
    const { maxCalls } = this.#deps.limits;
    if (this.#callCount > maxCalls) return { ok: false, error: `a script may make ${maxCalls} calls` };
    const replies = await Promise.all(
      list.map(({ tool, input }) => {
        const known = this.#functions.get(tool);
        if (known && known.kind !== 'value') return { ok: false, error: `"${tool}" is not a tool` } as const;
        return this.#record(tool, input === undefined ? [] : [input], known?.network ?? false);
      }),
    );
    return { ok: true, value: replies.map((reply) => (reply.ok ? (reply.value ?? null) : { error: reply.error })) };
  }

  async #record(name: string, args: readonly unknown[], network: boolean): Promise<BridgeReply> {
    return this.#gate.run(network, async () => {
      if (this.#over) return { ok: false, error: `${name} was not called: the script is over` };
      const started = performance.now();
      const reply = await this.#deps.options.bridge.call(name, args).catch(unforeseen);
      this.#calls.push({ name, ms: Math.round(performance.now() - started), ok: reply.ok });
      return reply;
    });
  }

  #settle(id: number, reply: BridgeReply): void {
    if (!this.#over) this.#deps.worker.send({ type: 'settle', id, ...wireReply(reply) });
  }

  #answer(reply: BridgeReply): void {
    if (this.#over) return;
    const { ok, json } = wireReply(reply);
    this.#deps.worker.answer(`${ok ? '1' : '0'}${json}`);
  }

  #remember(key: string, json: string): void {
    this.#deps.options.memory?.set(key, this.#received(json));
  }

  /** The guest limits the depth itself. @throws RangeError, which counts as a broken frame and ends the script. */
  #received(json: string): unknown {
    const value: unknown = JSON.parse(json);
    // The list of arguments is a level of its own.
    if (isDeeperThan(value, this.#deps.limits.maxDepth + 1)) throw new RangeError('a value is nested too deeply');
    return value;
  }

  #log(line: string): void {
    this.#logChars += line.length + 1;
    if (this.#logChars > this.#deps.limits.maxLogChars || this.#logs.length >= this.#deps.limits.maxLogLines) {
      this.#dropped += 1;
      return;
    }
    this.#logs.push(line);
    this.#deps.options.bridge.log(line);
  }

  #fail(reason: ScriptFailureReason, message: string): void {
    this.#finish({ failed: { reason, message } });
  }

  /** The first outcome counts. @param clean  the script came to its own end. */
  #finish(outcome: Outcome, clean = false): void {
    if (this.#over) return;
    this.#over = true;
    this.#clean = clean;
    this.#outcome.resolve(outcome);
  }

  /** The child died before the script was over; has no effect after a result. */
  #childEnded({ reason, detail }: WorkerEnd): void {
    const { memoryMb } = this.#deps.limits;
    if (reason === 'broken frame') this.#fail('limit', 'The script sent more than fits through the bridge at once');
    else if (MEMORY_SIGNALS.has(detail)) this.#fail('memory', `The script used more than ${memoryMb} MB of memory`);
    else this.#fail('crashed', 'The script sent too much or broke its sandbox, and was stopped');
  }

  /** Calls in progress may have effects, so wait for their outcome, unless the time is up. */
  async #letCallsEnd(failed: ScriptFailure | undefined): Promise<void> {
    if (failed?.reason === 'timeout' || failed?.reason === 'aborted') return;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, this.#deps.limits.timeoutMs - this.#watchdog.elapsedMs());
    await Promise.race([Promise.all(this.#underWay), late.promise]);
    clearTimeout(timer);
  }
}

/** How long a script may run without yielding: a little less than the limits that the watchdog enforces. */
function syncTimeoutMs({ idleMs, cpuMs, timeoutMs }: Limits): number {
  return Math.max(1, Math.min(idleMs, cpuMs, timeoutMs) - 50);
}

function isToolCall(value: unknown): value is { readonly tool: string; readonly input?: unknown } {
  return isRecord(value) && typeof value.tool === 'string';
}

function unforeseen(error: unknown): BridgeReply {
  return { ok: false, error: messageOf(error) };
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/u.test(name);
}

/** Longest reply to one call, in characters of JSON. */
const MAX_REPLY_CHARS = 8_000_000;

/** A reply as sent; one that is too long, or not representable in JSON, becomes an error. */
export function wireReply(reply: BridgeReply): { readonly ok: boolean; readonly json: string } {
  const failed = (why: string) => ({ ok: false, json: JSON.stringify(why) });
  try {
    const json = JSON.stringify(reply.ok ? (reply.value ?? null) : failure(reply)) ?? 'null';
    if (json.length <= MAX_REPLY_CHARS) return { ok: reply.ok, json };
    return failed(`the result has ${json.length} characters, ${MAX_REPLY_CHARS} is the limit`);
  } catch (error) {
    return failed(`the result cannot be written as JSON: ${messageOf(error)}`);
  }
}

/** As the guest reads it: the text and, where the host has to recognise the failure later, its id. */
function failure({ error, id }: BridgeReply & { readonly ok: false }): unknown {
  return id === undefined ? error : { error, id };
}
