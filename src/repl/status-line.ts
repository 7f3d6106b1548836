import { counted } from '../base/text.ts';
import type { TurnEvent } from '../base/turn.ts';
import type { App } from '../face/app.ts';
import { sayDayAndTime, startOfDay } from '../when/calendar.ts';
import type { Session } from './command.ts';

/** The last model call of the session. */
interface LastCall {
  readonly model: string;
  readonly tokens: number;
}

/** Collects the parts of the status line: project, mode, calls to approve, model, tokens, cost and next job. */
export class StatusLine {
  readonly #app: App;
  readonly #session: Session;
  readonly #show: (parts: readonly string[]) => void;
  #last: LastCall | undefined;

  constructor(app: App, session: Session, show: (parts: readonly string[]) => void) {
    this.#app = app;
    this.#session = session;
    this.#show = show;
  }

  /** Update from an event of a turn. */
  see(event: TurnEvent): void {
    if (event.type === 'usage') this.#last = { model: event.model, tokens: event.inputTokens + event.outputTokens };
  }

  /** Show the present state. Parts that cannot be read now are left out. */
  async refresh(): Promise<void> {
    if (!this.#session.statusLine) return this.#show([]);
    const { project, mode, autoMode } = this.#session;
    const parts = [this.#proposals(), this.#model(), this.#cost(), this.#nextJob()];
    const known = await Promise.all(parts.map((part) => part.catch(() => undefined)));
    const found = known.filter((part) => part !== undefined);
    this.#show([project, autoMode ? 'auto' : mode === 'code_agent' ? 'code' : 'tools', ...found]);
  }

  async #proposals(): Promise<string | undefined> {
    const waiting = (await this.#app.tools.proposals.list()).filter(({ state }) => state === 'waiting');
    return waiting.length > 0 ? `${counted(waiting.length, 'call')} to approve` : undefined;
  }

  async #model(): Promise<string | undefined> {
    const candidates = await this.#app.models.candidates();
    const now = candidates.find(({ name }) => name === this.#last?.model) ?? candidates[0];
    if (!now) return undefined;
    if (this.#last?.model !== now.name) return now.name;
    return `${now.name}, ${Math.round((100 * this.#last.tokens) / now.contextWindow)} % of ${short(now.contextWindow)}`;
  }

  async #cost(): Promise<string | undefined> {
    const { models, home } = this.#app;
    const sums = await models.usage('day', startOfDay(new Date(), home.timeZone));
    const cost = sums.reduce((sum, { costUsd }) => sum + costUsd, 0);
    return cost > 0 ? `${cost.toFixed(cost < 0.1 ? 4 : 2)} USD today` : undefined;
  }

  async #nextJob(): Promise<string | undefined> {
    const { coming, next } = await this.#app.schedule.jobs.outlook();
    if (!next) return undefined;
    return `${counted(coming, 'job')}, next ${sayDayAndTime(next, new Date(), this.#app.home.timeZone)}`;
  }
}

/** `128k` */
function short(tokens: number): string {
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : String(tokens);
}
