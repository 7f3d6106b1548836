import { styleText } from 'node:util';
import { counted, preview } from '../base/text.ts';
import { addUsage, NO_USAGE, type TurnEvent, type Usage } from '../base/turn.ts';
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

/**
 * Draws one turn for people. On a terminal, tokens appear as they arrive and are erased when the turn starts over;
 * elsewhere nothing can be erased, so only whole answers are written.
 */
export class TurnView {
  readonly #screen: Screen;
  readonly #options: TurnViewOptions;
  /** Tokens on the screen that a retry would erase. */
  #partial = '';
  /** What a script has shown with `output`; the answer that repeats it is not shown again. */
  #outputs = '';
  #failed = false;
  #usage: Usage = NO_USAGE;

  constructor(screen: Screen, options: TurnViewOptions) {
    this.#screen = screen;
    this.#options = options;
  }

  /** An error was shown: the text of the answer would only repeat it. */
  get failed(): boolean {
    return this.#failed;
  }

  show(event: TurnEvent): void {
    switch (event.type) {
      case 'token':
        this.#token(printable(event.text));
        break;
      case 'output':
        this.#output(event.text);
        break;
      case 'answer':
        if (event.stop === 'aborted') this.#keep();
        else this.#answer(event.text);
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

  /** What happens on the way to the answer: one dim line each. */
  #aside(event: TurnEvent): void {
    if (event.type === 'code' || event.type === 'retry' || event.type === 'fallback') this.#erase();
    const line = asideLine(event, this.#options.codeLog);
    const wanted = event.type === 'code' || event.type === 'log';
    if (line !== undefined) this.#dim(line, wanted);
  }

  /** Off a terminal nothing can be erased, so tokens are left to the answer. */
  #token(text: string): void {
    if (!this.#screen.isTerminal || text === '') return;
    this.#screen.write(this.#partial === '' ? this.#options.prefix + text : text);
    this.#partial += text;
  }

  #output(text: string): void {
    this.#erase();
    this.#screen.line(printable(text));
    this.#outputs += text;
  }

  /** Printed unless it is on the screen already, token by token or as the output of a script. */
  #answer(text: string): void {
    const shown = printable(text).trim();
    const onScreen = this.#partial.trim() === shown || squeeze(shown) === squeeze(printable(this.#outputs));
    if (onScreen) this.#keep();
    else this.#erase();
    if (!onScreen && !this.#failed) this.#screen.line(this.#options.prefix + shown);
    if (this.#options.showUsage === true) this.#dim(usageLine(this.#usage), true);
  }

  /** @param wanted  the user asked to see this: off a terminal it goes to stderr, while other asides are dropped. */
  #dim(text: string, wanted = false): void {
    this.#keep();
    const indented = printable(text).replace(/^/gmu, '  ');
    if (this.#screen.isTerminal) this.#screen.line(styleText('dim', indented));
    else if (wanted) this.#screen.note(indented);
  }

  #noteLine(text: string): void {
    this.#keep();
    this.#screen.note(printable(text));
  }

  /** Keep what is on the screen and continue below it. */
  #keep(): void {
    if (this.#partial !== '') this.#screen.write('\n');
    this.#partial = '';
  }

  /** Erase the tokens shown so far; when they have scrolled away, say that they are discarded. */
  #erase(): void {
    if (this.#partial === '') return;
    const rows = rowsOf(this.#options.prefix + this.#partial, this.#screen.columns);
    this.#partial = '';
    if (rows < this.#screen.rows) this.#screen.erase(rows);
    else this.#screen.write('\n(the text above is discarded)\n');
  }
}

/** Undefined for events that people are not shown. */
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

/** JSON results are for the model; people see that the call worked, or why it did not. */
function toolLine({ name, input, ok, cached, ms, preview: result }: TurnEvent & { type: 'tool' }): string {
  const call = `${name} ${preview(JSON.stringify(input) ?? '', 80)}`;
  if (!ok) return `${call} - failed: ${preview(result, 200)}`;
  const done = cached ? 'already done' : `${ms} ms`;
  return /^[[{]/u.test(result) ? `${call} - ${done}` : `${call} - ${done}: ${preview(result, 100)}`;
}

/** Terminal rows that a text takes up. Characters from U+1100 on count as two columns wide, which errs on more rows. */
function rowsOf(text: string, columns: number): number {
  const width = (line: string) =>
    [...line].reduce((sum, sign) => sum + ((sign.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1), 0);
  return text.split('\n').reduce((rows, line) => rows + Math.max(1, Math.ceil(width(line) / columns)), 0);
}

/** For comparing texts that differ in line breaks only. */
function squeeze(text: string): string {
  return text.replace(/\s+/gu, '');
}
