import type { z } from 'zod';
import type { Mode } from '../../base/turn.ts';
import { ANSWER_TOOL } from '../../models/answer-form.ts';
import { adaptSchema } from '../../plugins/schema/schema.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { type JsonSchema, wrapped } from './schema.ts';

type Fields = z.ZodType<Record<string, unknown>>;

/** The tool by which an agent gives an answer of a type: the gate checks it and tells the model what is wrong. */
export class AnswerTool {
  readonly tool: Tool;
  /** For the system prompt. */
  readonly line: string;
  /** What the model gave, once it has. */
  value: unknown;

  /** @throws TypeError for a schema that cannot be used. */
  static async of(schema: JsonSchema, mode: Mode): Promise<AnswerTool> {
    const form = wrapped(schema);
    return new AnswerTool((await adaptSchema(form.schema)) as Fields, form.isWrapped, mode);
  }

  private constructor(input: Fields, isWrapped: boolean, mode: Mode) {
    const instead = mode === 'code_agent' ? 'in place of finalAnswer' : 'in place of words';
    this.line = `When the task is done, call ${ANSWER_TOOL} once, with the whole result, ${instead}.`;
    this.tool = defineTool({
      name: ANSWER_TOOL,
      description: 'Give the result of the task. Call it last, once, with the whole result.',
      input,
      effect: 'none',
      reads: 'public',
      returns: 'trusted',
      execute: (given) => {
        this.value = isWrapped ? given.value : given;
        return 'Taken.';
      },
    });
  }
}
