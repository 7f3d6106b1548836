import { camelCase } from '../base/text.ts';
import type { Action } from './request.ts';

/** Longer texts of a result would not come back whole. */
const MAX_RESULT_CHARS = 6000;

/** Tools whose function is not their name in camel case. */
const FUNCTIONS: Readonly<Record<string, string>> = { query_rag: 'queryRAG' };

/** The name of a tool inside scripts. */
function functionOf(tool: string): string {
  return FUNCTIONS[tool] ?? camelCase(tool);
}

/**
 * The script that makes the calls a request amounts to. A call that fails does not keep the others from being made.
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
