import type { Values, Written } from './values.ts';

/** Some lines of the program. They are left out where nothing needs what they give. */
export interface Lines {
  readonly text: string;
  /** The variable that they give a value to. */
  readonly gives?: string | undefined;
  readonly uses: ReadonlySet<string>;
  /** They act or print: they stay. */
  readonly stays: boolean;
}

/** Writes the closing answer as what prints it again: its text, with what came from results read from there. */
export class AnswerWriter {
  readonly #values: Values;
  readonly #item: string;

  /** @param item the name of an item in a loop. */
  constructor(values: Values, item: string) {
    this.#values = values;
    this.#item = item;
  }

  /** @returns undefined for an answer that somebody put into words. */
  lines(answer: string): Lines[] | undefined {
    const text = answer.trim();
    if (text === '') return [];
    const all = text.split('\n');
    return this.#looped(all) ?? this.#printed(all);
  }

  #printed(lines: readonly string[]): Lines[] | undefined {
    const text = lines.join('\n').trim();
    if (text === '') return [];
    const written = this.#values.template(text);
    return written.composed ? undefined : [{ text: `print ${written.text}`, uses: written.uses, stays: true }];
  }

  /** Lines of which each tells of one item of a list, with what stands around them. */
  #looped(lines: readonly string[]): Lines[] | undefined {
    for (const { items, path } of this.#values.lists()) {
      for (let start = 0; start + items.length <= lines.length; start += 1) {
        const line = this.#sameFor(items, lines.slice(start, start + items.length));
        const [before, after] = line
          ? [this.#printed(lines.slice(0, start)), this.#printed(lines.slice(start + items.length))]
          : [];
        if (!line || !before || !after) continue;
        const uses = new Set([...line.uses, /^\w+/u.exec(path)?.[0] ?? path].filter((name) => name !== this.#item));
        const text = `for ${this.#item} in ${path} {\nprint ${line.text}\n}`;
        return [...before, { text, uses, stays: true }, ...after];
      }
    }
    return undefined;
  }

  /** The one way in which each line is made of its item. */
  #sameFor(items: readonly unknown[], lines: readonly string[]): Written | undefined {
    const written = lines.map((line, index) =>
      this.#values.within({ name: this.#item, value: items[index], isRead: true }, () => this.#values.template(line)),
    );
    const [first] = written;
    const isSame = written.every(({ text, composed }) => !composed && text === first?.text);
    return isSame && first?.uses.has(this.#item) ? first : undefined;
  }
}
