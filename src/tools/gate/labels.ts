import type { Provenance } from '../../base/turn.ts';

/** The list of sources is shown with each request for approval; the oldest are dropped first. */
const MAX_SOURCES = 12;

/**
 * What a conversation has read so far. Once set, a flag stays for the life of the conversation. `onChange` saves the
 * flags; it runs before the text that set them reaches a model.
 */
export class Labels {
  #untrusted: boolean;
  #private: boolean;
  readonly #sources: string[];
  readonly #onChange: (labels: Provenance) => void;

  constructor(start: Provenance, onChange: (labels: Provenance) => void = () => {}) {
    this.#untrusted = start.untrusted;
    this.#private = start.private;
    this.#sources = [...start.sources];
    this.#onChange = onChange;
  }

  get untrusted(): boolean {
    return this.#untrusted;
  }

  get private(): boolean {
    return this.#private;
  }

  provenance(): Provenance {
    return { untrusted: this.#untrusted, private: this.#private, sources: [...this.#sources] };
  }

  /** Record that text with these labels entered the conversation. @param source for people: the tool and the place. */
  read(text: { readonly untrusted: boolean; readonly private: boolean }, source: string): void {
    const known = (!text.untrusted || this.#untrusted) && (!text.private || this.#private);
    if (known && (this.#sources.includes(source) || !(text.untrusted || text.private))) return;
    this.#untrusted ||= text.untrusted;
    this.#private ||= text.private;
    this.#sources.push(source);
    if (this.#sources.length > MAX_SOURCES) this.#sources.shift();
    this.#onChange(this.provenance());
  }
}

/** Of a conversation that has read nothing. */
export const CLEAN: Provenance = { untrusted: false, private: false, sources: [] };
