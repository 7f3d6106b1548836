import { plainLinks } from '../base/plain-links.ts';
import { counted, preview } from '../base/text.ts';
import { addUsage, NO_USAGE, type StopReason, type TurnEvent, type Usage } from '../base/turn.ts';
import type { AnswerDraft } from './markdown/answer-draft.ts';
import { printable, type Screen } from './screen.ts';

/** How a turn is drawn. */
export interface TurnViewOptions {
  /** Printed before every answer. */
  readonly prefix: string;
  /** Show scripts and their logs. */
  readonly codeLog: boolean;
  /** Show tokens and cost below the answer. */
  readonly showUsage?: boolean | undefined;
}

/** Makes the draft of a streaming answer. */
export type NewDraft = (prefix: string, changed: () => void) => AnswerDraft;

/**
 * Draws one turn for people. Where drafts can be shown, text appears as it arrives and is removed when the turn starts
 * over; elsewhere only whole answers are written.
 */
export class TurnView {
  readonly #screen: Screen;
  readonly #options: TurnViewOptions;
  /** Undefined where only complete text can be shown. */
  readonly #newDraft: NewDraft | undefined;
  /** The draft on the screen, which a retry removes, and its source. */
  #draft: { readonly text: AnswerDraft; source: string } | undefined;
  /** What a script has shown with `output`; the answer that repeats it is not shown again. */
  #outputs = '';
  #failed = false;
  #usage: Usage = NO_USAGE;

  constructor(screen: Screen, options: TurnViewOptions, newDraft?: NewDraft) {
    this.#screen = screen;
    this.#options = options;
    this.#newDraft = screen.drafts ? newDraft : undefined;
  }

  show(event: TurnEvent): void {
    this.#screen.activity(activityAfter(event));
    switch (event.type) {
      case 'token':
        this.#token(printable(event.text));
        break;
      case 'output':
        this.#output(printable(event.text));
        break;
      case 'answer':
        if (event.stop === 'aborted') this.#keep();
        else this.#answer(event.text, event.stop);
        break;
      case 'error':
        this.#failed = true;
        this.#noteLine(`${event.message} ${event.hint}`.trim());
        break;
      case 'notice':
        this.#noteLine(event.text);
        break;
      case 'usage':
        this.#usage = addUsage(this.#usage, { cachedTokens: 0, calls: 1, ...event });
        break;
      case 'claim':
        this.#noteLine(`Not supported by what was done: ${event.text}`);
        break;
      default:
        this.#aside(event);
    }
  }

  /** Steps on the way to the answer: one dim line each. */
  #aside(event: TurnEvent): void {
    if (event.type === 'code' || event.type === 'retry' || event.type === 'fallback') this.#takeBack();
    const line = asideLine(event, this.#options.codeLog);
    const wanted = event.type === 'code' || event.type === 'log';
    if (line !== undefined) this.#dim(line, wanted);
  }

  #token(text: string): void {
    if (!this.#newDraft || text === '') return;
    this.#draft ??= { text: this.#draftWith(this.#options.prefix), source: '' };
    this.#draft.source += text;
    this.#draft.text.add(text);
    this.#screen.draft(this.#draft.text);
  }

