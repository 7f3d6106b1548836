import { styleText } from 'node:util';
import { preview } from '../base/text.ts';
import { addUsage, NO_USAGE, type TurnEvent, type Usage } from '../base/turn.ts';
import { printable, type Screen } from './screen.ts';

export interface TurnViewOptions {
  /** In front of every answer. */
  readonly prefix: string;
  /** Show scripts and their logs. */
  readonly codeLog: boolean;
  /** Tokens and cost below the answer. */
  readonly showUsage?: boolean | undefined;
}

/**
 * Draws one turn for a person. On a terminal tokens appear as they come and are taken back when the turn starts over;
 * elsewhere nothing can be taken back, so only whole answers are written.
 */
export class TurnView {
  readonly #screen: Screen;
  readonly #options: TurnViewOptions;
  /** Tokens on the screen that a retry would take back. */
  #partial = '';
  #outputs = '';
  #failed = false;
  #usage: Usage = NO_USAGE;

  constructor(screen: Screen, options: TurnViewOptions) {
    this.#screen = screen;
    this.#options = options;
  }

  /** An error was shown: the answer's text would only repeat it. */
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
        this.#noteLine(`Not confirmed by what was done: ${event.text}`);
        break;
      default:
        this.#aside(event);
    }
  }

  /** What happens on the way to the answer: one faint line each. */
  #aside(event: TurnEvent): void {
    if (event.type === 'code' || event.type === 'retry' || event.type === 'fallback') this.#takeBack();
    const line = asideLine(event, this.#options.codeLog);
    const wanted = event.type === 'code' || event.type === 'log';
    if (line !== undefined) this.#dim(line, wanted);
  }

  #token(text: string): void {
    if (!this.#screen.isTerminal || text === '') return;
    this.#screen.write(this.#partial === '' ? this.#options.prefix + text : text);
    this.#partial += text;
  }

  #output(text: string): void {
    this.#takeBack();
    this.#screen.line(printable(text));
    this.#outputs += text;
  }

  #answer(text: string): void {
    const shown = printable(text).trim();
    const there = this.#partial.trim() === shown || squeeze(shown) === squeeze(printable(this.#outputs));
    if (there) this.#keep();
    else this.#takeBack();
    if (!there && !this.#failed) this.#screen.line(this.#options.prefix + shown);
    if (this.#options.showUsage === true) this.#dim(usageLine(this.#usage), true);
  }

  /** @param wanted the person asked to see this: off the terminal it goes to stderr, other asides nowhere. */
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

  /** What is on the screen stays; go on below it. */
  #keep(): void {
    if (this.#partial !== '') this.#screen.write('\n');
    this.#partial = '';
  }

  /** Erase the tokens shown since the last line that stays; say so where they have scrolled away. */
  #takeBack(): void {
    if (this.#partial === '') return;
    const rows = rowsOf(this.#options.prefix + this.#partial, this.#screen.columns);
    this.#partial = '';
    if (rows < this.#screen.rows) this.#screen.erase(rows);
    else this.#screen.write('\n(the text above is discarded)\n');
  }
}

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
      return `going on with ${event.to} instead of ${event.from}: ${event.reason}`;
    case 'compaction':
      if (event.note !== undefined) return event.note;
      return `${event.messages} older messages were summarised (${event.before} to ${event.after} tokens)`;
    default:
      return undefined;
  }
}

/** `2 calls, 1520 tokens in, 88 out, 0.0003 USD`. */
function usageLine({ calls, inputTokens, outputTokens, costUsd }: Usage): string {
  const cost = costUsd === undefined ? 'price unknown' : `${costUsd.toFixed(4)} USD`;
  return `${calls} call${calls === 1 ? '' : 's'}, ${inputTokens} tokens in, ${outputTokens} out, ${cost}`;
}

/** Results that are data are for the model; a person sees that the call worked, or why it did not. */
function toolLine({ name, input, ok, cached, ms, preview: result }: TurnEvent & { type: 'tool' }): string {
  const call = `${name} ${preview(JSON.stringify(input) ?? '', 80)}`;
  if (!ok) return `${call} - failed: ${preview(result, 200)}`;
  const done = cached ? 'done before' : `${ms} ms`;
  return /^[[{]/u.test(result) ? `${call} - ${done}` : `${call} - ${done}: ${preview(result, 100)}`;
}

/** Terminal rows that a text takes, wide characters counted twice. */
function rowsOf(text: string, columns: number): number {
  const width = (line: string) =>
    [...line].reduce((sum, sign) => sum + ((sign.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1), 0);
  return text.split('\n').reduce((rows, line) => rows + Math.max(1, Math.ceil(width(line) / columns)), 0);
}

function squeeze(text: string): string {
  return text.replace(/\s+/gu, '');
}
