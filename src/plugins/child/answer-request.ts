import { systemClock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import { STRANGER, type Turn } from '../../base/turn.ts';
import { toSchema } from '../../tools/signature.ts';
import type { Tool, ToolContext } from '../../tools/tool.ts';
import type { Running } from '../running.ts';

export interface Answering {
  readonly running: Running;
  readonly timeZone: string;
  readonly log: Log;
}

/** A plugin in a process of its own is told nothing about the conversation. */
const NO_TURN: Turn = {
  ...{ id: '', conversationId: '', text: '', origin: 'mcp', mode: 'classic_tools', project: '' },
};

/** @throws Error for a method that such a server does not have. */
export async function answerRequest(
  parts: Answering,
  { method, params }: { readonly method: string; readonly params: unknown },
  signal: AbortSignal,
): Promise<unknown> {
  const given = isRecord(params) ? params : {};
  const { plugin, tools } = parts.running;
  if (method === 'initialize') {
    const serverInfo = { name: plugin.name, version: plugin.version };
    return { protocolVersion: given.protocolVersion, capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'ping') return {};
  if (method === 'tools/list') return { tools: tools.map((tool) => listed(tool, plugin.name)) };
  if (method !== 'tools/call') throw new Error(`there is no method ${method}`);
  const tool = tools.find((each) => shortName(each, plugin.name) === given.name);
  if (!tool) throw new Error(`there is no tool ${String(given.name)}`);
  return called(tool, given.arguments, contextOf(parts, signal));
}

function listed(tool: Tool, plugin: string): unknown {
  const { $schema: _dialect, ...input } = toSchema(tool.input, 'input');
  return {
    name: shortName(tool, plugin),
    description: tool.description,
    inputSchema: { type: 'object', ...input },
    annotations: { readOnlyHint: tool.policy.effect === 'none' },
  };
}

/** The program adds the plugin's name as a prefix again. */
function shortName({ name }: Tool, plugin: string): string {
  return name.startsWith(`${plugin}.`) ? name.slice(plugin.length + 1) : name;
}

async function called(tool: Tool, input: unknown, context: ToolContext): Promise<unknown> {
  const failed = (text: string) => ({ isError: true, content: [{ type: 'text', text }] });
  const read = tool.input.safeParse(input ?? {});
  if (!read.success) {
    return failed(read.error.issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`).join('; '));
  }
  try {
    const value = await tool.execute(read.data, context);
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    return { content: [{ type: 'text', text }], ...(isRecord(value) ? { structuredContent: value } : {}) };
  } catch (error) {
    return failed(messageOf(error));
  }
}

function contextOf({ timeZone, log }: Answering, signal: AbortSignal): ToolContext {
  const voiceOf = () => STRANGER;
  return { turn: NO_TURN, signal, log, said: [], untrusted: true, now: systemClock.now, timeZone, voiceOf };
}
