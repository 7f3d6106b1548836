import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from '../../base/log.ts';

const LOG = new AsyncLocalStorage<Log>();

/** Functions in place, so that none is put around itself; whoever replaced one since gets a new one. */
const IN_PLACE = new WeakSet<object>();

/** Do something with the MCP SDK, whose warnings then are for the log: it would write them on the person's terminal. */
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
