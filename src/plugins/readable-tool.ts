import { AssistantError, messageOf } from '../base/errors.ts';
import type { Tool, UnreadTool } from '../tools/tool.ts';

/**
 * A tool passed in by a program, with a schema that the gate can use. The adapter for schemas other than zod 4's
 * is loaded on first use.
 *
 * @throws AssistantError `bad_usage` when its schema cannot be used.
 */
export async function readableTool(tool: Tool | UnreadTool): Promise<Tool> {
  if (isRead(tool)) return tool;
  const { adaptSchema } = await import('./schema/schema.ts');
  try {
    return { ...tool, input: await adaptSchema(tool.input) };
  } catch (error) {
    const hint = 'Give its input as a zod schema, a Standard Schema or a JSON Schema of an object.';
    throw new AssistantError('bad_usage', `The tool "${tool.name}" cannot be used: ${messageOf(error)}`, { hint });
  }
}

function isRead(tool: Tool | UnreadTool): tool is Tool {
  return '_zod' in tool.input;
}
