import type { App } from '../../face/app.ts';
import type { AskedDoor } from '../../face/doors.ts';
import { homeNamedBy } from './devices.ts';
import { type DoorHome, openDoorHome } from './door-home.ts';
import { Guesses } from './entry.ts';

/** Whom a door is for: one home, which gets all that comes, or several. */
export type DoorFor = { readonly home: string } | 'several';

/**
 * The homes behind a door. What a caller shows decides which one is meant: a token names its home, a code and a
 * signature are known by one alone. No address does.
 */
export class DoorHomes {
  readonly guesses = new Guesses();
  /** The name of the cookie of a page: a browser is let in to one home of a door. */
  readonly cookie: string;
  readonly #isShared: boolean;
  readonly #homes = new Map<string, DoorHome>();
  #line: Promise<unknown> = Promise.resolve();

  constructor(door: DoorFor) {
    this.#isShared = door === 'several';
    // A name of a home may hold what the name of a cookie may not.
    this.cookie = `__Host-wooster${door === 'several' ? '' : `-${encodeURIComponent(door.home)}`}`;
  }

  /** @returns what shuts the home's way in again. */
  admit(app: App, door: Omit<AskedDoor, 'address'>, run: DoorHome['run'] = (work) => work()): () => Promise<void> {
    const entry = { guesses: this.guesses, cookie: this.cookie, isShared: this.#isShared };
    const home = openDoorHome({ app, door, entry, run });
    this.#homes.set(home.id, home);
    return async () => {
      this.#homes.delete(home.id);
      await home.close();
    };
  }

  /** The home that decides about a token. */
  of(token: string): DoorHome | undefined {
    if (this.#isShared) return this.#homes.get(homeNamedBy(token) ?? '');
    const [only] = this.#homes.values();
    return only;
  }

  /**
   * The home that knows what was given. They are asked one after another, and for one caller after another: who guesses
   * keeps one connection of the store busy at most.
   */
  find<Found>(knows: (home: DoorHome) => Promise<Found | undefined>): Promise<Found | undefined> {
    const found = this.#line.then(async () => {
      for (const home of this.#homes.values()) {
        const known = await home.run(() => knows(home));
        if (known !== undefined) return known;
      }
      return undefined;
    });
    this.#line = found.catch(() => undefined);
    return found;
  }

  async close(): Promise<void> {
    const homes = [...this.#homes.values()];
    this.#homes.clear();
    await Promise.all(homes.map((home) => home.close()));
  }
}
