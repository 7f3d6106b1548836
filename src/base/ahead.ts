/**
 * Finds the next place in a text where something stands. As long as the places asked about ascend, all answers together
 * cost one pass over the text, where a search from each of them would cost one pass each.
 */
export class Ahead {
  readonly #text: string;
  readonly #wanted: RegExp;
  #asked = 0;
  #found = -1;

  /** @param wanted a pattern that decides on one character, with the flags `g` and `u`. */
  constructor(text: string, wanted: RegExp) {
    this.#text = text;
    this.#wanted = new RegExp(wanted);
  }

  /** The first place from `at` on; the length of the text when there is none. */
  from(at: number): number {
    if (at < this.#asked || at > this.#found) {
      this.#wanted.lastIndex = at;
      this.#found = this.#wanted.exec(this.#text)?.index ?? this.#text.length;
      this.#asked = at;
    }
    return this.#found;
  }
}
