import type { Notifier } from '../../notify/contract.ts';
import { choicesAbout, sayAtPrompt } from '../../notify/say-notices.ts';
import type { ShownNotice } from '../../notify/types.ts';

/** Whoever has written nothing for so long may have put the phone away. */
const THERE_MS = 15 * 60_000;

export interface ChatFaceDeps {
  readonly notifier: Notifier;
  readonly channel: string;
  readonly timeZone: string;
  readonly now: () => Date;
}

/** The owner's own chat as a place where they see something, for a while after they have written there. */
export class ChatFace {
  readonly #deps: ChatFaceDeps;
  #open: Promise<{ active(): void; close(): Promise<void> }> | undefined;
  #chat = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: ChatFaceDeps) {
    this.#deps = deps;
  }

  /** They have just written in this chat, where nobody else is. */
  async active(chat: string): Promise<void> {
    this.#chat = chat;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.close(), THERE_MS).unref();
    this.#open ??= this.#deps.notifier.notices.openFace({
      ...{ kind: 'chat', runsJobs: false },
      show: (notices) => this.#show(notices),
    });
    (await this.#open).active();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const open = this.#open;
    this.#open = undefined;
    await open?.then((face) => face.close()).catch(() => undefined);
  }

  /** Where it was asked for, if that was on this channel. */
  #placeOf({ answers }: ShownNotice) {
    const asked = answers?.channel === this.#deps.channel ? answers : undefined;
    return asked ? { chat: asked.chat, replyTo: asked.message } : { chat: this.#chat };
  }

  /** @throws Error when one did not arrive: then the face is gone, and they go their further way. */
  async #show(notices: readonly ShownNotice[]): Promise<void> {
    const { notifier, channel, timeZone, now } = this.#deps;
    for (const notice of notices) {
      const message = {
        ...{ to: channel, ...this.#placeOf(notice), text: sayAtPrompt([notice], { now: now(), timeZone }) },
        // One that comes again is due at another time.
        ...{ idempotencyKey: `face:${notice.key} ${notice.at.toISOString()}`, choices: choicesAbout(notice.number) },
      };
      const { state, detail } = await notifier.send(message, AbortSignal.timeout(8000));
      if (state === 'sent') continue;
      this.#open = undefined;
      throw new Error(detail);
    }
  }
}
