import type { Told } from '../base/errors.ts';
import type { Taught } from '../base/examples.ts';
import type { DoneCall, PluginOffer } from '../models/message-data.ts';
import type { Sayings } from '../when/say.ts';
import type { Language } from '../words/spelling.ts';
import type { ReplyCode } from './reply.ts';

/** One thing said before in the conversation. */
export interface PriorMessage {
  readonly by: 'person' | 'assistant';
  readonly text: string;
}

/** A request as it comes from the conversation. */
export interface RawRequest {
  readonly text: string;
  readonly now: Date;
  /** IANA name; every time of the request is read and said in it. */
  readonly timeZone: string;
  /** Ids of the tools that may be called, dots as `_`. */
  readonly can: (tool: string) => boolean;
  readonly earlier: readonly PriorMessage[];
  /** The name of a text that came with the request. */
  readonly handed?: string | undefined;
  /** It was scheduled and is due now: there is nobody to ask. */
  readonly isDue?: boolean | undefined;
  /** What the owner has told about themselves, as far as the prompt says it: the most relevant first. */
  readonly facts?: readonly string[] | undefined;
  /** What plugins that are off would do. */
  readonly offers?: readonly PluginOffer[] | undefined;
  /** What people say for the tools of this turn. */
  readonly examples?: readonly Taught[] | undefined;
  /** What earlier turns of the conversation did, oldest first. */
  readonly done?: readonly DoneCall[] | undefined;
}

/** What the person asks, with all that is needed to understand it. */
export interface UserRequest extends RawRequest {
  /** The request without courtesy around it; spelling as the person wrote it. */
  readonly text: string;
  /** `text` without the marks at its end: what phrases are tried on. */
  readonly plain: string;
  /** The language to answer in. */
  readonly language: Language;
  /** Days and times in that language. */
  readonly saying: Sayings;
  /** What we say by its code, in that language. */
  readonly tell: (code: ReplyCode, values?: object) => string;
}

/** What a tool answered. */
export interface Result {
  readonly ok: boolean;
  readonly text: string;
  /** The text as JSON, where it is that; else the text. */
  readonly value: unknown;
  readonly input: Readonly<Record<string, unknown>>;
  readonly told?: Told | undefined;
}

/** A call of a tool that the request amounts to. */
export interface Action {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** What to tell the person about a good result: never more than it confirms. */
  readonly say: (result: Result) => string;
}

/** What to do about a request. */
export type Intent =
  | { readonly kind: 'say'; readonly text: string }
  | {
      readonly kind: 'ask';
      readonly text: string;
      /**
       * What to do about an answer, or the whole request with it, to be understood anew; undefined where it answers
       * something else.
       */
      readonly complete: (answer: string) => string | Intent | undefined;
      /** Any words may answer it: "what should I remind you of?" */
      readonly wordsOnly?: boolean | undefined;
    }
  | {
      readonly kind: 'act';
      readonly actions: readonly Action[];
      /** Each call waits for the one before, and is not made where that one failed. */
      readonly inOrder?: boolean | undefined;
      /** What to do next, by what the calls gave; only where none of them failed. */
      readonly next?: ((results: readonly Result[]) => Intent) | undefined;
      /**
       * What to do about a request that answers what the calls told: "the second one". See `complete` of a question.
       */
      readonly complete?: ((answer: string) => Intent | undefined) | undefined;
      /** One text for all results instead of one line each; failures are reported before it is asked. */
      readonly together?: ((results: readonly Result[]) => string) | undefined;
    };

export const say = (text: string): Intent => ({ kind: 'say', text });
export const act = (...actions: readonly Action[]): Intent => ({ kind: 'act', actions });

type Completes = (Intent & { kind: 'ask' })['complete'];
export const ask = (text: string, complete: Completes): Intent => ({ kind: 'ask', text, complete });
/** What any words may answer. */
export const askWords = (text: string, complete: Completes): Intent =>
  ({ ...ask(text, complete), wordsOnly: true }) as Intent;