  #output(text: string): void {
    this.#takeBack();
    this.#whole(text, '');
    this.#outputs += text;
  }

  /** Printed unless it is on the screen already, token by token or as the output of a script. */
  #answer(text: string, stop: StopReason): void {
    const shown = printable(text).trim();
    const onScreen = [this.#draft?.source ?? '', this.#outputs].some((text) => squeeze(text) === squeeze(shown));
    if (onScreen) this.#keep();
    else this.#takeBack();
    if (!onScreen && (!this.#failed || stop === 'cut_off')) this.#whole(shown, this.#options.prefix);
    if (this.#options.showUsage === true) this.#dim(usageLine(this.#usage), true);
  }

  /** Show a text that is complete. */
  #whole(text: string, prefix: string): void {
    if (this.#newDraft) {
      const draft = this.#draftWith(prefix);
      draft.add(text);
      this.#screen.print(draft.finish(this.#screen.columns));
    } else this.#screen.line(prefix + text);
  }

  /** @param wanted  the user asked to see this: off a terminal it goes to stderr, while other asides are dropped. */
  #dim(text: string, wanted = false): void {
    this.#keep();
    const indented = printable(text).replace(/^/gmu, '  ');
    if (this.#screen.isTerminal) this.#screen.line(indented, 'dim');
    else if (wanted) this.#screen.note(indented);
  }

  #noteLine(text: string): void {
    this.#keep();
    this.#screen.note(printable(text));
  }

  #draftWith(prefix: string): AnswerDraft {
    // Colours of code are loaded late: look at the draft again then, if it is still there.
    const changed = () => this.#draft && this.#screen.draft(this.#draft.text);
    return (this.#newDraft as NewDraft)(prefix, changed);
  }

  /** Keep what is on the screen and continue below it. */
  #keep(): void {
    const draft = this.#draft?.text;
    this.#draft = undefined;
    if (!draft) return;
    this.#screen.draft(undefined);
    this.#screen.print(draft.finish(this.#screen.columns));
  }

  /** Remove the text shown so far; if a part of it is printed for good, say that it is discarded. */
  #takeBack(): void {
    const draft = this.#draft?.text;
    this.#draft = undefined;
    if (!draft) return;
    this.#screen.draft(undefined);
    if (draft.handedOut) this.#screen.line('(the text above is discarded)', 'dim');
  }
}

/** The activity that follows an event. */
function activityAfter(event: TurnEvent): string | undefined {
  if (event.type === 'answer') return undefined;
  if (event.type === 'code') return `script ${event.attempt}`;
  return event.type === 'token' || event.type === 'output' ? 'answering' : 'thinking';
}

/** Undefined for events that are not shown to people. */
function asideLine(event: TurnEvent, codeLog: boolean): string | undefined {
  switch (event.type) {
    case 'code':
      return codeLog ? `script ${event.attempt}:\n${event.source}` : undefined;
    case 'log':
      return codeLog ? `log: ${event.text}` : undefined;
    case 'tool':
      return toolLine(event);
    case 'retry':
      return `trying again in ${(event.waitMs / 1000).toFixed(1)} s: ${event.reason}`;
    case 'fallback':
      return `continuing with ${event.to} instead of ${event.from}: ${event.reason}`;
    case 'compaction':
      if (event.note !== undefined) return event.note;
      return `${counted(event.messages, 'older message')} summarised (${event.before} to ${event.after} tokens)`;
    default:
      return undefined;
  }
}

/** `2 calls, 1520 tokens in, 88 out, 0.0003 USD`. */
function usageLine({ calls, inputTokens, outputTokens, costUsd }: Usage): string {
  const cost = costUsd === undefined ? 'price unknown' : `${costUsd.toFixed(4)} USD`;
  return `${counted(calls, 'call')}, ${inputTokens} tokens in, ${outputTokens} out, ${cost}`;
}

/** JSON results are for the model; people only see that the call worked, or why it did not. */
function toolLine({ name, input, ok, cached, ms, preview: result }: TurnEvent & { type: 'tool' }): string {
  const call = `${name} ${preview(JSON.stringify(input) ?? '', 80)}`;
  if (!ok) return `${call} - failed: ${preview(result, 200)}`;
  const done = cached ? 'already done' : `${ms} ms`;
  return /^[[{]/u.test(result) ? `${call} - ${done}` : `${call} - ${done}: ${preview(result, 100)}`;
}

/** For comparing texts that differ only in line breaks and in how links are written. */
function squeeze(text: string): string {
  return plainLinks(text, { mayLink: () => false, bare: true }).replace(/\s+/gu, '');
}
