import { isRecord } from '../../base/json.ts';

/** What the scripts of a turn say to the person: output, and the answer that ends the turn. The first answer counts. */
export class ScriptOutput {
  readonly #outputs: string[] = [];
  readonly #show: (text: string) => void;
  #answer: string | undefined;
  #data: { readonly value: unknown } | undefined;

  /** @param show gets each output at once. */
  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  output(value: unknown): void {
    const text = asText(value);
    this.#outputs.push(text);
    this.#show(text);
  }

  /** @returns false when the turn had an answer already. */
  finalAnswer(value: unknown): boolean {
    return this.#end(() => asText(value));
  }

  /** @returns false when the turn had an answer already. @throws TypeError without a `response`. */
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

  /** Answer with what was output. @returns false when the turn had an answer already. */
  done(): boolean {
    return this.#end(() => this.#outputs.join('\n'));
  }

  /** The answer; undefined while the turn goes on. */
  get answer(): string | undefined {
    return this.#answer;
  }

  /** The answer was sent back to the model, so the turn goes on. */
  reopen(): void {
    this.#answer = undefined;
    this.#data = undefined;
  }

  /** What `complete` keeps for the next turn; boxed, because the value itself may be undefined. */
  get data(): { readonly value: unknown } | undefined {
    return this.#data;
  }

  /** What `output` has shown so far. */
  get outputs(): readonly string[] {
    return this.#outputs;
  }

  #end(text: () => string): boolean {
    if (this.#answer !== undefined) return false;
    this.#answer = text();
    return true;
  }
}

/** Text stays as it is; everything else becomes indented JSON. */
function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  return JSON.stringify(value, null, 2) ?? '';
}
