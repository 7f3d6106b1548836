/** What a tool and the gate have to say beside one result, outside of its text. */
export class Notes {
  readonly #notes: string[] = [];

  readonly add = (note: string): void => {
    if (!this.#notes.includes(note)) this.#notes.push(note);
  };

  /** On one line; undefined: there is nothing. */
  text(): string | undefined {
    return this.#notes.length === 0 ? undefined : this.#notes.join(' ');
  }
}
