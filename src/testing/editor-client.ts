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
  const asked: RequestPermissionRequest[] = [];
  const connection = client({ name: 'editor' })
    .onRequest(methods.client.session.requestPermission, async ({ params, signal }) => {
      asked.push(params);
      const { promise: cancelled, resolve } = Promise.withResolvers<undefined>();
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
      const optionId = await Promise.race([answering(params), cancelled]);
      return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .connect(ndJsonStream(Writable.toWeb(toAgent), Readable.toWeb(toClient) as ReadableStream<Uint8Array>));
  onTestFinished(async () => {
    connection.close();
    leaving.abort();
    await served;
  });
  const agent: ClientContext = connection.agent;
  await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  return { agent, updates, asked, leave: () => leaving.abort(), served, raw: toAgent, out: toClient };
}
