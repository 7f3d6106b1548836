import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import type { App } from '../face/app.ts';
import type { LineCommands } from '../face/doors.ts';
import { serveEditor } from '../server/acp/serve.ts';
import { type Answering, connectEditor } from './editor-connection.ts';

const NO_COMMANDS: LineCommands = { list: [], reads: () => undefined };

/** The protocol's own client before a program, over streams in memory. */
export async function openEditor(
  app: App,
  { answering = () => 'denied', commands = NO_COMMANDS }: { answering?: Answering; commands?: LineCommands } = {},
) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const leaving = new AbortController();
  const open = async () => ({ app, commands, mode: 'classic_tools', project: 'home' }) as const;
  const served = serveEditor({ input, output, signal: leaving.signal, open });
  const connection = await connectEditor({ output: input, input: output }, answering);
  onTestFinished(async () => {
    connection.close();
    leaving.abort();
    await served;
  });
  return connection;
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
  const open = async () => ({ app, commands: NO_COMMANDS, mode: 'classic_tools', project: 'home' }) as const;
  const served = serveEditor({ input, output, signal: ending.signal, open });
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
