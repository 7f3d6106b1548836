import type { StoredNotice } from './notice-table.ts';
import { HERE, parseRoute, type QuietHours, type Route } from './routes.ts';
import type { AskedIn } from './types.ts';

/** How notices go to their owner, from the settings. */
export interface RouteOptions {
  /** Absent: `here`, then the owner's default channel. */
  readonly defaultRoute?: Route | undefined;
  /** Absent: the same, and the channel a minute later unless the owner has seen it. */
  readonly urgentRoute?: Route | undefined;
  readonly quietHours?: QuietHours | undefined;
  /** Urgent notices come again after so many minutes, until their owner says that they are done. */
  readonly repeatMinutes: number;
}

export interface WaysDeps {
  readonly options: RouteOptions;
  defaultChannel(): Promise<string>;
  /** Whether an account on a channel is the owner's now. */
  isOwners(asked: Pick<AskedIn, 'channel' | 'account'>): boolean;
}

/** Which way each notice goes: its own, that of the settings, or back to where it was asked for. */
export class NoticeWays {
  readonly #deps: WaysDeps;

  constructor(deps: WaysDeps) {
    this.#deps = deps;
  }

  async of(row: StoredNotice): Promise<Route> {
    return row.route === null ? this.chosen(row.urgent === 1, this.answers(row)) : parseRoute(row.route);
  }

  /** What a notice answers, as long as that is still the owner's account. */
  answers({ answers }: StoredNotice): AskedIn | undefined {
    const asked = answers === null ? undefined : (JSON.parse(answers) as AskedIn);
    return asked && this.#deps.isOwners(asked) ? asked : undefined;
  }

  /** The route of a notice that names none. */
  async chosen(urgent: boolean, answers?: AskedIn): Promise<Route> {
    const { options, defaultChannel } = this.#deps;
    const chosen = urgent ? options.urgentRoute : options.defaultRoute;
    if (chosen) return chosen;
    const channel = answers?.channel ?? (await defaultChannel());
    if (channel === HERE) return [{ to: HERE }];
    return [{ to: HERE }, urgent ? { to: channel, afterMs: 60_000 } : { to: channel }];
  }
}
