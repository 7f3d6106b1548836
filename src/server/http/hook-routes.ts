import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { DoorHomes } from './door-homes.ts';
import { Guesses } from './entry.ts';
import type { HookMessage } from './hooks.ts';
import { Refused } from './problem.ts';

const MAX_BYTES = 1024 * 1024;
/** Messages of one hook within a minute. */
const MOST_MESSAGES = 60;
const MOST_FAILURES = 20;
const MINUTE_MS = 60_000;

/** `/hooks/NAME`: let in is what is signed, of whatever type it is. Hooks of several homes may have one name. */
export function hookRoutes(homes: Pick<DoorHomes, 'find'>, now: () => number = Date.now): Hono {
  const failures = new Guesses(now, MOST_FAILURES);
  const rates = new Map<string, Rate>();
  return new Hono().post('/:name', limited, async (c) => {
    const name = c.req.param('name');
    const message: HookMessage = {
      id: c.req.header('webhook-id'),
      timestamp: c.req.header('webhook-timestamp'),
      signature: c.req.header('webhook-signature'),
      body: new Uint8Array(await c.req.arrayBuffer()),
    };
    const home = await homes.find(async (each) => ((await each.hooks.knows(name, message)) ? each : undefined));
    if (!home) {
      failures.check();
      failures.failed();
      throw new Refused(401, 'bad_signature', 'This message is not signed as it must be.', SIGNING);
    }
    const key = `${name} ${home.id}`;
    const rate = rates.get(key) ?? new Rate(now);
    rates.set(key, rate);
    if (rate.isFull()) {
      c.header('retry-after', '60');
      throw new Refused(429, 'too_many', `The hook ${name} takes ${MOST_MESSAGES} messages a minute.`);
    }
    return c.json(await home.run(() => home.hooks.take(name, message)), 202);
  });
}

const SIGNING = 'Sign webhook-id, webhook-timestamp and the body with the secret of "hook add"; see docs/api.md.';

const limited = bodyLimit({
  maxSize: MAX_BYTES,
  onError: () => {
    throw new Refused(413, 'too_large', 'The message is too large.', 'At most 1 MB is taken.');
  },
});

/** How many came within the last minute. */
class Rate {
  readonly #now: () => number;
  #times: number[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts this one unless there are too many. */
  isFull(): boolean {
    const now = this.#now();
    this.#times = this.#times.filter((time) => time > now - MINUTE_MS);
    if (this.#times.length >= MOST_MESSAGES) return true;
    this.#times.push(now);
    return false;
  }
}
