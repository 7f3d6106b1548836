const SHUT = 0;
const BUSY = 1;
const PATIENCE_MS = 5000;

/**
 * Between a thread that calls native code and the one that may end it: a native call that is cut off by the end of
 * its thread takes the whole process down. The calls must be short, for `shut` waits.
 */
export class NativeGate {
  readonly memory: SharedArrayBuffer;
  readonly #state: Int32Array;

  /** @param memory of the gate at the other side. */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#state = new Int32Array(memory);
  }

  get isShut(): boolean {
    return Atomics.load(this.#state, SHUT) === 1;
  }

  /** @returns undefined, without calling, when the gate is shut. */
  pass<T>(call: () => T): T | undefined {
    // Each side says what it does before it looks at the other, so one of them always sees it.
    Atomics.store(this.#state, BUSY, 1);
    try {
      return this.isShut ? undefined : call();
    } finally {
      Atomics.store(this.#state, BUSY, 0);
      Atomics.notify(this.#state, BUSY);
    }
  }

  /** Let nothing more through, and wait for the call that is in there now. */
  shut(): void {
    Atomics.store(this.#state, SHUT, 1);
    Atomics.wait(this.#state, BUSY, 1, PATIENCE_MS);
  }
}

/** Gates of threads that may still be at work when the process ends. */
const open = new Set<NativeGate>();

function shutAll(): void {
  for (const gate of open) gate.shut();
}

/** Have the gate shut when the process ends. @returns to be called when its thread has ended before. */
export function shutAtExit(gate: NativeGate): () => void {
  if (open.size === 0) process.once('exit', shutAll);
  open.add(gate);
  return () => {
    open.delete(gate);
    if (open.size === 0) process.removeListener('exit', shutAll);
  };
}
