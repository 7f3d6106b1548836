import { pattern } from '../../base/pattern.ts';
import { beginning } from '../../base/text.ts';
import { withoutThinking } from '../../base/thinking.ts';
import { claimsWithoutDeeds } from '../../tools/gate/claim-check.ts';
import { inputWords } from '../../tools/gate/effect-rows.ts';
import type { Toolbox } from '../../tools/gate/toolbox.ts';
import type { CallScope } from '../../tools/gate/types.ts';
import type { CallForm } from '../../tools/signature.ts';
import type { Tool } from '../../tools/tool.ts';
import { localTime } from '../../when/calendar.ts';
import type { WantedAnswer } from '../types.ts';
import { isAnswering, type WrittenCall } from './call-shapes.ts';
import { faultOfFinal, inWords } from './final-value.ts';
import { namedWithoutCall } from './not-done.ts';
import type { ReadTexts } from './read-texts.ts';
import { readWritten } from './written-calls.ts';
import { wrongDays, wrongSum } from './wrong-figures.ts';

/** Why a reply goes back to the model, for people; each cause does so once in a turn. */
const CAUSES = {
  empty: 'the reply was empty',
  broken: 'the reply was a call that cannot be read',
  unsure: 'the reply held a call as text',
  unknown: 'the reply called a tool that does not exist',
  code: 'the reply was a program that nothing runs',
  value: 'the answer held no usable value',
  claim: 'the answer claimed what was not done',
  named: 'the answer named what no call did',
  figure: 'the answer held a wrong figure',
  data: 'the answer did not have the form that was asked for',
  unread: 'the answer was given without looking at what the documents have',
} as const;
export type Cause = keyof typeof CAUSES;
/** What is wrong with the answer itself, where the form of the reply was right. */
export const ANSWER_CAUSES: ReadonlySet<Cause> = new Set(['value', 'claim', 'named', 'figure', 'data']);

/** Why a reply in words is not shown, for people: it was meant to be run. */
export const WAS_CALL = 'the reply was a call';

/** What to do with a reply in words. `why` is for people, `reason` for the model. */
export type Verdict =
  /** `quotes`: it holds a call that is not meant, so what it says is not judged further. */
  | { readonly kind: 'answer'; readonly text: string; readonly quotes?: true }
  | { readonly kind: 'calls'; readonly calls: readonly MeantCall[]; readonly why?: string }
  | { readonly kind: 'again'; readonly cause: Cause; readonly why: string; readonly reason: string }
  /** Asking again brought nothing better. */
  | { readonly kind: 'stuck'; readonly why: string; readonly reason: string };

/** A call that was written as text, of a tool that exists. */
export interface MeantCall {
  readonly tool: Tool;
  readonly input: unknown;
}

export interface ReviewDeps {
  readonly toolbox: Toolbox;
  readonly scope: CallScope;
  readonly reads: ReadTexts;
  /** How this mode calls tools. */
  readonly form: CallForm;
  /** The answer is to be data. */
  readonly wanted?: WantedAnswer | undefined;
  /** Figures and what is named are compared with what calls gave; not for a model that says only what they gave. */
  readonly checks?: boolean | undefined;
  /** Calls that would act are noted, not made: an answer may say that they were. */
  readonly tried?: boolean | undefined;
  /** Whether the turn may ask for another reply. */
  readonly hasStepLeft?: (() => boolean) | undefined;
}

/** The person wants to see a call, so one that is shown is the answer. */
const ASKS_FOR_CALL = pattern(
  'iu',
  String.raw`\b(?:what|which|how|show|example|explain|document|print|repeat|echo|quote`,
  String.raw`|write out|give me)\b.{0,80}\b(?:json|(?:tool|function)[ _-]?calls?|syntax`,
  String.raw`|schema|call (?:to|of|for)|calls? look)\b`,
);

