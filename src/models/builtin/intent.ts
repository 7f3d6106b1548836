import { pattern } from '../../base/pattern.ts';
/** One thing said before in the conversation. */
export interface PriorMessage {
  readonly by: 'person' | 'assistant';
  readonly text: string;
}

/** What the person asks, with all that is needed to understand it. */
export interface UserRequest {
  /** Without politeness around it; spelling as the person wrote it. */
  readonly text: string;
  readonly lower: string;
  readonly now: Date;
  /** IANA name; every time of the request is read and said in it. */
  readonly timeZone: string;
  /** Ids of the tools that may be called, dots as `_`; all of them are assumed in scripts. */
  readonly can: (tool: string) => boolean;
  readonly earlier: readonly PriorMessage[];
}

/** A call of a tool that the request amounts to. */
export interface Action {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What to say about a good result instead of the tool's usual report; `{}` stands for the result. */
  readonly about?: string;
}

/** What to do about a request. `ask` is an answer that waits for the missing part. */
export type Intent =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'ask'; readonly text: string }
  | { readonly kind: 'act'; readonly actions: readonly Action[] };

/** Recognises one family of requests; undefined when it is none of them. */
export type Recognizer = (request: UserRequest) => Intent | undefined;

/** A plain reminder is a scheduled prompt that starts with this; the answer then is the prompt itself. */
export const REMINDER = 'Reminder: ';

export const say = (text: string): Intent => ({ kind: 'say', text });
export const ask = (text: string): Intent => ({ kind: 'ask', text });
export const act = (...actions: readonly Action[]): Intent => ({ kind: 'act', actions });

const POLITE_START = pattern(
  'iu',
  String.raw`^(?:(?:hey|hi|hello|ok|okay|so|well|please|pls|wooster|assistant|kindly)\b[\s,!.:]*|(?:can`,
  "|could|would|will) you (?:please |kindly |maybe )?|i(?:'d| would) like (?:you )?to ",
  "|i (?:want|need) you to |(?:i'd|i would) like to know |do you know |(?:can",
  '|could) you tell me |(?:please )?tell me (?=what|how|when|where|who|which|why)',
  '|let me know (?=what|how|when|where|who|which)|just |go ahead and )',
);
const POLITE_END = /(?:[\s,]*(?:please|pls|thanks|thank you|thx|for me|wooster))+\s*[.!?]*$/iu;

/** Take the politeness off both ends; a text that is nothing else stays as it is. */
export function stripPoliteness(raw: string): string {
  let text = raw.replace(/[’‘]/gu, "'").replace(/\s+/gu, ' ').trim();
  for (let before = ''; before !== text; ) {
    before = text;
    const shorter = text.replace(POLITE_START, '').trimStart();
    if (shorter !== '') text = shorter;
  }
  const shorter = text.replace(POLITE_END, '').trim();
  return shorter === '' ? text : shorter;
}

/** Without the marks that end a sentence or a quotation around the whole. */
export function bare(text: string): string {
  const cut = text.trim().replace(/[\s,;]+$/u, '');
  const quoted = /^(["'“])(.*)(["'”])[.!]?$/su.exec(cut);
  return (quoted?.[2] ?? cut).trim();
}
