/** What a server is asked. */
interface Asked {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** What a server answers, by method; a thrown error breaks the connection. */
export type WebMcpAnswers = Readonly<
  Record<string, (params: Readonly<Record<string, unknown>>, id: unknown) => unknown>
>;

const CAPABILITIES = { tools: {}, prompts: {} };
const NO_METHOD = { code: -32_601, message: 'no such method' };

/** An MCP server elsewhere, which is reached by this `fetch` alone. Nothing is started. */
export function webMcp(answers: WebMcpAnswers = {}, capabilities: object = CAPABILITIES) {
  const methods: string[] = [];
  const all: WebMcpAnswers = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities, serverInfo: { name: 'far', version: '1' } }),
    'tools/list': () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
    'prompts/list': () => ({ prompts: [] }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'fine' }] }),
    ...answers,
  };
  const reach = async (_input: unknown, init?: RequestInit): Promise<Response> => {
    if (init?.method !== 'POST') return new Response(null, { status: 405 });
    const { id, method = '', params = {} } = JSON.parse(String(init.body)) as Asked;
    if (id === undefined) return new Response(null, { status: 202 });
    methods.push(method);
    const answer = all[method];
    const body = answer ? { result: await answer(params, id) } : { error: NO_METHOD };
    if (body.result instanceof Response) return body.result;
    return Response.json({ jsonrpc: '2.0', id, ...body });
  };
  return { fetch: reach as typeof fetch, methods };
}