/** A program and nothing else, in a language that models are used to have run. */
const PROGRAM = /^```(python3?|py|tool_code|javascript|js|typescript|ts) *\n[^`]*(?:```)?$/iu;
/** The person wants to see a program, or something that is written like one. */
const ASKS_FOR_PROGRAM = pattern(
  'iu',
  String.raw`\b(?:code|s[ck]ript|programm?|funktion|function|snippet|python|(?:java|type)script|js|loop|class`,
  '|algorithm|regex|example|implement|write|schreib|beispiel|show me|zeig)',
);

/** Judges replies in words, in both modes: calls written as text, slips that go back to the model once, answers. */
export class ReplyReview {
  readonly #deps: ReviewDeps;
  readonly #asked = new Set<Cause>();
  #source: string | undefined;

  constructor(deps: ReviewDeps) {
    this.#deps = deps;
  }

  /** Judge a whole reply. */
  async reply(text: string): Promise<Verdict> {
    const words = withoutThinking(text).trim();
    if (words === '') return this.empty();
    return (await this.#data(words)) ?? this.#whole(this.#written(words), words, false);
  }

  /** Judge what a script gave as its answer. @param source the script: what is not written in it was computed. */
  async final(text: string, source?: string): Promise<Verdict> {
    this.#source = source;
    const written = /^\s*[[{<]/u.test(text) ? this.#written(text) : undefined;
    const verdict = (await this.#data(text)) ?? (await this.#whole(written, text, true));
    return verdict.kind === 'answer' && !this.#deps.wanted ? { ...verdict, text: inWords(verdict.text) } : verdict;
  }

  /** An answer that is data as it was asked for. */
  async #data(text: string): Promise<Verdict | undefined> {
    const read = await this.#deps.wanted?.read(text);
    return read && 'json' in read ? { kind: 'answer', text: read.json, quotes: true } : undefined;
  }

  async #whole(written: Verdict | undefined, text: string, made: boolean): Promise<Verdict> {
    if (written?.kind !== 'answer')
      return written ?? (made ? undefined : this.#program(text)) ?? this.#answer(text, made);
    return written.quotes ? written : this.#answer(written.text, made);
  }

  /** Nothing came, or thinking alone. */
  empty(): Verdict {
    return this.#insist('empty', `Your last reply was empty. ${this.#wanted()}`);
  }

  /** What a reply is that is more than words; undefined for plain words. */
  #written(text: string): Verdict | undefined {
    const { toolbox, scope, form } = this.#deps;
    const isTool = (name: string) => toolbox.meant(name) !== undefined;
    const written = readWritten(text, { isTool, functions: form === 'tool' });
    if (!written) return undefined;
    if (written.kind === 'answer') return written;
    const asItIs: Verdict = { kind: 'answer', text, quotes: true };
    if (written.kind === 'quoted') return asItIs;
    if (written.kind === 'broken')
      return this.#insist('broken', `Your last reply was meant as a call, but could not be read. ${this.#howToCall()}`);
    if (/\bjson\b/iu.test(scope.turn.text) && written.calls.every(({ name }) => !isTool(name))) return asItIs;
    const answer = answerIn(written.calls, this.#deps.wanted !== undefined);
    if (answer !== undefined) return { kind: 'answer', text: answer };
    if (ASKS_FOR_CALL.test(scope.turn.text) || written.calls.some((call) => this.#deps.reads.hold(call))) return asItIs;
    if (written.kind === 'unsure') {
      const reason = `Your last reply held a call as text, which was not run. If it is meant: ${this.#howToCall()}`;
      return this.#once('unsure', reason) ?? asItIs;
    }
    return this.#calls(written.calls);
  }

  /** A program that the model believes to be run; undefined where it is an answer. */
  #program(text: string): Verdict | undefined {
    const language = PROGRAM.exec(text)?.[1];
    if (language === undefined || ASKS_FOR_PROGRAM.test(this.#deps.scope.turn.text)) return undefined;
    return this.#once('code', `Your reply was a program, and nothing runs ${language} here. ${this.#howToCall()}`);
  }

  #calls(calls: readonly WrittenCall[]): Verdict {
    const { toolbox, form } = this.#deps;
    const real = calls.filter(({ name }) => toolbox.meant(name) !== undefined || !isAnswering(name));
    if (real.length === 0) return this.#insist('broken', `Your last reply could not be read. ${this.#wanted()}`);
    const meant = real.map((call) => ({ call, tool: toolbox.meant(call.name) }));
    const strange = meant.find(({ tool }) => tool === undefined);
    if (strange) {
      const reason = `${toolbox.explainUnknown(strange.call.name, form)} Nothing was run. ${this.#howToCall()}`;
      return this.#insist('unknown', reason);
    }
    const run = meant.flatMap(({ call, tool }) => (tool ? [{ tool, input: call.input }] : []));
    return { kind: 'calls', calls: run };
  }

  async #answer(text: string, made: boolean): Promise<Verdict> {
    const { scope, wanted, form } = this.#deps;
    if (wanted) {
      const read = await wanted.read(text);
      if ('json' in read) return { kind: 'answer', text: read.json };
      const how =
        form === 'tool' ? `Call ${wanted.tool.name} with the whole answer.` : 'Call finalAnswer(value) again.';
      return this.#once('data', `${read.problem} ${how}`) ?? { kind: 'answer', text };
    }
    const fault = faultOfFinal(text, { made, request: scope.turn.text });
    if (fault !== undefined) {
      const reason = `Your answer was not shown: ${fault}. Look at the values that the calls gave, and answer again.`;
      const again = text.trim() === '' ? this.#insist('value', reason) : this.#once('value', reason);
      if (again) return again;
    }
    const amiss = (await this.#claim(text)) ?? (await this.#unfounded(text, made)) ?? (await this.#unread());
    return amiss ?? { kind: 'answer', text };
  }

  /** An answer without any call, although one would answer the request: that is made once, as if asked for. */
  async #unread(): Promise<Verdict | undefined> {
    const { scope, reads, toolbox, checks, hasStepLeft } = this.#deps;
    const { turn, context, said } = scope;
    if (!checks || reads.hasCalled || turn.material?.length || this.#asked.has('unread') || !hasStepLeft?.())
      return undefined;
    this.#asked.add('unread');
    const { signal, timeZone } = context;
    const asked = { turn, said, signal, timeZone, now: () => context.now() };
    for (const tool of toolbox.list()) {
      // Where it cannot look, the answer stands.
      const found = await tool.presentation.answers?.(turn.text, asked).catch(() => undefined);
      const isKnown = found?.citations.some((citation) => reads.known.has(citation));
      if (found && !isKnown) return { kind: 'calls', calls: [{ tool, input: found.input }], why: CAUSES.unread };
    }
    return undefined;
  }

  /** An answer with a figure, channel, file or time that no call supports: once, with what is right. */
  async #unfounded(text: string, made: boolean): Promise<Verdict | undefined> {
    const { scope, reads, checks } = this.#deps;
    if (!checks) return undefined;
    // What a script has put together it has computed; only what it has as words is the model's own.
    const own = made ? literalsOf(text, this.#source) : text;
    const suspect = this.#compared(own);
    if (suspect.wrong === undefined && suspect.named.length === 0) return undefined;
    // Read only where it can clear an answer: calls within scripts are known to the ledger alone.
    const done = (await scope.ledger.list()).filter(({ state }) => state === 'done');
    for (const { tool, input, result } of done) reads.known.called(tool, input, result ?? '');
    const { wrong, named } = this.#compared(own);
    if (wrong !== undefined) return this.#once('figure', `${wrong} Answer again with the right figure and its parts.`);
    if (done.length === 0 || named.length === 0) return undefined;
    const what = named.map((each) => `"${each}"`).join(', ');
    const did = done.map(({ tool, input }) => `${tool} ${inputWords(input, 120)}`).join('; ');
    const fact = `You wrote ${what}, which no call of this turn used or gave. Done was: ${did}.`;
    return this.#once('named', `${fact} Say what was done.`);
  }

  #compared(text: string): { readonly wrong: string | undefined; readonly named: readonly string[] } {
    const { scope, reads } = this.#deps;
    const { timeZone } = scope.context;
    const now = localTime(scope.context.now(), timeZone);
    const figures = { known: reads.known.figures(), today: now.slice(0, 10) };
    return {
      wrong: wrongDays(text, figures) ?? wrongSum(text, figures),
      named: namedWithoutCall(text, reads.known, { now: now.slice(11, 16), timeZone }),
    };
  }

  /** An answer that says something was done although nothing was. */
  async #claim(text: string): Promise<Verdict | undefined> {
    if (this.#deps.tried) return undefined;
    const { ledger } = this.#deps.scope;
    const [claim] = await claimsWithoutDeeds(text, ledger);
    if (claim === undefined) return undefined;
    const fact = `You wrote "${beginning(claim, 200)}", but nothing was done: no call in this turn did that.`;
    return this.#once('claim', `${fact} Do it now, or say that it was not done.`);
  }

  #once(cause: Cause, reason: string): Verdict | undefined {
    if (this.#asked.has(cause)) return undefined;
    this.#asked.add(cause);
    return { kind: 'again', cause, why: CAUSES[cause], reason };
  }

  #insist(cause: Cause, reason: string): Verdict {
    return this.#once(cause, reason) ?? { kind: 'stuck', why: CAUSES[cause], reason };
  }

  #wanted(): string {
    return this.#deps.form === 'function'
      ? 'Reply with one ```js block, or with the answer in plain text.'
      : 'Call a tool, or answer in plain text.';
  }

  #howToCall(): string {
    return this.#deps.form === 'function'
      ? 'Reply with one ```js block that calls the functions, or with the answer in plain text.'
      : 'Use a real tool call, or answer in plain text.';
  }
}

/** The parts of a script's answer that stand in it word for word. */
function literalsOf(text: string, source: string | undefined): string {
  if (source === undefined) return '';
  const words = text.split(/(?<=\s)/u).filter((word) => source.includes(word.trim()));
  return words.join('');
}

/** The text of an answer that was sent as a call; undefined where a real call stands beside it. */
function answerIn(calls: readonly WrittenCall[], asData: boolean): string | undefined {
  const [only, ...more] = calls;
  if (!only || more.length > 0 || !isAnswering(only.name)) return undefined;
  if (asData) return JSON.stringify(only.input ?? null);
  if (typeof only.input === 'string') return only.input;
  const texts = Object.values((only.input ?? {}) as Record<string, unknown>).filter((each) => typeof each === 'string');
  return texts.length === 1 ? texts[0] : undefined;
}
