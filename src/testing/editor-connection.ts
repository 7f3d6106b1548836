import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  type ClientContext,
  client,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';

/** What a person answers to a question: the id of an option. */
export type Answering = (asked: RequestPermissionRequest) => string | Promise<string>;

const PROGRAM = resolve(import.meta.dirname, '../../bin/wooster');

/** The protocol's own client, and what it is told and asked. */
export interface EditorConnection {
  readonly agent: ClientContext;
  readonly updates: SessionUpdate[];
  /** Everything that was said, in whatever form, and where. */
  readonly told: readonly { readonly sessionId: string; readonly text: string }[];
  readonly asked: readonly RequestPermissionRequest[];
  close(): void;
}

/** Connect the protocol's own client with a program, and introduce it. */
export async function connectEditor(
  { output, input }: { readonly output: Writable; readonly input: Readable },
  answering: Answering,
): Promise<EditorConnection> {
  const updates: SessionUpdate[] = [];
  const told: { sessionId: string; text: string }[] = [];
  const asked: RequestPermissionRequest[] = [];
  const connection = client({ name: 'editor' })
    .onRequest(methods.client.session.requestPermission, async ({ params, signal }) => {
      asked.push(params);
      const { promise: cancelled, resolve: cancel } = Promise.withResolvers<undefined>();
      signal.addEventListener('abort', () => cancel(undefined), { once: true });
      const optionId = await Promise.race([answering(params), cancelled]);
      return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } };
    })
    .onNotification(methods.client.session.update, ({ params: { sessionId, update } }) => {
      updates.push(update);
      const said = 'content' in update && !Array.isArray(update.content) ? update.content : undefined;
      if (said?.type === 'text') told.push({ sessionId, text: said.text });
    })
    .connect(ndJsonStream(Writable.toWeb(output), Readable.toWeb(input) as ReadableStream<Uint8Array>));
  const { agent } = connection;
  await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
  return { agent, updates, told, asked, close: () => connection.close() };
}

/** The real program, started as an editor starts it. */
export async function startEditor(
  { args = [], env, cwd }: { readonly args?: readonly string[]; readonly env: NodeJS.ProcessEnv; readonly cwd: string },
  answering: Answering,
) {
  const child = spawn(PROGRAM, ['acp', ...args], { cwd, env, stdio: 'pipe' });
  const complaints = text(child.stderr);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const connection = await connectEditor({ output: child.stdin, input: child.stdout }, answering);
  /** @returns its exit code. */
  const leave = async () => {
    connection.close();
    child.stdin.destroy();
    return ended;
  };
  return { ...connection, pid: child.pid, ended, complaints, leave };
}
