import { h } from './dom.ts';
import type { Place } from './places.ts';
import { stream } from './stream.ts';
import { attempt } from './tell.ts';
import { t, type Word } from './words.ts';

/** A room of the page. What it shows is asked for when it is entered, and when something has changed. */
export abstract class View extends HTMLElement {
  protected readonly leaving = new AbortController();
  #loading: Promise<unknown> | undefined;
  #again = false;

  connectedCallback(): void {
    this.build();
    const stops = [stream.on('changed', () => void this.refresh()), stream.on('missed', () => void this.refresh())];
    this.leaving.signal.addEventListener('abort', () => {
      for (const stop of stops) stop();
    });
    void this.refresh();
  }

  disconnectedCallback(): void {
    this.leaving.abort();
  }

  /** The page is elsewhere in this room now. */
  moved(_place: Place): void {}

  /** Show how things are now; what is asked for while it does so is done once more. */
  async refresh(): Promise<void> {
    this.#again = this.#loading !== undefined;
    if (this.#loading) return;
    this.#loading = attempt(() => this.load());
    await this.#loading;
    this.#loading = undefined;
    if (this.#again) await this.refresh();
  }

  /** Make what stays. */
  protected abstract build(): void;

  /** Fill in what changes. */
  protected abstract load(): Promise<void>;
}

/** The heading of a room, the one `h1` of the page. */
export function heading(text: string): HTMLElement {
  return h('h1', { tabindex: -1 }, text);
}

/** A titled part of a room, hidden as long as it has nothing to show. */
export function part(word: Word): {
  readonly section: HTMLElement;
  readonly body: HTMLElement;
  show(some: boolean): void;
} {
  const body = h('div', { class: 'part-body' });
  const section = h('section', { class: 'part', hidden: true }, h('h2', {}, t(word)), body);
  return { section, body, show: (some) => (section.hidden = !some) };
}
