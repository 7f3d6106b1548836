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

/** Asks the questions of the set-up. On Ctrl-C, each throws `SetupCancelled`. */
export interface Asker {
  /** A person answers, so that a failure can lead to another question. */
  readonly interactive: boolean;
  say(text: string): void;
  problem(text: string): void;
  /** @param flag  gives the same answer without a terminal. */
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
