import { CHOICE_MS, type Choice, type OpenChoice } from './state.ts';

interface Pending {
  readonly choice: Choice;
  readonly offered: boolean;
  readonly resolve: (key: string | undefined) => void;
}

/** What the queue uses of the terminal. */
export interface ChoiceQueueDeps {
  /** Print what a choice is about, or its result. */
  print(text: string): void;
  /** The choice that is open now. */
  show(choice: OpenChoice | undefined): void;
  nowMs(): number;
}

/** Choices are shown one after the other; several may wait. */
export class ChoiceQueue {
  readonly #deps: ChoiceQueueDeps;
  readonly #pending: Pending[] = [];
  #openedMs = 0;

  constructor(deps: ChoiceQueueDeps) {
    this.#deps = deps;
  }

  /** Resolves with the key of an option; undefined when `signal` fires first. @param offered  nothing depends on it. */
  async choose(choice: Choice, signal: AbortSignal, offered = false): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const pending = { choice, offered, resolve };
    const stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
    this.#pending.push(pending);
    if (this.#pending.length === 1) this.#open(choice);
    else this.#show();
    try {
      const key = await promise;
      const label = choice.options.find((option) => option.key === key)?.label ?? 'no answer';
      if (this.#pending[0] === pending) this.#deps.print(`${choice.question} ${label}`);
      return key;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#close(pending);
    }
  }

  /** The person has decided. */
  pick(key: string): void {
    this.#pending[0]?.resolve(key);
  }

  /** Withdraw every open choice. */
  end(): void {
    for (const { resolve } of this.#pending) resolve(undefined);
  }

  #open(choice: Choice): void {
    this.#deps.print(choice.text);
    this.#openedMs = this.#deps.nowMs();
    this.#show();
  }

  /** With how many are open. */
  #show(): void {
    const [first] = this.#pending;
    if (!first) {
      this.#deps.show(undefined);
      return;
    }
    const { choice, offered } = first;
    const selected = Math.max(
      0,
      choice.options.findIndex(({ key }) => key === choice.safe),
    );
    const countsFromMs = this.#openedMs + CHOICE_MS;
    this.#deps.show({ ...choice, offered, typed: '', selected, countsFromMs, open: this.#pending.length });
  }

  #close(pending: Pending): void {
    const wasOpen = this.#pending[0] === pending;
    this.#pending.splice(this.#pending.indexOf(pending), 1);
    const [following] = this.#pending;
    if (wasOpen && following) this.#open(following.choice);
    else this.#show();
  }
}
