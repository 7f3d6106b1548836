/** One of the answers to a question. */
export interface Option {
  readonly value: string;
  readonly label: string;
  readonly hint?: string | undefined;
}

export interface TextQuestion {
  /** The answer to an empty line. */
  readonly usual: string;
  /** @returns what is wrong with an answer. */
  readonly check?: (answer: string) => string | undefined;
}

/** How the questions of the set-up reach a person. Each is cancelled by Ctrl-C: it throws `SetupCancelled` then. */
export interface Asker {
  /** Somebody answers, so a failure can be talked about. */
  readonly interactive: boolean;
  say(text: string): void;
  problem(text: string): void;
  /** @param flag  what says the same without a terminal. */
  choose(question: string, choice: { options: readonly Option[]; usual: string; flag: string }): Promise<string>;
  text(question: string, about: TextQuestion): Promise<string>;
  /** The answer is never shown. */
  secret(question: string): Promise<string>;
  yes(question: string): Promise<boolean>;
}

/** The person has stopped the set-up. */
export class SetupCancelled extends Error {
  constructor() {
    super('cancelled');
    this.name = 'SetupCancelled';
  }
}
