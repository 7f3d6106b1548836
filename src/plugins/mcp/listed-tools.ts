import { setImmediate as breathe } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { canonicalJson, isRecord, sha256 } from '../../base/json.ts';
import { beginning } from '../../base/text.ts';

/** A tool as its server describes it. */
export interface ListedTool {
  /** Its name on the wire. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
  /** The server says that the tool is destructive; other hints are ignored. */
  readonly destructive?: boolean | undefined;
  /** A hash of everything that a model is told about it, and of how it is called. */
  readonly hash: string;
}

/** A prompt as its server describes it. */
export interface ListedPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
}

/** The most that are accepted from one server. */
const MAX_TOOLS = 1000;
const MAX_PAGES = 16;
const MAX_PROMPTS = 100;
/** Longest description that is pinned; models see less of it. */
const MAX_DESCRIPTION_CHARS = 4000;
const MAX_SCHEMA_CHARS = 50_000;
/** How many are processed before the event loop gets a break. */
const AT_ONCE = 25;

const Page = z.looseObject({ nextCursor: z.string().optional().catch(undefined) });

const RawTool = z.looseObject({
  name: z.string().min(1).max(128),
  description: z.string().optional().catch(undefined),
  inputSchema: z.looseObject({}).optional(),
  outputSchema: z.looseObject({}).optional().catch(undefined),
  annotations: z.looseObject({ destructiveHint: z.boolean().optional() }).optional().catch(undefined),
  execution: z.looseObject({ taskSupport: z.string().optional() }).optional().catch(undefined),
});

const RawPrompt = z.looseObject({
  name: z.string().min(1).max(128),
  description: z.string().optional().catch(undefined),
  arguments: z
    .array(z.looseObject({ name: z.string().min(1).max(64), required: z.boolean().default(false) }))
    .default([])
    .catch([]),
});

export interface AskOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The tools of a server. One with an invalid description is left out, without losing the rest. */
export async function listTools(client: Client, options: AskOptions): Promise<ListedTool[]> {
  const found = new Map<string, ListedTool>();
  for (const [index, raw] of (await everyItem(client, 'tools', options)).entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await breathe();
    if (found.size >= MAX_TOOLS) break;
    const tool = readTool(raw);
    if (tool && !found.has(tool.name)) found.set(tool.name, tool);
  }
  return [...found.values()];
}

/** The prompts of a server; empty if it does not support them. */
export async function listPrompts(client: Client, options: AskOptions): Promise<ListedPrompt[]> {
  if (!client.getServerCapabilities()?.prompts) return [];
  const raw = await everyItem(client, 'prompts', options);
  return raw.slice(0, MAX_PROMPTS).flatMap((each) => {
    const { data } = RawPrompt.safeParse(each);
    if (!data) return [];
    const description = beginning(data.description ?? '', MAX_DESCRIPTION_CHARS);
    const fields = data.arguments.map(({ name, required }) => ({ name, required }));
    return [{ name: data.name, description, arguments: fields }];
  });
}

/** All pages of a list, as they come. @throws Error when it does not end. */
export async function everyItem(
  client: Client,
  list: 'tools' | 'prompts' | 'resources',
  { timeoutMs, signal }: AskOptions,
): Promise<unknown[]> {
  const items: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const request = { method: `${list}/list`, params: cursor === undefined ? {} : { cursor } };
    const answer = await client.request(request, Page, { timeout: timeoutMs, ...(signal && { signal }) });
    const part = answer[list];
    if (!Array.isArray(part)) throw new Error(`its answer to ${list}/list has no list of ${list}`);
    items.push(...part.slice(0, MAX_TOOLS * 10));
    cursor = answer.nextCursor;
    if (cursor === undefined || items.length > MAX_TOOLS) return items;
  }
  throw new Error(`its list of ${list} has no end`);
}

function readTool(raw: unknown): ListedTool | undefined {
  const { data } = RawTool.safeParse(raw);
  // A tool that can only be called as a task answers a plain call with an error.
  if (!data || data.execution?.taskSupport === 'required') return undefined;
  const inputSchema = data.inputSchema ?? { type: 'object' };
  if (tooLong(inputSchema) || (inputSchema.type !== undefined && inputSchema.type !== 'object')) return undefined;
  const outputSchema = data.outputSchema && !tooLong(data.outputSchema) ? data.outputSchema : undefined;
  const about = {
    name: data.name,
    description: beginning(data.description ?? '', MAX_DESCRIPTION_CHARS),
    inputSchema,
    ...(outputSchema ? { outputSchema } : {}),
  };
  const destructive = data.annotations?.destructiveHint === true;
  return { ...about, ...(destructive ? { destructive } : {}), hash: sha256(canonicalJson(about)) };
}

function tooLong(schema: unknown): boolean {
  return isRecord(schema) && JSON.stringify(schema).length > MAX_SCHEMA_CHARS;
}
