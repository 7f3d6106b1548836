import type { AgentContext, StopReason as EditorStop, SessionUpdate } from '@agentclientprotocol/sdk';
import { methods, RequestError } from '@agentclientprotocol/sdk';
import { newId } from '../../base/ids.ts';
import type { Answer, ApprovalRequest, Decision, StopReason, TurnContext, TurnEvent } from '../../base/turn.ts';
import { NOBODY_TO_ASK } from '../../base/turn.ts';
import type { App } from '../../face/app.ts';
import type { LineCommands } from '../../face/doors.ts';
import { runTurn } from '../../face/run-turn.ts';
import type { OpenPanel } from './face.ts';
import { linkFolder, projectOf } from './folder.ts';
import type { Choices } from './options.ts';
import { askEditor } from './permission.ts';
import type { EditorPrompt } from './prompt.ts';
import { type Shows, TurnUpdates, textBlock } from './updates.ts';

const STOPS: Readonly<Record<Exclude<StopReason, 'failed'>, EditorStop>> = {
  answered: 'end_turn',
  budget: 'end_turn',
  cut_off: 'max_tokens',
  step_limit: 'max_turn_requests',
  aborted: 'cancelled',
};

export interface SessionParts {
  readonly app: App;
  readonly client: AgentContext;
  readonly commands: LineCommands;
  readonly shows: Shows;
  /** The person did something in this session just now. */
  readonly used: (session: OpenPanel) => void;
}

/** Not of the protocol: whoever does not know it says so, and so has read what came before it. */
const HAVE_READ = '_wooster/have_read';

/** One conversation that an editor has open. */
export class EditorSession implements OpenPanel {
  /** The conversation's own id. */
  readonly id: string;
  readonly choices: Choices;
  readonly #parts: SessionParts;
  /** The folder that the editor works in; undefined where it is no project of a person. */
  #folder: string | undefined;
  /** Whether the folder is the owner's work. */
  #isLinked: boolean;
  #running: AbortController | undefined;
  /** Ends with the last prompt: they are answered one after the other. */
  #line: Promise<unknown> = Promise.resolve();
  /** Updates reach the client in their order. */
  #sent: Promise<void> = Promise.resolve();

  constructor(id: string, choices: Choices, folder: string | undefined, parts: SessionParts) {
    this.id = id;
    this.choices = choices;
    this.#parts = parts;
    this.#folder = folder;
    const project = folder === undefined ? undefined : projectOf(parts.app.knowledge.projects, folder);
    this.#isLinked = project !== undefined;
    if (project !== undefined) this.choices.project = project;
  }

  /** The folder whose texts are the owner's. */
  get folder(): string | undefined {
    return this.#isLinked ? this.#folder : undefined;
  }

  send(update: SessionUpdate): void {
    const { client } = this.#parts;
    const sent = () => client.notify(methods.client.session.update, { sessionId: this.id, update });
    // A client that is gone cannot be told; its connection ends the turn.
    this.#sent = this.#sent.then(sent).catch(() => undefined);
  }

  /** Fulfilled once all updates so far have been written. */
  written(): Promise<void> {
    return this.#sent;
  }

