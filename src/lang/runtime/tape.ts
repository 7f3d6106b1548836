import { canonicalJson } from '../../base/json.ts';
import { ThinkError } from './errors.ts';
import type { JsonSchema } from './schema.ts';

/** One answer as a snapshot file keeps it. */
interface Entry {
  readonly request: { readonly systemPrompt: string; readonly userMessage: string; readonly jsonSchema?: unknown };
  readonly response: { readonly value: unknown };
  readonly metadata: { readonly inputTokens: number; readonly outputTokens: number; readonly model: string };
}

/** The answers of models, in the order in which they were asked for: recorded once, then played without a model. */
export class Tape {
  readonly #entries: Entry[];
  readonly #isPlayed: boolean;
  #next = 0;

  private constructor(entries: Entry[], isPlayed: boolean) {
    this.#entries = entries;
    this.#isPlayed = isPlayed;
  }

  static record(): Tape {
    return new Tape([], false);
  }

  /** @throws ThinkError for a text that is no snapshot. */
  static play(text: string): Tape {
    try {
      const { version, entries } = JSON.parse(text) as { version: unknown; entries: Entry[] };
      if (version === 1 && Array.isArray(entries)) return new Tape(entries, true);
    } catch {
      // Said below.
    }
    throw new ThinkError('The snapshot cannot be read: it must hold version 1 and entries.');
  }

  /** The next answer, from the tape or from `ask`. @throws ThinkError when the tape ends or holds another request. */
  async answer(
    request: { text: string; schema?: JsonSchema | undefined },
    ask: () => Promise<unknown>,
  ): Promise<unknown> {
    if (this.#isPlayed) return this.#play(request);
    const at = this.#entries.length;
    const value = await ask();
    const jsonSchema = request.schema === undefined ? {} : { jsonSchema: request.schema };
    this.#entries.splice(at, 0, {
      request: { systemPrompt: '', userMessage: request.text, ...jsonSchema },
      response: { value },
      metadata: { inputTokens: 0, outputTokens: 0, model: '' },
    });
    return value;
  }

  toString(): string {
    return `${JSON.stringify({ version: 1, entries: this.#entries }, undefined, 2)}\n`;
  }

  #play({ text, schema }: { text: string; schema?: JsonSchema | undefined }): unknown {
    const entry = this.#entries[this.#next];
    this.#next += 1;
    if (!entry) throw new ThinkError(`The snapshot has no answer ${this.#next}: record it again.`);
    const { userMessage, jsonSchema } = entry.request;
    const isSame = userMessage === text && canonicalJson(jsonSchema ?? null) === canonicalJson(schema ?? null);
    if (isSame) return structuredClone(entry.response.value);
    throw new ThinkError(`Answer ${this.#next} of the snapshot is for another request: "${userMessage.slice(0, 80)}".`);
  }
}
