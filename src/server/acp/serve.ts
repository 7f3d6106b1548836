import { Readable, Writable } from 'node:stream';
import { agent, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import { version } from '../../base/version.ts';
import type { EditorDoor } from '../../face/editor-door.ts';
import { errorEvent } from '../../face/error-event.ts';
import { CAPABILITIES } from './capabilities.ts';
import type { Sessions } from './sessions.ts';
import type { Shows } from './updates.ts';

/**
 * Serve one editor until it leaves or the signal fires. Standard output belongs to the protocol.
 *
 * @throws whatever keeps the program from being opened: the request that needed it is answered with it before.
 */
export async function serveEditor(door: EditorDoor): Promise<void> {
  const editor = new Editor(door, () => connection.close());
  const input = Readable.toWeb(door.input) as ReadableStream<Uint8Array>;
  const connection = editor.agent().connect(ndJsonStream(Writable.toWeb(door.output), input));
  const stop = () => connection.close();
  door.signal.addEventListener('abort', stop, { once: true });
  try {
    await connection.closed;
  } finally {
    door.signal.removeEventListener('abort', stop);
    await editor.close();
  }
}

/** Says hello by itself, since opening the program takes longer than an editor waits; the rest is for sessions. */
class Editor {
  readonly #door: EditorDoor;
  readonly #end: () => void;
  #sessions: Promise<Sessions> | undefined;
  #shows: Shows = { notices: false, compaction: false };

  constructor(door: EditorDoor, end: () => void) {
    this.#door = door;
    this.#end = end;
  }

  agent() {
    const { agent: calls } = methods;
    return agent({ name: 'wooster' })
      .onRequest(calls.initialize, ({ params }) => this.#initialize(params.clientCapabilities?.session ?? {}))
      .onRequest(calls.authenticate, none)
      .onRequest(calls.session.new, async ({ params, client }) => (await this.#opened()).new(params, client))
      .onRequest(calls.session.load, async ({ params, client }) => (await this.#opened()).load(params, client))
      .onRequest(calls.session.resume, async ({ params, client }) => (await this.#opened()).resume(params, client))
      .onRequest(calls.session.list, async ({ params }) => (await this.#opened()).list(params))
      .onRequest(calls.session.close, async ({ params }) => (await this.#opened()).closeOne(params.sessionId))
      .onRequest(calls.session.delete, async ({ params }) => (await this.#opened()).delete(params.sessionId))
      .onRequest(calls.session.setMode, async ({ params }) =>
        (await this.#opened()).choose(params.sessionId, 'mode', params.modeId).then(none),
      )
      .onRequest(calls.session.setConfigOption, async ({ params }) =>
        (await this.#opened()).choose(params.sessionId, params.configId, params.value),
      )
      .onRequest(calls.session.prompt, async ({ params }) => (await this.#opened()).prompt(params))
      .onNotification(calls.session.cancel, async ({ params }) => (await this.#opened()).cancel(params.sessionId));
  }

  async close(): Promise<void> {
    await (await this.#sessions)?.close();
  }

  #initialize({ notices, compaction }: { notices?: object | null; compaction?: object | null }) {
    this.#shows = { notices: Boolean(notices), compaction: Boolean(compaction) };
    // Opening blocks for a while, so let the answer be written first. What it fails with is told to whoever needs it.
    setImmediate(() => void this.#open().catch(() => undefined));
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentCapabilities: CAPABILITIES,
      agentInfo: { name: 'wooster', title: 'Wooster', version: version() },
      authMethods: [],
    };
  }

  #open(): Promise<Sessions> {
    const open = async () => {
      const [home, { Sessions }] = await Promise.all([this.#door.open(), import('./sessions.ts')]);
      return new Sessions(home, () => this.#shows);
    };
    this.#sessions ??= open();
    return this.#sessions;
  }

  async #opened(): Promise<Sessions> {
    try {
      return await this.#open();
    } catch (error) {
      // Behind the answer.
      setImmediate(this.#end);
      const { code, message, hint } = errorEvent(error);
      throw new RequestError(-32603, `${message} ${hint}`.trim(), { code, hint });
    }
  }
}

const none = () => ({});
