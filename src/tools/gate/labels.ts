import type { Provenance } from '../../base/turn.ts';

/** The list of sources is shown with each request for approval; the oldest are dropped first. */
const MAX_SOURCES = 12;

/**
 * What a conversation has read so far. Once set, a flag stays for the life of the conversation. `save` keeps the flags;
 * it has ended well before the text that set them reaches a model.
 */
export class Labels {
  #untrusted: boolean;
  #private: boolean;
  readonly #sources: string[];
  readonly #save: (labels: Provenance) => Promise<void>;
  #unsaved = false;
  /** Ends with the newest save. */
  #saving: Promise<void> = Promise.resolve();

  constructor(start: Provenance, save: (labels: Provenance) => Promise<void> = async () => {}) {
    this.#untrusted = start.untrusted;
    this.#private = start.private;
    this.#sources = [...start.sources];
    this.#save = save;
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

  /**
   * Record that text with these labels entered the conversation: for calls side by side at once, in the store when the
   * promise resolves. Only then may a model see the text.
   *
   * @param source for people: the tool and the place.
   */
  read(text: { readonly untrusted: boolean; readonly private: boolean }, source: string): Promise<void> {
    this.#raise(text, source);
    // Also when nothing is new: a save by a call side by side may be under way, or have failed.
    this.#saving = this.#saving.catch(() => {}).then(() => this.#keep());
    return this.#saving;
  }

  #raise(text: { readonly untrusted: boolean; readonly private: boolean }, source: string): void {
    const known = (!text.untrusted || this.#untrusted) && (!text.private || this.#private);
    if (known && (this.#sources.includes(source) || !(text.untrusted || text.private))) return;
    this.#untrusted ||= text.untrusted;
    this.#private ||= text.private;
    this.#sources.push(source);
    if (this.#sources.length > MAX_SOURCES) this.#sources.shift();
    this.#unsaved = true;
  }

  async #keep(): Promise<void> {
    if (!this.#unsaved) return;
    this.#unsaved = false;
    try {
      await this.#save(this.provenance());
    } catch (error) {
      this.#unsaved = true;
      throw error;
    }
  }
}

/** Both lists without repetitions, the newer one last. */
export function mergeSources(older: readonly string[], newer: readonly string[]): string[] {
  return [...older.filter((source) => !newer.includes(source)), ...newer].slice(-MAX_SOURCES);
}

/** Of a conversation that has read nothing. */
export const CLEAN: Provenance = { untrusted: false, private: false, sources: [] };
