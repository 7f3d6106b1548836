import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { isRecord } from '../../base/json.ts';
import { textOf } from '../../models/reply.ts';
import { Known } from './known.ts';

/** The most that is remembered, in characters; a call that was quoted from more than that is not noticed. */
const MAX_CHARS = 4_000_000;
/** Shorter inputs occur everywhere. */
const MIN_CHARS = 8;
/** And so do shorter scripts. */
const MIN_SCRIPT_CHARS = 24;

/** What was read or said in this conversation. A call that stands in it is quoted, not meant. */
export class ReadTexts {
  /** What the person said and what was shown to the model before. */
  readonly #said = new BareTexts();
  /** What tools gave in this turn. */
  readonly #read = new BareTexts();
  /** The same with its figures, and what the model said before. */
  readonly known = new Known();
  /** Whether a call of this turn gave anything, an error too. */
  hasCalled = false;

  /** What is known when a turn begins: the request, and whatever the model did not say itself. */
  static of(request: string, history: readonly BaseMessage[]): ReadTexts {
    const texts = new ReadTexts();
    texts.#said.add(request);
    texts.known.said(request);
    for (const message of history) texts.known.said(textOf(message));
    for (const message of history) if (!AIMessage.isInstance(message)) texts.#said.add(textOf(message));
    return texts;
  }

  /** Remember what a tool gave. @param call what it was given. */
  add(value: unknown, ...call: readonly unknown[]): void {
    this.hasCalled = true;
    this.known.called(value, ...call);
    this.#read.add(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  }

  /** Remember why a call failed. */
  failed(error: string): void {
    this.hasCalled = true;
    this.known.said(error);
  }

  /** Whether a call of this name with this input stands in one of the texts. */
  hold({ name, input }: { readonly name: string; readonly input: unknown }): boolean {
    const wanted = bare(isRecord(input) || Array.isArray(input) ? JSON.stringify(input) : String(input));
    const tool = bare(name);
    // Without an input only name and format are left to compare, and these are too common.
    if (wanted.length < MIN_CHARS) return false;
    return [this.#said, this.#read].some((texts) => texts.some((text) => text.includes(wanted) && text.includes(tool)));
  }

  /** Whether a script stands in something that was read. The person may well ask for one of their own to be run. */
  holdScript(source: string): boolean {
    const wanted = bare(source);
    return wanted.length >= MIN_SCRIPT_CHARS && this.#read.some((text) => text.includes(wanted));
  }
}

/** Texts that are bared when somebody looks for something in them, which most turns never do. */
class BareTexts {
  #added: string[] = [];
  readonly #bare: string[] = [];
  #chars = 0;

  add(text: string): void {
    this.#added.push(text);
  }

  some(is: (text: string) => boolean): boolean {
    for (const text of this.#added) this.#keep(bare(text));
    this.#added = [];
    return this.#bare.some(is);
  }

  #keep(text: string): void {
    if (this.#chars + text.length > MAX_CHARS) return;
    this.#bare.push(text);
    this.#chars += text.length;
  }
}

/** Letters and digits alone, so that quoting, escaping and layout make no difference. */
function bare(text: string): string {
  return text
    .replace(/\\[nrt"]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
