import { Readable, Writable } from 'node:stream';
import {
  type AgentContext,
  agent,
  type ListSessionsResponse,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  RequestError,
} from '@agentclientprotocol/sdk';
import { AssistantError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { version } from '../../base/version.ts';
import type { App } from '../../face/app.ts';
import type { EditorDoor } from '../../face/doors.ts';
import { CAPABILITIES } from './capabilities.ts';
import { EditorFace, type OpenPanel } from './face.ts';
import { projectOf, workFolder } from './folder.ts';
import { historyUpdates } from './history.ts';
import { type Choices, choose, configOptions, modeState } from './options.ts';
import { readPrompt } from './prompt.ts';
import { EditorSession } from './session.ts';
import type { Shows } from './updates.ts';

const PAGE = 50;

/** Serve one editor until it leaves or the signal fires. Standard output belongs to the protocol. */
export async function serveEditor(app: App, door: EditorDoor): Promise<void> {
  const sessions = new Sessions(app, door);
  const input = Readable.toWeb(door.input) as ReadableStream<Uint8Array>;
  const connection = sessions.agent().connect(ndJsonStream(Writable.toWeb(door.output), input));
  const stop = () => connection.close();
  door.signal.addEventListener('abort', stop, { once: true });
  try {
    await connection.closed;
  } finally {
    door.signal.removeEventListener('abort', stop);
    await sessions.close();
  }
}

/** How a client opens a session. */
interface Opening {
  readonly cwd: string;
  readonly mcpServers?: readonly { readonly name: string }[];
}

class Sessions {
  readonly #app: App;
  readonly #door: EditorDoor;
  readonly #open = new Map<string, EditorSession>();
  readonly #face: EditorFace;
  #shows: Shows = { notices: false, compaction: false };

  constructor(app: App, door: EditorDoor) {
    this.#app = app;
    this.#door = door;
    this.#face = new EditorFace(app);
  }

  agent() {
    const { agent: calls } = methods;
    return agent({ name: 'wooster' })
      .onRequest(calls.initialize, ({ params }) => this.#initialize(params.clientCapabilities?.session ?? {}))
      .onRequest(calls.authenticate, () => ({}))
      .onRequest(calls.session.new, ({ params, client }) => this.#new(params, client))
      .onRequest(calls.session.load, ({ params, client }) => this.#load(params, client))
      .onRequest(calls.session.resume, ({ params, client }) => this.#resume(params, client))
      .onRequest(calls.session.list, ({ params }) => this.#list(params))
      .onRequest(calls.session.close, ({ params }) => this.#close(params.sessionId))
      .onRequest(calls.session.delete, ({ params }) => this.#delete(params.sessionId))
      .onRequest(calls.session.setMode, ({ params }) =>
        this.#choose(params.sessionId, 'mode', params.modeId).then(none),
      )
      .onRequest(calls.session.setConfigOption, ({ params }) =>
        this.#choose(params.sessionId, params.configId, params.value),
      )
      .onRequest(calls.session.prompt, async ({ params }) => {
        const session = this.#session(params.sessionId);
        const stopReason = await session.prompt(() =>
          readPrompt(params.prompt, session.folder, this.#app.knowledge.origins.files),
        );
        return { stopReason };
      })
      .onNotification(calls.session.cancel, ({ params }) => this.#open.get(params.sessionId)?.cancel());
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.#end(id)));
  }

  async #end(id: string): Promise<void> {
    const session = this.#open.get(id);
    this.#open.delete(id);
    if (!session) return;
    await session.close();
    await this.#face.left(session);
  }

  #initialize({ notices, compaction }: { notices?: object | null; compaction?: object | null }) {
    this.#shows = { notices: Boolean(notices), compaction: Boolean(compaction) };
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentCapabilities: CAPABILITIES,
      agentInfo: { name: 'wooster', title: 'Wooster', version: version() },
      authMethods: [],
    };
  }

  async #new(params: Opening, client: AgentContext) {
    const session = this.#begin(newId('conv'), params.cwd, client, this.#door.project);
    return { sessionId: session.id, ...(await this.#state(session, params)) };
  }

  async #load(params: Opening & { sessionId: string }, client: AgentContext) {
    const session = await this.#reopen(params.sessionId, params.cwd, client);
    const steps = await this.#app.turns.archive.messages(session.id);
    for (const update of historyUpdates(steps, (name) => this.#app.tools.toolbox.find(name))) session.send(update);
    await session.written();
    return this.#state(session, params);
  }

  async #resume(params: Opening & { sessionId: string }, client: AgentContext) {
    return this.#state(await this.#reopen(params.sessionId, params.cwd, client), params);
  }

  async #reopen(id: string, cwd: string, client: AgentContext): Promise<EditorSession> {
    const known = await this.#app.turns.archive.get(id).catch(() => {
      throw RequestError.invalidParams({ sessionId: id }, `there is no conversation "${id}"`);
    });
    await this.#end(id);
    return this.#begin(id, cwd, client, known.project);
  }

  #begin(id: string, cwd: string, client: AgentContext, project: string): EditorSession {
    const choices: Choices = { mode: this.#door.mode, project, model: undefined, habit: 'ask' };
    const used = (panel: OpenPanel) => void this.#face.used(panel);
    const parts = { app: this.#app, client, commands: this.#door.commands, shows: this.#shows, used };
    const session = new EditorSession(id, choices, workFolder(cwd), parts);
    this.#open.set(id, session);
    return session;
  }

  /** Clients drop what arrives before they know the session, so that follows the answer. */
  async #state(session: EditorSession, { mcpServers = [] }: Opening) {
    const state = { modes: modeState(session.choices), configOptions: await configOptions(this.#app, session.choices) };
    const availableCommands = this.#door.commands.list.map(({ name, description, usage }) => ({
      ...{ name, description },
      ...(usage === '' ? {} : { input: { hint: usage } }),
    }));
    setImmediate(() => {
      session.send({ sessionUpdate: 'available_commands_update', availableCommands });
      for (const { name } of mcpServers)
        session.note(`The MCP server ${name} of your editor stays off; \`wooster mcp add\` adds it with your consent.`);
      if (this.#open.get(session.id) === session) void this.#face.used(session);
    });
    return state;
  }

  #session(id: string): EditorSession {
    const session = this.#open.get(id);
    if (session) return session;
    throw RequestError.invalidParams({ sessionId: id }, `the session "${id}" is not open: load or resume it first`);
  }

  async #list({ cwd, cursor }: { cwd?: string | null; cursor?: string | null }): Promise<ListSessionsResponse> {
    const { projects } = this.#app.knowledge;
    const from = cursor ? Number(cursor) : 0;
    if (!Number.isSafeInteger(from) || from < 0) throw RequestError.invalidParams({ cursor }, 'the cursor is not ours');
    const folder = cwd ? workFolder(cwd) : undefined;
    const project = folder === undefined ? undefined : projectOf(projects, folder);
    const listed = await this.#app.turns.archive.list({ project, limit: from + PAGE + 1 });
    const sessions = listed.slice(from, from + PAGE).map((each) => ({
      sessionId: each.id,
      cwd: projects.files(each.project),
      title: each.title,
      updatedAt: each.updatedAt,
    }));
    return { sessions, ...(listed.length > from + PAGE && { nextCursor: String(from + PAGE) }) };
  }

  async #close(id: string) {
    await this.#end(this.#session(id).id);
    return {};
  }

  async #delete(id: string) {
    await this.#end(id);
    await this.#app.turns.archive.remove(id).catch((error: unknown) => {
      // The client's list may be old.
      if (!(error instanceof AssistantError && error.code === 'unknown_conversation')) throw error;
    });
    return {};
  }

  async #choose(id: string, option: string, value: unknown) {
    const session = this.#session(id);
    const refused = await choose(this.#app, session.choices, option, value);
    if (refused !== undefined) throw RequestError.invalidParams({ configId: option }, refused);
    const { mode } = session.choices;
    if (option === 'mode') session.send({ sessionUpdate: 'current_mode_update', currentModeId: mode });
    const options = await configOptions(this.#app, session.choices);
    session.send({ sessionUpdate: 'config_option_update', configOptions: options });
    return { configOptions: options };
  }
}

const none = () => ({});
