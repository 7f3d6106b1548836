import { isRecord } from '../../base/json.ts';

/** How a script said that its turn is over; the first word counts. */
export class ScriptOutput {
  readonly #outputs: string[] = [];
  readonly #show: (text: string) => void;
  #answer: string | undefined;
  #data: { readonly value: unknown } | undefined;

  /** @param show where `output` goes, at once. */
  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  output(value: unknown): void {
    const text = asText(value);
    this.#outputs.push(text);
    this.#show(text);
  }

  finalAnswer(value: unknown): boolean {
    return this.#end(() => asText(value));
  }

  /** @throws TypeError without a `response`. */
  complete(value: unknown): boolean {
    if (!isRecord(value) || value.response === undefined) {
      throw new TypeError('complete({ response, data?, followUp? }) needs a response');
    }
    const { response, followUp, data } = value;
    return this.#end(() => {
      if (data !== undefined) this.#data = { value: data };
      return [response, followUp]
        .filter((part) => part !== undefined && part !== null && part !== '')
        .map(asText)
        .join('\n\n');
    });
  }

  done(): boolean {
    return this.#end(() => this.#outputs.join('\n'));
  }

  /** Undefined while the turn goes on. */
  get answer(): string | undefined {
    return this.#answer;
  }

  /** What `complete` keeps for the next turn. */
  get data(): { readonly value: unknown } | undefined {
    return this.#data;
  }

  get outputs(): readonly string[] {
    return this.#outputs;
  }

  #end(text: () => string): boolean {
    if (this.#answer !== undefined) return false;
    this.#answer = text();
    return true;
  }
}

/** Text stays as it is; everything else is JSON that a person can read. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return JSON.stringify(value, null, 2) ?? '';
}
