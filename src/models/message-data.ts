import type { BaseMessage } from '@langchain/core/messages';
import type { Told } from '../base/errors.ts';
import type { Example, Taught } from '../base/examples.ts';
import type { Picture } from '../base/turn.ts';

/** A call that was made, and what it came to. */
export interface Outcome {
  readonly input: Readonly<Record<string, unknown>>;
  readonly ok: boolean;
  /** What a model reads of it. */
  readonly text: string;
  /** The same as data; absent where only the text was kept. */
  readonly value?: unknown;
  /** What kind of result it is, or why it failed; absent where only the text was kept. */
  readonly told?: Told | undefined;
}

/** A call with effects of an earlier turn of the conversation: what "it" and "that" may mean. */
export interface DoneCall {
  /** Of its effect, by which it is undone. */
  readonly id: string;
  /** How many requests ago; 1 is the one just before. */
  readonly ago: number;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What it gave, as far as that was kept. */
  readonly value: unknown;
}

/** The artifact of a tool's result. */
export type ResultData = Pick<Outcome, 'ok' | 'value' | 'told'>;

/** A stretch of a text; whoever says it in another language says the event or the place in its stead. */
export interface TextPart {
  readonly text: string;
  readonly event?: CalendarEvent;
  readonly place?: CitedPlace;
}

/** An event of a calendar file. Days are `2026-11-24`, times `14:00`. */
export interface CalendarEvent {
  readonly title: string;
  readonly day: string;
  readonly time?: string | undefined;
  /** Of the times: an IANA name, absent where the file names none. */
  readonly zone?: string | undefined;
  /** Absent: the event ends on the day on which it begins. */
  readonly lastDay?: string | undefined;
  readonly end?: string | undefined;
  readonly where?: string | undefined;
  /** The recurrence rule of the file: `freq weekly, byday tu`. */
  readonly repeats?: string | undefined;
}

/** Where in a file something stands. */
export interface CitedPlace {
  readonly file: string;
  /** The one right above it. */
  readonly heading?: string | undefined;
  readonly kind: 'line' | 'page' | 'slide';
  readonly from: number;
  readonly to: number;
}

/** The values of a search in the documents. */
export interface FoundData {
  readonly answer: readonly TextPart[];
  /** In the order of the result's passages. */
  readonly passages: readonly { readonly text: readonly TextPart[]; readonly citation: readonly TextPart[] }[];
}

/** A plugin that is off, and what people would say for its tools. */
export interface PluginOffer {
  readonly plugin: string;
  readonly examples: readonly Example[];
}

/** What a message says, for models and readers of ours; providers' clients send none of it. */
export interface MessageData {
  /** A system prompt: what the person has told of themselves. */
  readonly facts?: readonly string[];
  /** A system prompt: what plugins that are off would do. */
  readonly offers?: readonly PluginOffer[];
  /** A system prompt: what people say for the tools of this turn. */
  readonly examples?: readonly Taught[];
  /** A system prompt: what the conversation has done before this turn, oldest first. */
  readonly done?: readonly DoneCall[];
  /** A system prompt that asks for scripts: the tools that they may call, each with how a script names it. */
  readonly functions?: Readonly<Record<string, string>>;
  /** A request: what the person said, where the text has more. */
  readonly said?: string;
  /** A request: what came with it, for models that see. */
  readonly pictures?: readonly Picture[];
  /** A reply that was run as a script. */
  readonly script?: true;
  /** What became of a reply, in the person's role. */
  readonly feedback?: Feedback;
  /** A conversation to be summarised. */
  readonly transcript?: readonly TranscriptLine[];
}

/** Of a script that a program killed while it ran, nothing is known. */
export interface Feedback {
  /** The calls of the script, in their order. */
  readonly outcomes?: readonly Outcome[];
  /** Why the script failed, or the reply could not be run. */
  readonly failed?: string;
}

/** A message, a call or a result. */
export interface TranscriptLine {
  readonly by: 'person' | 'assistant' | 'call' | 'result';
  readonly text: string;
  readonly ok: boolean;
}

/** Beside the text, to be spread into the fields of a message. */
export function withData(data: MessageData): { additional_kwargs: Record<string, unknown> } {
  return { additional_kwargs: { wooster: data } };
}

export function dataOf(message: BaseMessage | undefined): MessageData {
  return (message?.additional_kwargs.wooster as MessageData | undefined) ?? {};
}
