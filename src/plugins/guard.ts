import { AsyncLocalStorage } from 'node:async_hooks';
import { cut } from '../base/text.ts';
import type { Watch } from './watchdog.ts';

/** Who is told when a plugin's code does something that would harm the whole program. */
export interface Guarded {
  /** @param what "it wrote to standard output: …" */
  misbehaved(what: string): void;
  /** Runs code that may block the event loop; absent for a plugin in a process of its own. */
  readonly watch?: Watch | undefined;
}

const INSIDE = new AsyncLocalStorage<Guarded>();

/** Wrappers that are installed, so that none wraps itself; a function replaced since then gets a new one. */
const GUARDS = new WeakSet<object>();

const MAX_SHOWN_CHARS = 80;

/**
 * Run a plugin's code so that it cannot spoil the program's output, end its process, or crash it from a timer: whoever
 * answers for it is told instead. This covers everything that the code starts, and nothing else in the process.
 */
export function runGuarded<T>(plugin: Guarded, work: () => T): T {
  guardOutput();
  guardEnd();
  return INSIDE.run(plugin, work);
}

/** Standard output is reserved for answers, since other programs read it. */
function guardOutput(): void {
  const free = process.stdout.write;
  if (GUARDS.has(free)) return;
  const guarded = function (this: NodeJS.WriteStream, ...given: Parameters<typeof free>): boolean {
    const plugin = INSIDE.getStore();
    if (!plugin) return free.apply(this, given);
    const text = String(given[0]).trim();
    plugin.misbehaved(`it wrote to standard output: ${cut(text, MAX_SHOWN_CHARS)}`);
    const done = given.find((each) => typeof each === 'function');
    if (done) process.nextTick(done as () => void);
    return true;
  } as typeof free;
  GUARDS.add(guarded);
  process.stdout.write = guarded;
}

function guardEnd(): void {
  for (const name of ['exit', 'abort', 'reallyExit'] as const) {
    const end: unknown = Reflect.get(process, name);
    if (typeof end !== 'function' || GUARDS.has(end)) continue;
    const guarded = (...given: unknown[]): unknown => {
      const plugin = INSIDE.getStore();
      if (!plugin) return Reflect.apply(end, process, given) as unknown;
      plugin.misbehaved(`it tried to end the program (process.${name})`);
      throw new Error('A plugin cannot end the program.');
    };
    GUARDS.add(guarded);
    Reflect.set(process, name, guarded);
  }
  if (process.hasUncaughtExceptionCaptureCallback()) return;
  // Errors from a plugin's timer stop here; all others are passed on to the other listeners.
  process.setUncaughtExceptionCaptureCallback((error) => {
    const plugin = INSIDE.getStore();
    if (plugin) plugin.misbehaved(`it threw where nothing waits for it: ${error.message}`);
    else if (!Reflect.apply(process.emit, process, ['uncaughtException', error, 'uncaughtException'])) throw error;
  });
}
