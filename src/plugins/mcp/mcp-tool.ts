import type { z } from 'zod';
import { sha256 } from '../../base/json.ts';
import { cut } from '../../base/text.ts';
import type { Turn } from '../../base/turn.ts';
import type { Artifacts } from '../../tools/builtin/artifacts.ts';
import type { Schema } from '../../tools/signature.ts';
import { defineTool, type Tool, type ToolContext } from '../../tools/tool.ts';
import { shownSchema, withoutPatterns } from '../schema/json-schema.ts';
import { resultOf } from './call-result.ts';
import { answerForm } from './elicitation.ts';
import type { ListedTool } from './listed-tools.ts';
import { LONGEST_CALL_MS, type McpServer } from './server.ts';

/** Model APIs take names of up to 64 characters. */
const LONGEST_ID = 64;
/** Longest description that models see. */
const MAX_DESCRIPTION_CHARS = 400;
/** How long a call may be silent. */
const CALL_MS = 60_000;
const ANY_FIELDS: Schema = { type: 'object' };

/** Invisible characters, and those that reorder text. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u{E0000}-\u{E0FFF}]/gu;

export interface McpToolDeps {
  readonly artifacts: Pick<Artifacts, 'keep'>;
  /** Whether the tool is declared in this turn. */
  readonly offered: (id: string, turn: Turn) => boolean;
}

/** The id of a tool: its server's name, a dot, and its own in lower case; a long one ends in a hash. */
export function idOf(server: string, tool: string): string {
  const id = `${server}.${tool.toLowerCase().replace(/[^a-z0-9_.-]/gu, '_')}`;
  return id.length <= LONGEST_ID ? id : `${id.slice(0, LONGEST_ID - 9)}_${sha256(tool).slice(0, 8)}`;
}

/** A tool's description for people and models: one line, without characters that hide or reorder others. */
export function shownDescription(description: string, maxChars: number = MAX_DESCRIPTION_CHARS): string {
  const line = description.replace(/\s+/gu, ' ').replace(INVISIBLE, '').trim();
  return cut(line, line.length <= maxChars ? maxChars : maxChars - 1);
}

/**
 * A server's tool as one of ours. It may act and may send anything anywhere, and what it returns is untrusted. Only
 * what the owner wrote in `effects` lowers that; a server that calls its tool destructive raises it.
 */
export async function mcpTool(
  server: McpServer,
  listed: ListedTool,
  { artifacts, offered }: McpToolDeps,
): Promise<Tool> {
  const { name: origin, settings } = server;
  const effect = listed.destructive ? 'outbound' : (settings.effects[listed.name] ?? 'outbound');
  const id = idOf(origin, listed.name);
  const tool = defineTool({
    ...(await typesOf(listed)),
    name: id,
    server: origin,
    description: shownDescription(listed.description) || `The tool ${listed.name} of ${origin}.`,
    timeoutMs: LONGEST_CALL_MS,
    policy: {
      ...{ effect, network: true },
      ...(effect === 'outbound'
        ? { recipient: () => ({ channel: 'mcp', address: origin, own: false, service: !listed.destructive }) }
        : {}),
    },
    presentation: { offer: (turn) => offered(id, turn) },
    execute: async (input, context) => {
      const answer = await server.call(listed.name, input ?? {}, {
        timeoutMs: CALL_MS,
        signal: context.signal,
        progress: context.progress && ((text) => context.progress?.(`${id}: ${text}`)),
        elicit: context.ask && ((params) => answerForm(origin, params, (question) => ask(context, question))),
      });
      return resultOf(answer, async ({ kind, mimeType, data }) => {
        const description = `${kind} (${mimeType}) from ${id}`;
        const artifact = await artifacts.keep(
          context.turn,
          { mimeType, base64: data },
          { description, untrusted: true },
        );
        return `[${kind} ${mimeType}, kept as artifact ${artifact}]`;
      });
    },
  });
  return { ...tool, origin: `MCP server ${origin}` };
}

async function ask(context: ToolContext, question: string): Promise<string | undefined> {
  return context.ask?.(question);
}

/** A tool's input and output schema. One that cannot be used becomes any object, and the server validates. */
async function typesOf({ inputSchema, outputSchema }: ListedTool): Promise<{ input: z.ZodType; output?: z.ZodType }> {
  const { adaptSchema } = await import('../schema/schema.ts');
  const fit = (schema: Schema) => adaptSchema(ownSchema(schema), { foreign: true });
  const input = await fit(inputSchema).catch(() => fit(ANY_FIELDS));
  if (!outputSchema) return { input };
  const { z } = await import('zod');
  return { input, output: z.unknown().meta(ownSchema(outputSchema)) };
}

/** Without references: a few of them can expand to more than can be checked. */
function ownSchema(schema: Schema): Schema {
  const shown = shownSchema(withoutPatterns(schema));
  return JSON.stringify(shown).includes('"$ref"') ? ANY_FIELDS : shown;
}
