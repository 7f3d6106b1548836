import type { Server } from '@modelcontextprotocol/server';
import { messageOf } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json.ts';
import { modelToolName } from '../../../tools/gate/toolbox.ts';
import type { ToolResult } from '../../../tools/gate/types.ts';
import { toSchema } from '../../../tools/signature.ts';
import type { Tool } from '../../../tools/tool.ts';

/** A document in a listing. */
export interface ServedDocument {
  /** Its name, unique in the project. */
  readonly path: string;
  readonly bytes: number;
}

/** A prompt that is made of its arguments. */
export interface ServedPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  /** The text for the client's model. */
  text(given: Readonly<Record<string, string>>, signal: AbortSignal): Promise<string>;
}

/** What we offer to a client. */
export interface Served {
  readonly version: string;
  readonly project: string;
  /** Called for every listing, since tools come and go. */
  tools(): Promise<readonly Tool[]>;
  call(name: string, input: unknown, signal: AbortSignal): Promise<ToolResult>;
  /** Some of the documents in their order, beginning with the one at `from`. */
  documents(range: { readonly from: number; readonly most: number }): Promise<readonly ServedDocument[]>;
  /** The text of a document; undefined if there is none at this path. */
  read(path: string, signal: AbortSignal): Promise<string | undefined>;
  /** Passages with their citations, best first. */
  search(query: string, signal: AbortSignal): Promise<string>;
  readonly prompts: readonly ServedPrompt[];
  redact(text: string): string;
}

const PAGE = 200;
const SCHEME = 'wooster:';

/** One client connection. It can list our tools, documents and prompts, and calls them through our gate. */
export function serverFace(served: Served, { Server: Face, ResourceNotFoundError }: Sdk): Server {
  const server = new Face(
    { name: 'wooster', version: served.version },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions: instructions(served) },
  );
  server.setRequestHandler('tools/list', async () => ({ tools: (await served.tools()).map(listed) as never }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: input = {} } = params;
    const tool = (await served.tools()).find((each) => modelToolName(each.name) === name);
    return answerOf(tool, await served.call(name, input, context.mcpReq.signal)) as never;
  });
  server.setRequestHandler('resources/list', async ({ params }) => page(served, params?.cursor));
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates: [SEARCH_TEMPLATE] }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const text = await readUri(served, uri, context.mcpReq.signal).catch((error: unknown) => failed(served, error));
    if (text === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: 'text/plain', text: served.redact(text) }] };
  });
  server.setRequestHandler('prompts/list', async () => ({
    prompts: served.prompts.map(({ text: _text, ...prompt }) => prompt) as never,
  }));
  server.setRequestHandler('prompts/get', async ({ params }, context) => {
    const prompt = served.prompts.find(({ name }) => name === params.name);
    if (!prompt) throw new Error(`there is no prompt ${params.name}`);
    const text = await prompt
      .text(params.arguments ?? {}, context.mcpReq.signal)
      .catch((error: unknown) => failed(served, error));
    const { description } = prompt;
    return {
      description,
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: served.redact(text) } }],
    };
  });
  return server;
}

/** The SDK is loaded by the caller. */
export type Sdk = Pick<typeof import('@modelcontextprotocol/server'), 'Server' | 'ResourceNotFoundError'>;

const SEARCH_TEMPLATE = {
  uriTemplate: `${SCHEME}//search{?q}`,
  name: 'search',
  description: 'Passages of the documents that some words are about, with citations.',
  mimeType: 'text/plain',
};

function instructions({ project }: Served): string {
  return [
    `Wooster, the owner's personal assistant; its project is "${project}".`,
    'A call that needs the owner waits as a proposal: tell them its id, and do not repeat it.',
  ].join(' ');
}

/** A message reaches the client word for word, so it must not contain a secret. */
function failed(served: Served, error: unknown): never {
  throw new Error(served.redact(messageOf(error)));
}

function listed(tool: Tool): unknown {
  const output = tool.output && toSchema(tool.output, 'output');
  const { $schema: _dialect, ...inputSchema } = toSchema(tool.input, 'input');
  return {
    name: modelToolName(tool.name),
    description: tool.description,
    inputSchema: { type: 'object', ...inputSchema },
    ...(output?.type === 'object' ? { outputSchema: withoutDialect(output) } : {}),
    annotations: {
      readOnlyHint: tool.policy.effect === 'none',
      destructiveHint: tool.policy.effect !== 'none' && !tool.durability.versioned,
      openWorldHint: tool.policy.network || tool.policy.effect === 'outbound',
    },
  };
}

function withoutDialect({ $schema: _dialect, ...schema }: Readonly<Record<string, unknown>>): unknown {
  return schema;
}

function answerOf(tool: Tool | undefined, result: ToolResult): unknown {
  const content = [{ type: 'text', text: result.ok ? result.text : result.error }];
  if (!result.ok) return { content, isError: true };
  const isTyped = tool?.output !== undefined && toSchema(tool.output, 'output').type === 'object';
  return isTyped && isRecord(result.value) ? { content, structuredContent: result.value } : { content };
}

async function page(served: Served, cursor: string | undefined) {
  const from = Number(cursor ?? 0);
  const start = Number.isSafeInteger(from) && from >= 0 ? from : 0;
  // One more than is listed says whether there is another page.
  const documents = await served.documents({ from: start, most: PAGE + 1 });
  return {
    resources: documents.slice(0, PAGE).map(({ path, bytes }) => ({
      uri: documentUri(served.project, path),
      name: path,
      size: bytes,
      mimeType: 'text/plain',
    })),
    ...(documents.length > PAGE ? { nextCursor: String(start + PAGE) } : {}),
  };
}

function documentUri(project: string, path: string): string {
  return `${SCHEME}//documents/${encodeURIComponent(project)}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

async function readUri(served: Served, uri: string, signal: AbortSignal): Promise<string | undefined> {
  const url = URL.parse(uri);
  if (url?.protocol !== SCHEME) return undefined;
  if (url.host === 'search') return served.search(url.searchParams.get('q') ?? '', signal);
  const prefix = documentUri(served.project, '');
  if (!uri.startsWith(prefix)) return undefined;
  return served.read(uri.slice(prefix.length).split('/').map(decoded).join('/'), signal);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
