import type { z } from 'zod';
import type { WantedAnswer } from '../../agent/types.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import type { Mode } from '../../base/turn.ts';
import { ANSWER_TOOL } from '../../models/answer-form.ts';
import { adaptSchema } from '../../plugins/schema/schema.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { SchemaViolation } from './errors.ts';
import { checkAnswer, type JsonSchema, wrapped } from './schema.ts';

type Fields = z.ZodType<Record<string, unknown>>;

interface Wanted {
  readonly schema: JsonSchema;
  readonly zod: z.ZodType | undefined;
  readonly isWrapped: boolean;
}

/**
 * An answer of a type. Classic mode gives it by a tool, whose input the gate checks; a script passes it to
 * `finalAnswer`. An answer in words that is JSON of the type will do in both.
 */
export class AnswerTool implements WantedAnswer {
  readonly tool: Tool;
  readonly lines: Readonly<Record<Mode, string>>;
  /** The model's answer, once it has given one. */
  value: unknown;
  readonly #schema: JsonSchema;
  readonly #zod: z.ZodType | undefined;
  readonly #isWrapped: boolean;

  /**
   * @param zod  checks in place of the schema, which cannot say everything.
   * @throws TypeError for a schema that cannot be used.
   */
  static async of(schema: JsonSchema, zod?: z.ZodType): Promise<AnswerTool> {
    const form = wrapped(schema);
    return new AnswerTool((await adaptSchema(form.schema)) as Fields, { ...form, schema, zod });
  }

  private constructor(input: Fields, { schema, zod, isWrapped }: Wanted) {
    this.#schema = schema;
    this.#zod = zod;
    this.#isWrapped = isWrapped;
    const { $schema: _dialect, ...form } = schema;
    const data =
      'The answer to this request is data: finalAnswer(value) takes a value of this JSON Schema, and no text.';
    this.lines = {
      classic_tools: `When the task is done, call ${ANSWER_TOOL} once, with the whole result, in place of words.`,
      code_agent: `${data}\n${JSON.stringify(form)}`,
    };
    this.tool = defineTool({
      name: ANSWER_TOOL,
      description: 'Give the result of the task. Call it last, once, with the whole result.',
      input,
      policy: { effect: 'none' },
      provenance: { readsFrom: [] },
      execute: async (given) => {
        const value = isWrapped ? given.value : given;
        await checkAnswer(value, schema, zod);
        this.value = value;
        return 'Taken.';
      },
    });
  }

  taken(): string | undefined {
    return this.value === undefined ? undefined : JSON.stringify(this.value);
  }

  async read(text: string): Promise<{ readonly json: string } | { readonly problem: string }> {
    const parsed = parseJson(unfenced(text)) ?? text.trim();
    const value = this.#isWrapped && isRecord(parsed) && 'value' in parsed ? parsed.value : parsed;
    try {
      const checked = await checkAnswer(value, this.#schema, this.#zod);
      this.value = value;
      return { json: JSON.stringify(checked) };
    } catch (error) {
      if (error instanceof SchemaViolation) return { problem: error.message };
      throw error;
    }
  }
}

/** Models like to put JSON into a code block. */
function unfenced(text: string): string {
  return /^```(?:json)?\s*\n(?<json>[\s\S]*)\n```$/u.exec(text.trim())?.groups?.json ?? text;
}
