import { withoutThinking } from '../../base/thinking.ts';

/** How many characters it takes to tell prose from something else. */
const SURE_CHARS = 40;
/** The text is looked at again when it is so many times as long. */
const NEXT_LOOK = 1.02;

export interface ProseRules {
  /** Whether a reply that begins like this may be something else than prose; then nothing of it is shown yet. */
  mayBeElse(text: string): boolean;
  /** Where in a reply something else begins. */
  readonly end: RegExp;
}

/** Passes on the prose of a reply as it arrives: nothing of its thinking, of a script or of a call written as text. */
export class ProseView {
  readonly #show: (text: string) => void;
  readonly #rules: ProseRules;
  #text = '';
  #shown = '';
  /** How long the text has to be before it is looked at again: a long one each time would take ever longer. */
  #next = 0;

  constructor(show: (text: string) => void, rules: ProseRules) {
    this.#show = show;
    this.#rules = rules;
  }

  /** Whether the person has seen any of it. */
  get hasShown(): boolean {
    return this.#shown !== '';
  }

  add(part: string): void {
    this.#text += part;
    if (this.#text.length < this.#next) return;
    this.#next = this.#text.length * NEXT_LOOK;
    const text = visible(this.#text);
    if (text.trim().length < SURE_CHARS || this.#rules.mayBeElse(text)) return;
    const end = text.search(this.#rules.end);
    this.#pass(text.slice(0, end < 0 ? safeEnd(text) : end));
  }

  /** The reply turned out to be plain text: show what was held back. */
  finish(): void {
    this.#pass(visible(this.#text));
  }

  #pass(text: string): void {
    if (text.length <= this.#shown.length || !text.startsWith(this.#shown)) return;
    this.#show(text.slice(this.#shown.length));
    this.#shown = text;
  }
}

/** Without thinking, and without a tag that may still be arriving. */
function visible(text: string): string {
  return withoutThinking(text).trimStart();
}

/** The last characters may be the start of a fence or a tag. */
function safeEnd(text: string): number {
  return text.length - (/[`~<]\/?\w{0,12}$/u.exec(text)?.[0].length ?? 0);
}
