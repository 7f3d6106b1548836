import type { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import { asArguments } from '../../tools/gate/input.ts';
import type { Toolbox } from '../../tools/gate/toolbox.ts';
import type { Tool } from '../../tools/tool.ts';
import type { MeantCall } from '../replies/review.ts';

/** The script that makes these calls, as the model should have written it. @param spell how scripts reach a tool. */
export function scriptOf(calls: readonly MeantCall[], spell: (tool: Tool) => string): string {
  const written = calls.map(({ tool, input }) => {
    const args = asArguments(tool, input) ?? {};
    return `await ${spell(tool)}(${Object.keys(args).length === 0 ? '' : JSON.stringify(args)})`;
  });
  if (written.length === 1) return `${written[0]};`;
  return ['const results = [];', ...written.map((call) => `results.push(${call});`), 'results;'].join('\n');
}

/** The calls of a reply that made tool calls although none were offered; none unless every one is of a known tool. */
export function nativeCalls(message: AIMessage | AIMessageChunk, toolbox: Toolbox): readonly MeantCall[] {
  const calls = (message.tool_calls ?? []).map(({ name, args }) => ({ tool: toolbox.meant(name), input: args }));
  return calls.every(({ tool }) => tool !== undefined)
    ? calls.flatMap(({ tool, input }) => (tool ? [{ tool, input }] : []))
    : [];
}
