/** What has become of a piece of a reply. */
export interface Taken {
  /** For the reader, now. */
  readonly text: string;
  /** How much of the piece belongs to the call that has just been announced. */
  readonly beyondMarker: number;
}

/** Sorts a reply, piece by piece, into what is said and the text of its calls. */
export class ReplyText {
  readonly #marker: string | undefined;
  readonly #stops: readonly string[];
  #said = '';
  #shown = 0;
  #call: string | undefined;
  /** A stop sequence has come. */
  ended = false;

  /**
   * @param marker  what announces a call; undefined where there is none to make.
   * @param called  the marker has been written into the prompt.
   */
  constructor({
    marker,
    called = false,
    stops,
  }: { marker: string | undefined; called?: boolean; stops: readonly string[] }) {
    this.#marker = marker;
    this.#stops = stops;
    if (called) this.#call = marker;
  }

  /** The calls, marker included; undefined before the first. */
  get call(): string | undefined {
    return this.#call;
  }

  add(piece: string): Taken {
    if (this.#call !== undefined) {
      this.#call += piece;
      return { text: '', beyondMarker: 0 };
    }
    this.#said += piece;
    const at = this.#markerAt();
    if (at >= 0 && this.#marker !== undefined) {
      const beyondMarker = this.#said.length - at - this.#marker.length;
      this.#call = this.#marker;
      return { text: this.#show(at), beyondMarker };
    }
    const stop = this.#stopAt();
    this.ended = stop >= 0;
    return { text: this.#show(this.ended ? stop : this.#said.length - this.#heldBack()), beyondMarker: 0 };
  }

  /** What was held back because it might have been a marker or a stop sequence. */
  rest(): string {
    return this.#call === undefined && !this.ended ? this.#show(this.#said.length) : '';
  }

  #show(end: number): string {
    const text = this.#said.slice(this.#shown, end);
    this.#shown = Math.max(this.#shown, end);
    return text;
  }

  /** A tag announces a call wherever it stands, a brace only as the first character of the reply. */
  #markerAt(): number {
    if (this.#marker === undefined) return -1;
    const at = this.#said.indexOf(this.#marker);
    return this.#marker.startsWith('{') && this.#said.slice(0, at).trim() !== '' ? -1 : at;
  }

  #stopAt(): number {
    const found = this.#stops.map((stop) => this.#said.indexOf(stop)).filter((at) => at >= 0);
    return found.length === 0 ? -1 : Math.min(...found);
  }

  /** How many characters at the end may be the beginning of a marker or a stop sequence. */
  #heldBack(): number {
    const awaited = [...(this.#marker === undefined ? [] : [this.#marker]), ...this.#stops];
    return Math.max(0, ...awaited.map((each) => overlap(this.#said, each)));
  }
}

/** The longest end of a text that is a beginning of another. */
function overlap(text: string, next: string): number {
  let length = Math.min(text.length, next.length - 1);
  while (length > 0 && !text.endsWith(next.slice(0, length))) length--;
  return length;
}
