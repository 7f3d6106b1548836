import { AssistantError } from '../../base/errors.ts';
import { nearest, preview } from '../../base/text.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Command, Output } from '../command.ts';

/** Rows: `{name, functionName, description, effect, reads, returns}`; see docs/security.md for what these mean. */
export const tools: Command = {
  name: 'tools',
  summary: 'List the tools that the model can use',
  group: 'Tools and approvals',
  usage: ['tools', 'tools NAME'],
  async run({ args, app, out }) {
    const [name] = args;
    if (name === undefined) {
      for (const tool of app.toolbox.list()) listTool(tool, out);
      return 0;
    }
    const tool = app.toolbox.find(name);
    if (!tool) throw unknownTool(name, app.toolbox.list());
    out.row(rowOf(tool));
    out.line(`${tool.name}  ${tool.description}`);
    out.line(`  in scripts: ${tool.functionName}(${tool.positional.join(', ')})`);
    out.line(`  effect: ${tool.effect}; reads ${tool.reads} data; returns ${tool.returns} content`);
    return 0;
  },
};

function listTool(tool: Tool, out: Output): void {
  out.row(rowOf(tool));
  out.line(`${tool.name.padEnd(22)} ${preview(tool.description, 100)}`);
}

function rowOf({ name, functionName, description, effect, reads, returns }: Tool): unknown {
  return { name, functionName, description, effect, reads, returns };
}

/** Names the nearest tool, for a slip of the keyboard. */
function unknownTool(name: string, known: readonly Tool[]): AssistantError {
  const names = known.map((tool) => tool.name);
  const guess = nearest(name, names);
  const hint = guess ? `Did you mean "${guess}"?` : '"wooster tools" lists them.';
  return new AssistantError('unknown_tool', `Unknown tool "${name}".`, { hint });
}
