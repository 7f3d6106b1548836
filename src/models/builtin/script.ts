import { isRecord, parseJson } from '../../base/json.ts';
import { camelCase } from '../../base/text.ts';
import type { Action } from './request.ts';

/** Longer texts of a result would not come back whole. */
const MAX_RESULT_CHARS = 6000;
/** A call in a script of ours: the function and its input. */
const CALL = /^ {2}\[(\w+), (\{.*\})\],$/gmu;

/** Tools whose function is not their name in camel case. */
const FUNCTIONS: Readonly<Record<string, string>> = { query_rag: 'queryRAG' };

/** The name of a tool inside scripts. */
export function functionOf(tool: string): string {
  return FUNCTIONS[tool] ?? camelCase(tool);
}

/**
 * The script that makes the calls a request amounts to. Its value is what came back, one entry per call, so that both
 * modes tell the person about it in the same words.
 */
export function toScript(actions: readonly Action[]): string {
  const calls = actions.map(({ tool, input }) => `  [${functionOf(tool)}, ${JSON.stringify(input)}],`);
  return `\`\`\`js
const results = [];
for (const [call, input] of [
${calls.join('\n')}
]) {
  try {
    const value = await call(input);
    results.push({ value: typeof value === 'string' ? value.slice(0, ${MAX_RESULT_CHARS}) : value });
  } catch (error) {
    results.push({ error: error.message });
  }
}
results;
\`\`\``;
}

/** What a call of a script was given, and what it got. */
export interface ScriptCall {
  readonly input: Readonly<Record<string, unknown>>;
  readonly ok: boolean;
  readonly text: string;
}

/** Read the calls of a script of ours from it and from what came back. */
export function scriptCalls(script: string, feedback: string): ScriptCall[] {
  const [, json = ''] = /^The script ran\. Value:\n(.+)$/mu.exec(feedback) ?? [];
  const results = parseJson(json);
  if (!Array.isArray(results)) return [];
  const inputs = [...script.matchAll(CALL)].map(([, , input = '']) => parseJson(input));
  return results.filter(isRecord).map(({ value, error }, at) => {
    const input = inputs[at];
    const given = isRecord(input) ? input : {};
    if (error !== undefined) return { input: given, ok: false, text: String(error) };
    return { input: given, ok: true, text: typeof value === 'string' ? value : (JSON.stringify(value) ?? '') };
  });
}
