import { messageOf } from '../../base/errors.ts';
import type { App } from '../../face/app.ts';
import type { Face } from '../../notify/face.ts';
import { sayAtPrompt } from '../../notify/say-notices.ts';
import type { ShownNotice } from '../../notify/types.ts';

/** A conversation that is open in the editor. */
export interface OpenPanel {
  /** Show a text that is no part of a turn. Fulfilled once the client has read it. @throws if it is gone. */
  tell(text: string): Promise<void>;
}

/**
 * The editor as a place where the owner sees what comes by itself: reminders, and reports of jobs. While a panel is
 * open, the program runs the jobs of the home, as a prompt does.
 */
export class EditorFace {
  readonly #app: App;
  /** The open ones, last the one that was used last. */
  #panels: readonly OpenPanel[] = [];
  #face: Face | undefined;
  /** It is opened and closed one after the other. */
  #line: Promise<void> = Promise.resolve();

  constructor(app: App) {
    this.#app = app;
  }

  /** The person did something in this panel just now. Never rejects. */
  used(panel: OpenPanel): Promise<void> {
    this.#panels = [...this.#panels.filter((each) => each !== panel), panel];
    this.#face?.active();
    return this.#settle();
  }

  /** This panel shows nothing any more. Never rejects. */
  left(panel: OpenPanel): Promise<void> {
    this.#panels = this.#panels.filter((each) => each !== panel);
    return this.#settle();
  }

  #settle(): Promise<void> {
    this.#line = this.#line
      .then(() => (this.#panels.length > 0 ? this.#open() : this.#close()))
      .catch((error: unknown) => this.#app.home.log.error('no face in the editor', { error: messageOf(error) }));
    return this.#line;
  }

  async #open(): Promise<void> {
    const { schedule, store } = this.#app;
    // What a copy of a home shows would be shown again from the home itself.
    if (this.#face || store.unkept) return;
    await this.#app.start();
    const show = (notices: readonly ShownNotice[]) => this.#show(notices);
    this.#face = await schedule.notifier.notices.openFace({ kind: 'editor', runsJobs: true, show });
  }

  async #close(): Promise<void> {
    const face = this.#face;
    this.#face = undefined;
    await face?.close();
  }

  async #show(notices: readonly ShownNotice[]): Promise<void> {
    const panel = this.#panels.at(-1);
    if (!panel) throw new Error('no panel is open');
    await panel.tell(sayAtPrompt(notices, { now: new Date(), timeZone: this.#app.home.timeZone }));
  }
}
