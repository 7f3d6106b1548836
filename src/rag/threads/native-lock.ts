const SHUT = 0;
const BUSY = 1;
const PATIENCE_MS = 5000;

/**
 * Coordinates a thread that calls native code with the one that may end it: terminating a thread during a native call
 * takes the whole process down. The calls must be short, because `shut` waits for them.
 */
export class NativeLock {
  readonly memory: SharedArrayBuffer;
  readonly #state: Int32Array;

  /** @param memory that of the gate on the other side, shared between the threads. */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#state = new Int32Array(memory);
  }

  get isShut(): boolean {
    return Atomics.load(this.#state, SHUT) === 1;
  }

  /** @returns undefined, without calling, when the gate is shut. */
  pass<T>(call: () => T): T | undefined {
    // Each side announces itself before it looks at the other, so at least one of them notices.
    Atomics.store(this.#state, BUSY, 1);
    try {
      return this.isShut ? undefined : call();
    } finally {
      Atomics.store(this.#state, BUSY, 0);
      Atomics.notify(this.#state, BUSY);
    }
  }

  /** Let no more calls through, and wait for the one that is running. */
  shut(): void {
    Atomics.store(this.#state, SHUT, 1);
    Atomics.wait(this.#state, BUSY, 1, PATIENCE_MS);
  }
}

/** The gates of threads that may still be working when the process ends. */
const open = new Set<NativeLock>();

function shutAll(): void {
  for (const gate of open) gate.shut();
}

/** Shut the gate when the process ends. @returns a function to call once its thread has ended. */
export function shutAtExit(gate: NativeLock): () => void {
  if (open.size === 0) process.once('exit', shutAll);
  open.add(gate);
  return () => {
    open.delete(gate);
    if (open.size === 0) process.removeListener('exit', shutAll);
  };
}
