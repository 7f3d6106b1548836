import { readFile } from 'node:fs/promises';
import type { TurnWishes } from '../agent/types.ts';
import { AssistantError, messageOf } from '../base/errors.ts';
import { isRecord, parseJson } from '../base/json.ts';
import type { Mode } from '../base/turn.ts';
import { AnswerTool } from '../lang/runtime/answer-tool.ts';
import { checkAnswer, type JsonSchema } from '../lang/runtime/schema.ts';
import type { CommandCall } from './command.ts';

/**
 * The JSON Schema in a file.
 *
 * @throws AssistantError `file_not_found`, `bad_usage`.
 */
export async function readSchema(path: string): Promise<JsonSchema> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    const hint = 'Give --schema the path of a file with a JSON Schema.';
    throw new AssistantError('file_not_found', `${path} cannot be read: ${messageOf(cause)}.`, { hint, cause });
  });
  const schema = parseJson(text);
  if (isRecord(schema)) return schema;
  const hint = 'It begins with {"type": "object", "properties": ...}.';
  throw new AssistantError('bad_usage', `${path} holds no JSON Schema.`, { hint });
}

/** Asks for an answer of a form, and once more where it has another. */
export class StructuredAnswer {
  readonly #schema: JsonSchema;
  readonly #answer: AnswerTool;

  private constructor(schema: JsonSchema, answer: AnswerTool) {
    this.#schema = schema;
    this.#answer = answer;
  }

  /** @throws AssistantError `bad_usage` for a schema that cannot be used. */
  static async of(schema: JsonSchema, mode: Mode): Promise<StructuredAnswer> {
    try {
      return new StructuredAnswer(schema, await AnswerTool.of(schema, mode));
    } catch (cause) {
      const hint = 'See https://json-schema.org/understanding-json-schema.';
      throw new AssistantError('bad_usage', `The schema cannot be used: ${messageOf(cause)}.`, { hint, cause });
    }
  }

  /** @returns the exit code; `found` gets the JSON when it is 0. */
  async ask(call: CommandCall, text: string, found: (json: string) => void, more: Parameters<CommandCall['ask']>[1]) {
    const first = await this.#once(call, text, more);
    if ('code' in first) return first.code;
    const second =
      'json' in first ? first : await this.#once(call, `${first.problem} Give the answer in that form.`, {});
    if ('code' in second) return second.code;
    if ('json' in second) {
      found(second.json);
      return 0;
    }
    throw new AssistantError('model_incomplete', `The model gave no answer of the form: ${second.problem}`, {
      hint: 'Ask for less, loosen the schema, or switch with --mode or MODEL_NAME.',
    });
  }

  async #once(
    call: CommandCall,
    text: string,
    more: Parameters<CommandCall['ask']>[1],
  ): Promise<{ readonly json: string } | { readonly problem: string } | { readonly code: number }> {
    let words = '';
    const keep = (whole: string) => {
      words = whole;
    };
    const code = await call.ask(text, { ...more, wishes: this.#wishes(), answered: keep });
    if (code !== 0) return { code };
    const value = this.#answer.value === undefined ? parseJson(unfenced(words)) : this.#answer.value;
    try {
      return { json: JSON.stringify(await checkAnswer(value, this.#schema)) };
    } catch (error) {
      return { problem: messageOf(error) };
    }
  }

  #wishes(): TurnWishes {
    const { tool, line } = this.#answer;
    return {
      tools: (toolbox) => toolbox.with([tool]),
      lines: [line],
      answered: () => (this.#answer.value === undefined ? undefined : JSON.stringify(this.#answer.value)),
    };
  }
}

/** Models like to put JSON into a block. */
function unfenced(text: string): string {
  return /^```(?:json)?\n(?<json>[\s\S]*)\n```$/u.exec(text.trim())?.groups?.json ?? text;
}
