import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import type { ModelChoice } from '../../models/types.ts';
import { callWithinWindow } from '../fit-to-window.ts';
import type { EngineRun } from '../types.ts';

/** One model call within the model's context window. It is streamed, so that an abort ends it at once. */
export function ask(
  run: EngineRun,
  choice: ModelChoice,
  messages: readonly BaseMessage[],
  onText: (part: string) => void,
): Promise<AIMessageChunk> {
  return callWithinWindow(run, { choice, messages }, async (fitting) => {
    let whole: AIMessageChunk | undefined;
    for await (const chunk of await choice.model.stream(fitting, { signal: run.context.signal })) {
      whole = whole?.concat(chunk) ?? chunk;
      onText(chunk.text);
    }
    run.context.signal.throwIfAborted();
    if (!whole) throw new Error('the model sent nothing');
    return whole;
  });
}

/** How a reply starts when it is going to be a script. */
const SCRIPT_START =
  /^\s*(?:[`~<]|\/[/*]|#!|(?:const|let|var|async|await|function|import|export|for|if|try|return)\b|[\w$.]+\()/u;

/** How many characters it takes to tell prose from a script. */
const SURE_CHARS = 40;

/** Passes on the prose of a reply as it arrives, and nothing of a script, even one that starts later. */
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

  /** The reply turned out to be plain text: show what was held back. */
  finish(): void {
    if (this.#shown >= this.#text.length || SCRIPT_START.test(this.#text)) return;
    this.#show(this.#text.slice(this.#shown));
    this.#shown = this.#text.length;
  }

  /** The last characters may be the start of a fence. */
  #safeEnd(): number {
    return this.#text.length - (/[`~<]\w{0,4}$/u.exec(this.#text)?.[0].length ?? 0);
  }
}
