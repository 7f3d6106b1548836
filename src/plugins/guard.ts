import { AsyncLocalStorage } from 'node:async_hooks';
import type { Watch } from './watchdog.ts';

/** Who is told when code of a plugin does what would harm the whole program. */
export interface Guarded {
  /** @param what "it wrote to standard output: …" */
  misbehaved(what: string): void;
  /** Runs what may not give the processor back; absent where a process of its own has it. */
  readonly watch?: Watch | undefined;
}

const INSIDE = new AsyncLocalStorage<Guarded>();

/** Functions in place, so that none is put around itself; whoever replaced one since gets a new one. */
const GUARDS = new WeakSet<object>();

const MAX_SHOWN_CHARS = 80;

/**
 * Run code of a plugin so that it cannot spoil the program's output, end its process, or crash it from a timer: whoever
 * answers for it is told instead. This covers all that the work starts, and nothing else in the process.
 */
export function runGuarded<T>(plugin: Guarded, work: () => T): T {
  guardOutput();
  guardEnd();
  return INSIDE.run(plugin, work);
}

/** Standard output belongs to answers: programs read them there. */
function guardOutput(): void {
  const free = process.stdout.write;
  if (GUARDS.has(free)) return;
  const guarded = function (this: NodeJS.WriteStream, ...given: Parameters<typeof free>): boolean {
    const plugin = INSIDE.getStore();
    if (!plugin) return free.apply(this, given);
    const text = String(given[0]).trim();
    plugin.misbehaved(`it wrote to standard output: ${text.slice(0, MAX_SHOWN_CHARS)}`);
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
  // What a plugin's timer throws reaches nobody else; everything else goes on to whoever listens.
  process.setUncaughtExceptionCaptureCallback((error) => {
    const plugin = INSIDE.getStore();
    if (plugin) plugin.misbehaved(`it threw where nothing waits for it: ${error.message}`);
    else if (!Reflect.apply(process.emit, process, ['uncaughtException', error, 'uncaughtException'])) throw error;
  });
}
