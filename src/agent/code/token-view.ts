/** What a reply in code mode can begin with when it is going to be a script. */
const SCRIPT_START =
  /^\s*(?:[`~<]|\/[/*]|#!|(?:const|let|var|async|await|function|import|export|for|if|try|return)\b|[\w$.]+\()/u;
const SURE_CHARS = 40;

/** Passes on the words of a reply that is plain text, and nothing of one that is, or turns into, a script. */
export class ProseView {
  readonly #show: (text: string) => void;
  #text = '';
  #shown = 0;

  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  add(part: string): void {
    this.#text += part;
    if (this.#text.trim().length < SURE_CHARS) return;
    const fence = this.#text.search(/[`~]{2,}|<code/u);
    const end = SCRIPT_START.test(this.#text) ? 0 : fence < 0 ? this.#safeEnd() : fence;
    if (end <= this.#shown) return;
    this.#show(this.#text.slice(this.#shown, end));
    this.#shown = end;
  }

  /** The reply is plain text: what was held back follows. */
  finish(): void {
    if (this.#shown >= this.#text.length || SCRIPT_START.test(this.#text)) return;
    this.#show(this.#text.slice(this.#shown));
    this.#shown = this.#text.length;
  }

  /** The last characters may be the beginning of a fence. */
  #safeEnd(): number {
    return this.#text.length - (/[`~<]\w{0,4}$/u.exec(this.#text)?.[0].length ?? 0);
  }
}