  async tell(text: string): Promise<void> {
    this.send({ sessionUpdate: 'agent_message_chunk', content: textBlock(text), messageId: newId('notice') });
    await this.written();
    await this.#parts.client.request(HAVE_READ, {}).catch((error: unknown) => {
      if (!(error instanceof RequestError)) throw error;
    });
  }

  /** @throws RequestError when the turn failed; a cancelled one is none. */
  prompt(read: () => Promise<EditorPrompt>): Promise<EditorStop> {
    this.#parts.used(this);
    const running = new AbortController();
    const work = async () => {
      if (running.signal.aborted) return 'cancelled';
      this.#running = running;
      try {
        return await this.#take(read, running.signal);
      } catch (error) {
        if (running.signal.aborted) return 'cancelled';
        throw error;
      } finally {
        this.#running = undefined;
        await this.written();
      }
    };
    this.#waiting.add(running);
    const result = this.#line.then(work).finally(() => this.#waiting.delete(running));
    this.#line = result.catch(() => undefined);
    return result;
  }

  readonly #waiting = new Set<AbortController>();

  /** Ends what runs, and what waits behind it. */
  cancel(): void {
    for (const each of [...this.#waiting, this.#running]) each?.abort(new Error('cancelled in the editor'));
  }

  /** Cancels, and waits for the end. */
  async close(): Promise<void> {
    this.cancel();
    await this.#line;
  }

  async #take(read: () => Promise<EditorPrompt>, signal: AbortSignal): Promise<EditorStop> {
    const { app, client, commands } = this.#parts;
    if (this.#folder !== undefined && !this.#isLinked) {
      const project = await linkFolder(client, this.id, { app, folder: this.#folder, signal });
      this.#isLinked = project !== undefined;
      if (project === undefined) this.#folder = undefined;
      else this.choices.project = project;
    }
    // Whose its texts are depends on whose the folder is.
    const prompt = await read();
    for (const each of prompt.left) this.note(`Left out: ${each}.`);
    const command = commands.reads(prompt.text);
    if (!command) return stopOf(await this.#turn(prompt, signal), () => this.#failure);
    this.#say(await command({ ...this.choices, conversationId: this.id, signal }), 'agent_message_chunk');
    return signal.aborted ? 'cancelled' : 'end_turn';
  }

  /** Something about the session that is no answer. */
  note(text: string): void {
    this.#say(`(${text})\n`, 'agent_thought_chunk');
  }

  #say(text: string, sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk'): void {
    if (text !== '') this.send({ sessionUpdate, content: textBlock(text) });
  }

  #failure: (TurnEvent & { type: 'error' }) | undefined;

  async #turn({ text, material }: EditorPrompt, signal: AbortSignal): Promise<Answer> {
    const { app, shows } = this.#parts;
    const { mode, project, model } = this.choices;
    const [first] = await app.models.candidates();
    const turn = { id: newId('turn'), conversationId: this.id, text, origin: 'editor', mode, project } as const;
    const tool = (name: string) => app.tools.toolbox.find(name);
    const updates = new TurnUpdates(turn.id, { shows, tool, window: first?.contextWindow ?? 0 });
    /** The calls that wait for a decision, by the id of the question. */
    const asking = new Map<string, { readonly callId: string; readonly decided: AbortController }>();
    this.#failure = undefined;
    const context: TurnContext = {
      signal,
      now: () => new Date(),
      timeZone: app.home.timeZone,
      showsChanges: true,
      show: (event) => {
        if (event.type === 'error') this.#failure = event;
        if (event.type === 'approval') note(asking, event);
        for (const update of updates.of(event)) this.send(update);
      },
      approve: (request) => this.#approve(request, asking.get(request.id), signal),
    };
    const answer = await runTurn(app, { ...turn, ...(material.length > 0 && { material }) }, context, { model });
    await this.#title();
    return answer;
  }

  async #approve(request: ApprovalRequest, asked: Asked | undefined, signal: AbortSignal): Promise<Decision> {
    if (this.choices.habit === 'later') return NOBODY_TO_ASK;
    const decided = asked ? AbortSignal.any([signal, asked.decided.signal]) : signal;
    const about = { sessionId: this.id, callId: asked?.callId ?? request.id, signal: decided };
    // The call is shown before it is asked about.
    await this.written();
    const decision = await askEditor(this.#parts.client, about, request);
    if (decision !== NOBODY_TO_ASK) this.#parts.used(this);
    return decision;
  }

  async #title(): Promise<void> {
    const { title, updated_at } = await this.#parts.app.turns.archive.get(this.id).catch(() => NO_TITLE);
    if (title) this.send({ sessionUpdate: 'session_info_update', title, updatedAt: updated_at ?? null });
  }
}

const NO_TITLE = { title: undefined, updated_at: undefined };

interface Asked {
  readonly callId: string;
  readonly decided: AbortController;
}

/** A decision that was made elsewhere closes the question here. */
function note(asking: Map<string, Asked>, { id, callId, decision }: TurnEvent & { type: 'approval' }): void {
  if (decision === undefined) asking.set(id, { callId, decided: new AbortController() });
  else asking.get(id)?.decided.abort(new Error('decided elsewhere'));
}

function stopOf({ stop }: Answer, failure: () => (TurnEvent & { type: 'error' }) | undefined): EditorStop {
  if (stop !== 'failed') return STOPS[stop];
  const { code = 'internal', message = 'The turn failed.', hint = '' } = failure() ?? {};
  throw new RequestError(-32603, `${message} ${hint}`.trim(), { code, hint });
}
