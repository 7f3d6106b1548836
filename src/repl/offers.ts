import { messageOf } from '../base/errors.ts';
import type { ApprovalRequest } from '../base/turn.ts';
import type { App } from '../face/app.ts';
import type { Proposal } from '../tools/gate/proposals.ts';
import { approveOn } from './approval.ts';
import { questionText } from './question.ts';
import type { Stage } from './run-command.ts';
import { outputOn, printable } from './screen.ts';
import type { Terminal } from './terminal.ts';

/** How often to check for waiting calls that come from elsewhere than a turn of this program. */
const LOOK_MS = 10_000;
const OPTIONS = [
  { key: 'y', label: 'yes, run it once' },
  { key: 'n', label: 'no, never' },
  { key: 'l', label: 'later: it waits for /approve' },
] as const;

/** What to do about a proposal that the person has decided; treated like a line that was typed. */
export type Decided = (stage: Stage) => Promise<number>;

/**
 * Offers the calls that wait for approval to a person who has nothing else to do: one after the other, and each once in
 * a session. The line being typed is never touched.
 */
export class Offers {
  readonly #terminal: Terminal;
  readonly #offered = new Set<string>();
  #decided = Promise.withResolvers<Decided>();
  #timer: NodeJS.Timeout | undefined;
  #busy = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** The next decision, for a single reader, which then calls `taken`. */
  get decided(): Promise<Decided> {
    return this.#decided.promise;
  }

  taken(): void {
    this.#decided = Promise.withResolvers();
  }

  /** Check now, and from time to time: jobs run here and in other programs. */
  begin(app: App): void {
    this.#timer = setInterval(() => void this.look(app), LOOK_MS).unref();
    void this.look(app);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  /** Offer the oldest call that waits. Never rejects. */
  async look(app: App): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      const proposals = await app.tools.proposals.list();
      const waiting = proposals.find(({ id, state }) => state === 'waiting' && !this.#offered.has(id));
      if (waiting) await this.#offer(waiting, app);
    } catch (error) {
      app.home.log.warn('the calls that wait for approval could not be offered', { error: messageOf(error) });
    } finally {
      this.#busy = false;
    }
  }

  async #offer(proposal: Proposal, { tools }: App): Promise<void> {
    const { id, target } = proposal;
    this.#offered.add(id);
    const text = questionText({ ...proposal, destination: target }, this.#terminal.columns);
    const choice = { text, question: `Run it now? (${id})`, options: OPTIONS, safe: 'l' };
    const key = await this.#terminal.offer(choice, async () => (await tools.proposals.get(id)).state === 'waiting');
    if (key === 'y') this.#decided.resolve((stage) => run(stage, id));
    else if (key === 'n') this.#decided.resolve((stage) => drop(stage, proposal));
  }
}

async function run({ app, screen, session, signal }: Stage, id: string): Promise<number> {
  const { runProposal } = await import('./commands/approvals.ts');
  screen.activity('running it');
  const decide = (request: ApprovalRequest) => approveOn(screen, session, request, signal);
  return runProposal({ app, out: outputOn(screen, session.json) }, id, { by: 'terminal', signal, decide });
}

async function drop({ app, screen }: Stage, { id, tool }: Proposal): Promise<number> {
  const denied = await app.tools.proposals.deny(id, 'terminal');
  screen.line(denied ? `${printable(tool)} will not be run.` : 'It does not wait any more.');
  return denied ? 0 : 1;
}
