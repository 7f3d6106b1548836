import { createInterface } from 'node:readline';
import { PassThrough, Readable, Writable } from 'node:stream';
import {
  type ClientContext,
  client,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { onTestFinished } from 'vitest';
import type { App } from '../face/app.ts';
import type { LineCommands } from '../face/doors.ts';
import { serveEditor } from '../server/acp/serve.ts';

/** What a person answers to a question: the id of an option; `wait` leaves it open. */
export type Answering = (asked: RequestPermissionRequest) => string | Promise<string>;

const NO_COMMANDS: LineCommands = { list: [], reads: () => undefined };

/** The protocol's own client before a program, over streams in memory. */
export async function openEditor(
  app: App,
  { answering = () => 'denied', commands = NO_COMMANDS }: { answering?: Answering; commands?: LineCommands } = {},
) {
  const [toAgent, toClient] = [new PassThrough(), new PassThrough()];
  const leaving = new AbortController();
  const door = { input: toAgent, output: toClient, signal: leaving.signal, commands };
  const served = serveEditor(app, { ...door, mode: 'classic_tools', project: 'home' });
  const updates: SessionUpdate[] = [];
  /** Everything that was said, in whatever form, and where. */
  const told: { readonly sessionId: string; readonly text: string }[] = [];
  const asked: RequestPermissionRequest[] = [];
  const connection = client({ name: 'editor' })
    .onRequest(methods.client.session.requestPermission, async ({ params, signal }) => {
      asked.push(params);
      const { promise: cancelled, resolve } = Promise.withResolvers<undefined>();
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
      const optionId = await Promise.race([answering(params), cancelled]);
      return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    })
    .onNotification(methods.client.session.update, ({ params: { sessionId, update } }) => {
      updates.push(update);
      const said = 'content' in update && !Array.isArray(update.content) ? update.content : undefined;
      if (said?.type === 'text') told.push({ sessionId, text: said.text });
    })
    .connect(ndJsonStream(Writable.toWeb(toAgent), Readable.toWeb(toClient) as ReadableStream<Uint8Array>));
  onTestFinished(async () => {
    connection.close();
    leaving.abort();
    await served;
  });
  const agent: ClientContext = connection.agent;
  await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  return { agent, updates, told, asked, leave: () => leaving.abort(), served, raw: toAgent, out: toClient };
}

/** A message of the protocol, as far as tests look into it. */
export interface Line {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number };
}

/** A client that sends whatever it likes, line by line, and answers nothing. */
export async function bareEditor(app: App) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const ending = new AbortController();
  const door = { input, output, signal: ending.signal, commands: NO_COMMANDS };
  const served = serveEditor(app, { ...door, mode: 'classic_tools', project: 'home' });
  onTestFinished(async () => {
    ending.abort();
    await served;
  });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const read = async () => JSON.parse(String((await lines.next()).value)) as Line;
  const sendLine = (line: string) => void input.write(`${line}\n`);
  return {
    read,
    sendLine,
    send: (method: string, params: unknown) => sendLine(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })),
    /** Read on to the next message of a method. */
    until: async (method: string) => {
      while ((await read()).method !== method);
    },
    leave: () => input.end(),
    served,
  };
}
