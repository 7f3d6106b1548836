import { z } from 'zod';
import { declareTool } from '../../agent/code/declare.ts';
import { nameTools } from '../../agent/code/names.ts';
import { AssistantError } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { nearest, preview } from '../../base/text.ts';
import type { Turn } from '../../base/turn.ts';
import { visibleLine } from '../../base/visible-characters.ts';
import type { App } from '../../face/app.ts';
import { tellsOwner } from '../../tools/builtin/notify.ts';
import { saySources } from '../../tools/say-sources.ts';
import { signatureOf } from '../../tools/signature.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Command, Output } from '../command.ts';
import { inspectionContext, inspectionTurn } from '../inspection.ts';

/** So long an MCP server may take to list its tools. */
const SERVER_MS = 10_000;

/**
 * Rows: `{name, functionName, description, input, effect, from}`; `input` is a JSON Schema, and docs/tools.md says what
 * the last two mean.
 */
export const tools: Command = {
  name: 'tools',
  summary: 'List the tools that the model can use',
  group: 'Tools and approvals',
  chats: true,
  usage: ['tools', 'tools NAME'],
  examples: ['tools', 'tools query_rag'],
  basic: true,
  async run(call) {
    const { args, app, out, session } = call;
    const [name] = args;
    const hub = await app.tools.mcp.hub();
    for (const { name: server, problem } of await hub.ask(SERVER_MS))
      out.note(`The MCP server ${server} was not asked: ${visibleLine(problem)}`);
    const turn = inspectionTurn(call, session.conversationId ?? 'none');
    const all = await app.turns.agent.tools(turn, inspectionContext(call));
    if (name === undefined) {
      for (const tool of all) if (await isSetUp(tool, turn)) listTool(tool, out);
      return 0;
    }
    const tool = app.tools.toolbox.find(name) ?? all.find((each) => each.name === name || each.functionName === name);
    if (!tool) throw unknownTool(name, all);
    out.show(rowOf(tool), `${tool.name}  ${tool.description}`);
    for (const line of fieldLines(inputSchema(tool))) out.line(line);
    out.line(`  effect: ${tool.policy.effect}; text from: ${saySources(tool)}`);
    out.line(`  in scripts: ${declarationIn(app, tool)}`);
    out.line(`  schema: ${JSON.stringify(inputSchema(tool))}`);
    return 0;
  },
};

/** Tools of channels that cannot send anything would only be in the way. */
async function isSetUp(tool: Tool, turn: Turn): Promise<boolean> {
  return !tellsOwner(tool) || (await tool.presentation?.offer?.(turn)) !== false;
}

/** The line of TypeScript that a model which writes scripts is shown. */
function declarationIn(app: App, tool: Tool): string {
  const all = nameTools(app.tools.toolbox.list());
  const named = all.find((each) => each.tool.name === tool.name);
  return named ? declareTool(named, all) : signatureOf(tool, 'function');
}

function listTool(tool: Tool, out: Output): void {
  out.show(rowOf(tool), `${tool.name.padEnd(22)} ${preview(tool.description, 100)}`);
}

function rowOf(tool: Tool): unknown {
  const { name, functionName, description, policy } = tool;
  return { name, functionName, description, input: inputSchema(tool), effect: policy.effect, from: saySources(tool) };
}

/** The input of a call, as a model sees it. */
function inputSchema({ input }: Tool): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return schema;
}

/** `  when: string or number, required`, one line for each field. */
function fieldLines({ properties, required }: Record<string, unknown>): string[] {
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fields = isRecord(properties) ? Object.entries(properties) : [];
  return fields.map(
    ([name, type]) => `  ${name}: ${typeText(type)}, ${needed.includes(name) ? 'required' : 'optional'}`,
  );
}

function typeText(schema: unknown): string {
  if (!isRecord(schema)) return 'anything';
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return choices.map(typeText).join(' or ');
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  return typeof schema.type === 'string' ? schema.type : 'anything';
}

/** Suggests the nearest name, for a typo. */
function unknownTool(name: string, known: readonly Tool[]): AssistantError {
  const names = known.map((tool) => tool.name);
  const guess = nearest(name, names);
  const hint = guess ? `Did you mean "${guess}"?` : '"wooster tools" lists them.';
  return new AssistantError('unknown_tool', `Unknown tool "${name}".`, { hint });
}
