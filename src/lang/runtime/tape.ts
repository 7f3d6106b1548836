import { canonicalJson, isRecord } from '../../base/json.ts';
import { ThinkError } from './errors.ts';
import type { JsonSchema } from './schema.ts';

/** One answer as a snapshot file keeps it. */
interface Entry {
  readonly request: { readonly systemPrompt: string; readonly userMessage: string; readonly jsonSchema?: unknown };
  response: { readonly value: unknown };
  readonly metadata: { readonly inputTokens: number; readonly outputTokens: number; readonly model: string };
  /** Asked while an agent was running, perhaps by one of its tools, which are not called on replay. */
  isOptional?: true | undefined;
}

interface TapedRequest {
  readonly text: string;
  readonly schema?: JsonSchema | undefined;
  readonly isAgent?: boolean;
}

/** Model answers in the order in which they were requested: recorded once, then replayed without a model. */
export class Tape {
  readonly #isPlayed: boolean;
  /** The answers not replayed yet, or all that were recorded. */
  #entries: Entry[];
  #played = 0;

  private constructor(entries: Entry[], isPlayed: boolean) {
    this.#entries = entries;
    this.#isPlayed = isPlayed;
  }

  static record(): Tape {
    return new Tape([], false);
  }

  /** @throws ThinkError for a text that is not a snapshot. */
  static play(text: string): Tape {
    try {
      const { version, entries } = JSON.parse(text) as { version: unknown; entries: unknown };
      if (version === 1 && Array.isArray(entries) && entries.every(isEntry)) return new Tape(entries, true);
    } catch {
      // Reported below.
    }
    throw new ThinkError('The snapshot cannot be read: it must hold version 1 and entries.');
  }

  /** The next answer, from the tape or from `ask`. @throws ThinkError when the tape ends or holds another request. */
  async answer(asked: TapedRequest, ask: () => Promise<unknown>): Promise<unknown> {
    if (this.#isPlayed) return this.#play(asked);
    const { text, schema, isAgent } = asked;
    const entry: Entry = {
      request: { systemPrompt: '', userMessage: text, ...(schema === undefined ? {} : { jsonSchema: schema }) },
      response: { value: undefined },
      metadata: { inputTokens: 0, outputTokens: 0, model: '' },
    };
    // Answers are kept in the order of the questions, which can be concurrent: the last may be answered first.
    this.#entries.push(entry);
    const before = new Set(isAgent ? this.#entries : []);
    try {
      const value = await ask();
      entry.response = { value };
      return value;
    } catch (error) {
      this.#entries = this.#entries.filter((each) => each !== entry);
      throw error;
    } finally {
      if (isAgent) for (const each of this.#entries) if (!before.has(each)) each.isOptional = true;
    }
  }

  /** Nothing was asked. */
  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  toString(): string {
    return `${JSON.stringify({ version: 1, entries: this.#entries }, undefined, 2)}\n`;
  }

  #play({ text, schema }: TapedRequest): unknown {
    this.#played += 1;
    const isSame = ({ request: { userMessage, jsonSchema } }: Entry) =>
      userMessage === text && canonicalJson(jsonSchema ?? null) === canonicalJson(schema ?? null);
    const found = this.#entries.find((entry) => isSame(entry) || !entry.isOptional);
    if (!found) throw new ThinkError(`The snapshot has no answer ${this.#played}: record it again.`);
    this.#entries = this.#entries.filter((each) => each !== found);
    if (isSame(found)) return structuredClone(found.response.value);
    const before = found.request.userMessage.slice(0, 80);
    throw new ThinkError(`Answer ${this.#played} of the snapshot is for another request: "${before}".`);
  }
}

function isEntry(entry: unknown): entry is Entry {
  return (
    isRecord(entry) &&
    isRecord(entry.request) &&
    typeof entry.request.userMessage === 'string' &&
    isRecord(entry.response)
  );
}
