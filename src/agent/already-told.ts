import type { TurnEvent } from '../base/turn.ts';

/** What a run's own call of `notify` or a channel's tool sent to the owner. */
interface SentMessage {
  readonly text: string;
  /** Undefined: the default channel. */
  readonly channel: string | undefined;
}

/** An answer that only says that something was sent: "Done, I have reminded you." */
const CONFIRMING = /\b(?:sent|notified|reminded|delivered|messaged|gesendet|geschickt|erinnert|benachrichtigt)\b/iu;
const SHORT_CHARS = 200;
/** An answer with at least this share of its words in a message repeats it. */
const REPEATING = 0.7;

/** Keeps a scheduled run from telling its owner the same twice: by a message of its own, and by its answer. */
export class AlreadyTold {
  readonly #sent: SentMessage[] = [];

  note(event: TurnEvent): void {
    if (event.type !== 'tool' || !event.ok || !/(?:^|_)notify$/u.test(event.name)) return;
    const input = event.input as { readonly text?: unknown; readonly to?: unknown } | null;
    const own = event.name.slice(0, -'_notify'.length);
    const channel = event.name === 'notify' ? input?.to : own;
    this.#sent.push({ text: String(input?.text ?? ''), channel: channel === undefined ? undefined : String(channel) });
  }

  /** Does the answer add nothing to what was sent to the channel? */
  covers(answer: string, channel: string | undefined): boolean {
    const here = this.#sent.filter((told) => told.channel === undefined || told.channel === channel);
    if (here.length === 0) return false;
    if (answer.length <= SHORT_CHARS && CONFIRMING.test(answer)) return true;
    const sent = new Set(here.flatMap(({ text }) => wordsOf(text)));
    const words = wordsOf(answer);
    return words.filter((word) => sent.has(word)).length >= words.length * REPEATING;
  }
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
