import { readFile } from 'node:fs/promises';
import { AssistantError, messageOf } from '../base/errors.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { AnswerTool } from '../lang/runtime/answer-tool.ts';
import type { JsonSchema } from '../lang/runtime/schema.ts';
import type { CommandCall } from './command.ts';
import { badUsage } from './flags.ts';

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
  throw badUsage(`${path} holds no JSON Schema.`, hint);
}

/** Asks for an answer that fits a schema. One that does not goes back to the model once, within the turn. */
export class StructuredAnswer {
  readonly #answer: AnswerTool;

  private constructor(answer: AnswerTool) {
    this.#answer = answer;
  }

  /** @throws AssistantError `bad_usage` for a schema that cannot be used. */
  static async of(schema: JsonSchema): Promise<StructuredAnswer> {
    try {
      return new StructuredAnswer(await AnswerTool.of(schema));
    } catch (cause) {
      const hint = 'See https://json-schema.org/understanding-json-schema.';
      throw badUsage(`The schema cannot be used: ${messageOf(cause)}.`, hint, cause);
    }
  }

  /** @returns the exit code; `found` gets the JSON when it is 0. */
  async ask(call: CommandCall, text: string, found: (json: string) => void, more: Parameters<CommandCall['ask']>[1]) {
    let words = '';
    const keep = (whole: string) => {
      words = whole;
    };
    const code = await call.ask(text, { ...more, wishes: { answer: this.#answer }, answered: keep });
    if (code !== 0) return code;
    const read = await this.#answer.read(this.#answer.taken() ?? words);
    if ('problem' in read) {
      throw new AssistantError('model_incomplete', `The model's answer does not fit the schema: ${read.problem}`, {
        hint: 'Ask for less, loosen the schema, or switch with --mode or MODEL_NAME.',
      });
    }
    found(read.json);
    return 0;
  }
}
