import {
  type AgentContext,
  type ListSessionsResponse,
  type PromptRequest,
  type PromptResponse,
  RequestError,
} from '@agentclientprotocol/sdk';
import { AssistantError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { EditorHome } from '../../face/editor-door.ts';
import { EditorFace, type OpenPanel } from './face.ts';
import { projectOf, workFolder } from './folder.ts';
import { historyUpdates } from './history.ts';
import { type Choices, choose, configOptions, modeState } from './options.ts';
import { readPrompt } from './prompt.ts';
import { EditorSession } from './session.ts';
import type { Shows } from './updates.ts';

const PAGE = 50;

/** How a client opens a session. */
interface Opening {
  readonly cwd: string;
  readonly mcpServers?: readonly { readonly name: string }[];
}

/** What an editor has open, over the opened program. */
export class Sessions {
  readonly #home: EditorHome;
  readonly #shows: () => Shows;
  readonly #open = new Map<string, EditorSession>();
  readonly #face: EditorFace;

  /** @param shows  what the editor can show besides, as it said last. */
  constructor(home: EditorHome, shows: () => Shows) {
    this.#home = home;
    this.#shows = shows;
    this.#face = new EditorFace(home.app);
  }

  /** Ends all of them. */
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

  async new(params: Opening, client: AgentContext) {
    const session = this.#begin(newId('conv'), params.cwd, client, this.#home.project);
    return { sessionId: session.id, ...(await this.#state(session, params)) };
  }

  async load(params: Opening & { sessionId: string }, client: AgentContext) {
    const session = await this.#reopen(params.sessionId, params.cwd, client);
    const steps = await this.#home.app.turns.archive.messages(session.id);
    for (const update of historyUpdates(steps, (name) => this.#home.app.tools.toolbox.find(name))) session.send(update);
    await session.written();
    return this.#state(session, params);
  }

  async resume(params: Opening & { sessionId: string }, client: AgentContext) {
    return this.#state(await this.#reopen(params.sessionId, params.cwd, client), params);
  }

  async #reopen(id: string, cwd: string, client: AgentContext): Promise<EditorSession> {
    const known = await this.#home.app.turns.archive.get(id).catch(() => {
      throw RequestError.invalidParams({ sessionId: id }, `there is no conversation "${id}"`);
    });
    await this.#end(id);
    return this.#begin(id, cwd, client, known.project);
  }

  #begin(id: string, cwd: string, client: AgentContext, project: string): EditorSession {
    const choices: Choices = { mode: this.#home.mode, project, model: undefined, habit: 'ask' };
    const used = (panel: OpenPanel) => void this.#face.used(panel);
    const parts = { app: this.#home.app, client, commands: this.#home.commands, shows: this.#shows(), used };
    const session = new EditorSession(id, choices, workFolder(cwd), parts);
    this.#open.set(id, session);
    return session;
  }

  /** Clients drop what arrives before they know the session, so that follows the answer. */
  async #state(session: EditorSession, { mcpServers = [] }: Opening) {
    const state = {
      modes: modeState(session.choices),
      configOptions: await configOptions(this.#home.app, session.choices),
    };
    const availableCommands = this.#home.commands.list.map(({ name, description, usage }) => ({
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

  async prompt({ sessionId, prompt }: PromptRequest): Promise<PromptResponse> {
    const session = this.#session(sessionId);
    const { files } = this.#home.app.knowledge.origins;
    const stopReason = await session.prompt((signal) => readPrompt(prompt, { folder: session.folder, files, signal }));
    return { stopReason };
  }

  cancel(id: string): void {
    this.#open.get(id)?.cancel();
  }

  #session(id: string): EditorSession {
    const session = this.#open.get(id);
    if (session) return session;
    throw RequestError.invalidParams({ sessionId: id }, `the session "${id}" is not open: load or resume it first`);
  }

  async list({ cwd, cursor }: { cwd?: string | null; cursor?: string | null }): Promise<ListSessionsResponse> {
    const { projects } = this.#home.app.knowledge;
    const from = cursor ? Number(cursor) : 0;
    if (!Number.isSafeInteger(from) || from < 0) throw RequestError.invalidParams({ cursor }, 'the cursor is not ours');
    const folder = cwd ? workFolder(cwd) : undefined;
    const project = folder === undefined ? undefined : projectOf(projects, folder);
    const listed = await this.#home.app.turns.archive.list({ project, limit: from + PAGE + 1 });
    const sessions = listed.slice(from, from + PAGE).map((each) => ({
      sessionId: each.id,
      cwd: projects.files(each.project),
      title: each.title,
      updatedAt: each.updatedAt,
    }));
    return { sessions, ...(listed.length > from + PAGE && { nextCursor: String(from + PAGE) }) };
  }

  async closeOne(id: string) {
    await this.#end(this.#session(id).id);
    return {};
  }

  async delete(id: string) {
    await this.#end(id);
    await this.#home.app.turns.archive.remove(id).catch((error: unknown) => {
      // The client's list may be old.
      if (!(error instanceof AssistantError && error.code === 'unknown_conversation')) throw error;
    });
    return {};
  }

  async choose(id: string, option: string, value: unknown) {
    const session = this.#session(id);
    const refused = await choose(this.#home.app, session.choices, option, value);
    if (refused !== undefined) throw RequestError.invalidParams({ configId: option }, refused);
    const { mode } = session.choices;
    if (option === 'mode') session.send({ sessionUpdate: 'current_mode_update', currentModeId: mode });
    const options = await configOptions(this.#home.app, session.choices);
    session.send({ sessionUpdate: 'config_option_update', configOptions: options });
    return { configOptions: options };
  }
}
