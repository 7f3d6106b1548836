import { AIMessage, type AIMessageChunk, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { AssistantError } from '../../base/errors.ts';
import { endMarker } from '../../models/reply.ts';
import type { Ask } from './ask-model.ts';
import { hasCalls } from './reply.ts';

/** How much of an answer's end is quoted for the model to start from, in characters. */
const TAIL_CHARS = 120;

/** How much of a continuation is held back to find the repeated end: the quote, and what a model puts before it. */
const HELD_CHARS = 2 * TAIL_CHARS;

/** Shorter overlaps happen by chance. */
const MIN_OVERLAP = 8;

const LENGTH_LIMIT = /length|max_tokens|max_output/iu;

export interface WholeReply {
  readonly reply: AIMessage | AIMessageChunk;
  /** How many model calls it took. */
  readonly requests: number;
}

export interface ContinueOptions {
  /** The most requests for the rest of one answer. */
  readonly max: number;
  /** The text as the model may be told it again. */
  readonly clean: (text: string) => string;
  /** Gets the words of the first reply as they arrive. */
  readonly onText: (text: string) => void;
  /** Gets the words of the rest. */
  readonly show: (text: string) => void;
  /** Told why the rest did not come; the answer so far is kept. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Ask, and while the length limit cuts off the answer, ask for the rest. The model is told to start with the last
 * words that arrived, so that the pieces can be joined even inside a word; in the answer they appear once.
 */
export async function askWhole(
  ask: Ask,
  messages: readonly BaseMessage[],
  { max, clean, onText, show, onFailure }: ContinueOptions,
): Promise<WholeReply> {
  let reply = await ask(messages, onText);
  let requests = 1;
  while (requests <= max && isCutText(reply)) {
    const before = clean(reply.text);
    const seam = new Seam(before, show);
    try {
      const rest = await ask([...messages, new AIMessage(before), new HumanMessage(goOn(before))], (part) =>
        seam.add(part),
      );
      requests++;
      rest.content = before + seam.end(rest.text);
      reply = rest;
    } catch (error) {
      if (!(error instanceof AssistantError)) throw error;
      onFailure(error);
      break;
    }
  }
  return { reply, requests };
}

/** Whether a reply without calls hit the length limit. After a broken connection nothing is continued. */
function isCutText(reply: AIMessage | AIMessageChunk): boolean {
  return !hasCalls(reply) && reply.text.trim() !== '' && LENGTH_LIMIT.test(endMarker(reply) ?? '');
}

function goOn(text: string): string {
  const rules = [
    'Your answer was cut off at the length limit.',
    'Continue where it stopped: start with its last words, exactly as quoted between the lines, then write the rest.',
    'Do not start over and do not say that you are continuing.',
  ];
  return `${rules.join(' ')}\n---\n${tailOf(text)}\n---`;
}

/** The end of a text, from the start of a word. */
function tailOf(text: string): string {
  const tail = text.slice(-TAIL_CHARS);
  const word = /\s/u.exec(tail);
  return (text.length > tail.length && word ? tail.slice(word.index) : tail).trim();
}

/** Joins a continuation to what it continues, showing and returning only what is new. */
export class Seam {
  readonly #before: string;
  readonly #show: (text: string) => void;
  #held = '';
  #open = true;

  constructor(before: string, show: (text: string) => void) {
    this.#before = before;
    this.#show = show;
  }

  /** A piece of the continuation as it arrives. */
  add(part: string): void {
    if (this.#open) {
      this.#held += part;
      if (this.#held.length >= HELD_CHARS) this.#release();
    } else this.#show(part);
  }

  /** @param whole the complete continuation. @returns the part of it to append. */
  end(whole: string): string {
    this.#release();
    return joinable(this.#before, whole);
  }

  #release(): void {
    if (!this.#open) return;
    this.#open = false;
    const text = joinable(this.#before, this.#held);
    if (text !== '') this.#show(text);
  }
}

/** The continuation without what it repeats. Its first HELD_CHARS decide, so that a part is joined like the whole. */
function joinable(before: string, whole: string): string {
  const head = whole.slice(0, HELD_CHARS);
  // Models put a line break, an ellipsis or a quote before the words that they repeat.
  const marks = /^[\s…"“„«.-]*/u.exec(head)?.[0].length ?? 0;
  for (const skip of [0, marks]) {
    const repeated = overlap(before, head.slice(skip));
    if (repeated > 0) return whole.slice(skip + repeated);
  }
  const isSplit = /[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(whole);
  return isSplit ? ` ${whole}` : whole;
}

/** How much of the start of `next` repeats the end of `before`. A short overlap counts if no more was quoted. */
function overlap(before: string, next: string): number {
  const tail = before.trimEnd();
  const least = Math.min(MIN_OVERLAP, tailOf(before).length);
  for (let length = Math.min(tail.length, next.length); length >= least; length--) {
    if (tail.endsWith(next.slice(0, length))) return length;
  }
  return 0;
}
