import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App } from '../face/app.ts';
import { effectsOf } from '../tools/gate/effect-rows.ts';
import type { FaultRun } from './fault-lab.ts';
import { type Behaviour, type ChatRequest, raw } from './fault-server.ts';
import { lie, type ServerFault } from './lying-server.ts';
import { ScriptedModel } from './scripted-model.ts';
import type { ServerTrial, ServerWorld, Verdict } from './server-faults.ts';

const TURN = 'turn_faulty';
const GIFT = 'a red rose';
const ASK_MS = 3000;
const TOOL = {
  name: 'give',
  description: 'Give somebody something.',
  inputSchema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
};
const METHODS = ['initialize', 'tools/list', 'tools/call'] as const;

interface Way {
  readonly fault: ServerFault;
  readonly method: (typeof METHODS)[number];
  readonly stays: boolean;
}

/** Calls of a tool whose MCP server misbehaves at one of its methods. */
export function tryMcp(faults: readonly ServerFault[]): ServerTrial[] {
  const ways = faults.flatMap((fault) =>
    METHODS.flatMap((method) => [true, false].map((stays): Way => ({ fault, method, stays }))),
  );
  const possible = ways.filter(({ fault, method }) => fault !== 'it is not there' || method === 'initialize');
  return possible.map((way) => ({
    server: 'MCP',
    fault: way.fault,
    how: `${way.method}, ${way.stays ? 'until a restart' : 'once'}`,
    run: (world) => callOf(way, world),
  }));
}

async function callOf({ fault, method, stays }: Way, world: ServerWorld): Promise<Verdict> {
  const { home, server, elsewhere } = world;
  const given: string[] = [];
  const good: Behaviour = (response, request) => answer(response, request, given);
  const bad = lie(fault, good, elsewhere);
  let left = stays ? Number.POSITIVE_INFINITY : 1;
  const faulty: Behaviour = (response, request) =>
    (request.body.method === method && left-- > 0 ? bad : good)(response, request);
  const { port } = server;
  writeFileSync(
    join(home, 'mcp.json'),
    JSON.stringify({ mcpServers: { shop: { url: `http://127.0.0.1:${port}/mcp` } } }),
  );
  server.play(faulty);
  if (fault === 'it is not there') await server.stop();
  const app = await open(world);
  await (await app.tools.mcp.hub()).ask(ASK_MS);
  const asked = await world.ask(app, 'Give Ada a red rose.', 'classic_tools', TURN);
  const confirmed = asked.events.some((event) => event.type === 'tool' && event.ok && event.name === 'shop.give');
  const wrong: [FaultRun['broken'][number], string][] = [];
  if (confirmed && given.length === 0) wrong.push(['lost', 'the gift was confirmed']);
  const row = (await effectsOf(app.store, TURN)).find(({ tool }) => tool === 'shop.give');
  if (row?.state === 'failed' && given.length > 0) wrong.push(['hidden', 'the call counts as failed']);
  if (row?.state === 'done' && given.length === 0) wrong.push(['hidden', 'the call counts as done']);
  if (!row && given.length > 0) wrong.push(['hidden', 'the call is nowhere']);
  const unknown = row?.state === 'intent';
  if (unknown && !/unknown|out ?come/iu.test(JSON.stringify(asked.events))) wrong.push(['hidden', 'nobody was told']);
  await app.close();
  if (fault === 'it is not there') await server.start(port);
  server.play(good);
  const before = given.length;
  const again = await open(world);
  await (await again.tools.mcp.hub()).ask(ASK_MS);
  // The same request once more, as it is resumed: what has acted, or may have, is not done again.
  await world.ask(again, 'Give Ada a red rose.', 'classic_tools', TURN);
  if (given.length > Math.max(before, 1) || (unknown && given.length > before)) wrong.push(['doubled', GIFT]);
  return { wrong, unknown };
}

async function open(world: ServerWorld): Promise<App> {
  const app = await world.open({ MODEL_NAME: 'scripted:test' });
  const call = { toolCalls: [{ name: 'shop_give', args: { what: GIFT } }] };
  const model = new ScriptedModel([call, 'Done.']);
  app.models.registerProvider('scripted', async () => model);
  return app;
}

/** What a good server says. */
function answer(response: Parameters<Behaviour>[0], request: ChatRequest, given: string[]): void {
  const { id, method, params } = request.body as { id?: unknown; method?: string; params?: Record<string, unknown> };
  if (id === undefined) return void response.writeHead(202).end();
  const results: Readonly<Record<string, () => unknown>> = {
    initialize: () => ({
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'shop', version: '1' },
    }),
    'tools/list': () => ({ tools: [TOOL] }),
    'tools/call': () => {
      given.push(String((params?.arguments as { what?: string } | undefined)?.what));
      return { content: [{ type: 'text', text: 'given' }] };
    },
  };
  const result = results[method ?? '']?.() ?? {};
  void raw(JSON.stringify({ jsonrpc: '2.0', id, result }), 'application/json')(response, request);
}
