import type { Mode } from '../../base/turn.ts';
import { ANSWER_TOOL } from '../../models/answer-form.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { type JsonSchema, wrapped } from './schema.ts';

/** The tool by which an agent gives an answer of a type: the gate checks it and tells the model what is wrong. */
export class AnswerTool {
  readonly tool: Tool;
  /** For the system prompt. */
  readonly line: string;
  /** What the model gave, once it has. */
  value: unknown;

  constructor(schema: JsonSchema, mode: Mode) {
    const instead = mode === 'code_agent' ? 'in place of finalAnswer' : 'in place of words';
    this.line = `When the task is done, call ${ANSWER_TOOL} once, with the whole result, ${instead}.`;
    const form = wrapped(schema);
    this.tool = defineTool({
      name: ANSWER_TOOL,
      description: 'Give the result of the task. Call it last, once, with the whole result.',
      input: form.schema,
      effect: 'none',
      reads: 'public',
      returns: 'trusted',
      execute: (input) => {
        this.value = form.isWrapped ? input.value : input;
        return 'Taken.';
      },
    });
  }
}
