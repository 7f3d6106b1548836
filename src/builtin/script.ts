import type { Action } from './request.ts';

/** Longer texts of a result would not come back whole. */
const MAX_RESULT_CHARS = 6000;

/**
 * The script that makes the calls a request amounts to. A call that fails does not keep the others from being made.
 *
 * @param functions how a script names each tool: not always its name in camel case.
 */
export function toScript(actions: readonly Action[], functions: Readonly<Record<string, string>>): string {
  const calls = actions.map(({ tool, input }) => `  [${functions[tool]}, ${JSON.stringify(input)}],`);
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
