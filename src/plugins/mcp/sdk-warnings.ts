import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from '../../base/log.ts';

const LOG = new AsyncLocalStorage<Log>();

/** Wrappers that are installed, so that none wraps itself; a function replaced since then gets a new one. */
const IN_PLACE = new WeakSet<object>();

/** Run code of the MCP SDK with its warnings sent to the log, instead of to the person's terminal. */
export function warningsTo<T>(log: Log, work: () => T): T {
  const free: typeof console.warn = Reflect.get(console, 'warn');
  if (!IN_PLACE.has(free)) {
    const sorted = (...given: unknown[]): void => {
      const to = String(given[0]).startsWith('[mcp-sdk]') ? LOG.getStore() : undefined;
      if (to) to.info('mcp sdk', { text: given.join(' ') });
      else Reflect.apply(free, console, given);
    };
    IN_PLACE.add(sorted);
    Reflect.set(console, 'warn', sorted);
  }
  return LOG.run(log, work);
}
