/** Behind it there may be an address, which is judged when the answer is whole. */
const MAY_LINK = /[[<]|:\/\/|www\./iu;

/**
 * The part of an answer that can be sent before all of it is there. A client shows what it was sent, and what it shows
 * may load pictures by itself: whatever could be a link waits until the answer has been judged as a whole.
 */
export class StreamedAnswer {
  #reply = '';
  #sent = '';
  #apart = '';

  /** @returns what may be sent now. */
  token(text: string): string {
    this.#reply = this.#reply === '' ? text.trimStart() : this.#reply + text;
    const certain = this.#certain();
    if (certain.length <= this.#sent.length) return '';
    const more = certain.slice(this.#sent.length);
    this.#sent = certain;
    return this.#after(more);
  }

  /** The model goes about something else, or starts over: what it says next is another paragraph. */
  restart(): void {
    if (this.#sent !== '') this.#apart = '\n\n';
    this.#reply = '';
    this.#sent = '';
  }

  /** @returns what is still to be sent of the whole answer. */
  end(answer: string): string {
    const whole = answer.trimStart();
    if (!whole.startsWith(this.#sent)) this.restart();
    const more = whole.slice(this.#sent.length);
    this.#sent = whole;
    return more === '' ? '' : this.#after(more);
  }

  #after(text: string): string {
    const apart = this.#apart;
    this.#apart = '';
    return apart + text;
  }

  /** Whole words before the first one that may be part of a link. */
  #certain(): string {
    const at = MAY_LINK.exec(this.#reply)?.index ?? this.#reply.length;
    const known = this.#reply.slice(0, at);
    return known.slice(0, known.search(/\S*$/u));
  }
}
