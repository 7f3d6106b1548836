const PLAIN: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', ſ: 's' };

/** Lower case, with one spelling for what phrases take in two. */
export function plainLetters(text: string): string {
  return text.toLowerCase().replace(/[äöüßſ]/gu, (letter) => PLAIN[letter] ?? letter);
}

/** What is in whatever a phrase means: every one of the words, and all of one choice of each group. */
interface Needed {
  readonly words: readonly string[];
  readonly groups: readonly (readonly Needed[])[];
}

/** Tells by its words whether a text can be a phrase, so that only such a phrase is compiled. */
export class PhraseWords {
  readonly #needed: Needed;

  /** @param template as `phrases` has it; one with an open bracket is refused there. */
  constructor(template: string) {
    const choices = new Reader(template).choices();
    this.#needed = { words: [], groups: [choices] };
  }

  /** @param plain the text by `plainLetters`. */
  mayBe(plain: string): boolean {
    return has(plain, this.#needed);
  }
}

function has(plain: string, { words, groups }: Needed): boolean {
  return (
    words.every((word) => plain.includes(word)) &&
    groups.every((choices) => choices.some((choice) => has(plain, choice)))
  );
}

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** What stands between two brackets, or the whole phrase. */
  choices(): Needed[] {
    const found: Needed[] = [];
    do found.push(this.#sequence());
    while (this.#source[this.#at++] === '|');
    return found;
  }

  #sequence(): Needed {
    const words: string[] = [];
    const groups: Needed[][] = [];
    for (let char = this.#source[this.#at]; char && !'|])'.includes(char); char = this.#source[this.#at]) {
      if (char === '{') this.#skipSlot();
      else if (char === '[' || char === '(') {
        this.#at++;
        const choices = this.choices();
        // What is in square brackets may be missing.
        if (char === '(') groups.push(choices);
      } else this.#letters(words);
    }
    return { words, groups };
  }

  /** A slot takes anything here; in its expression brackets are no groups. */
  #skipSlot(): void {
    let depth = 0;
    do {
      const char = this.#source[this.#at++];
      if (char === undefined) return;
      depth += char === '{' ? 1 : char === '}' ? -1 : 0;
    } while (depth > 0);
  }

  /** A run of letters, which may be a part of a longer word in the text. */
  #letters(words: string[]): void {
    const from = this.#at;
    do this.#at++;
    while (/^\p{L}/u.test(this.#source[this.#at] ?? ''));
    const word = this.#source.slice(from, this.#at).replace(/^\P{L}/u, '');
    if (word !== '') words.push(plainLetters(word));
  }
}
