import { newId } from '../base/ids.ts';
import type { Turn, TurnContext } from '../base/turn.ts';
import { Conversations } from '../conversation/conversations.ts';
import type { Store } from '../store/store.ts';
import { EffectLedger } from '../tools/gate/effect-ledger.ts';
import type { Labels } from '../tools/gate/labels.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import { startTurnState } from '../tools/gate/turn-state.ts';
import type { CallScope, ToolResult } from '../tools/gate/types.ts';
import type { Tool } from '../tools/tool.ts';
import type { TurnToolsRun } from './types.ts';

/** Stands for the request of a person where none was told. It must hold nothing that a model wrote. */
const NO_REQUEST = '(tools called by another program)';

/** The call as a turn of its own, which asks no model. */
type OutsideRun = Pick<TurnToolsRun, 'turn' | 'context' | 'toolbox' | 'scope'>;

export interface OutsideCallsOptions extends Pick<Turn, 'origin' | 'mode' | 'project' | 'unlisted'> {
  readonly store: Store;
  readonly toolbox: Toolbox;
  /** Tools that call the others in the scope of a call: the owner's programs. */
  turnTools?(run: OutsideRun): Promise<readonly Tool[]>;
  /** A new one unless given. */
  readonly conversationId?: string | undefined;
  /** What the person asked for, if that is known. */
  readonly request?: string | undefined;
  /** The caller's inputs may come from anywhere: named for people, as a source. */
  readonly untrusted?: string | undefined;
  /** What a call brings along; made for each. */
  context(signal: AbortSignal | undefined): TurnContext;
}

/** Calls of tools from outside a turn, through the same gate. Each is a turn of its own in the run history. */
export class OutsideCalls {
  readonly #options: OutsideCallsOptions;
  readonly #conversations: Conversations;
  readonly #conversationId: string;
  readonly #destinations = new Set<string>();
  /** One for all calls, so that calls side by side see what the others have read. */
  #labels: Promise<Labels> | undefined;

  constructor(options: OutsideCallsOptions) {
    this.#options = options;
    this.#conversations = new Conversations(options.store);
    this.#conversationId = options.conversationId ?? newId('conv');
  }

  /** A refusal or failure is a result that a model can read. */
  async call(name: string, input: unknown, signal?: AbortSignal): Promise<ToolResult> {
    const turn = this.#turn();
    const scope = await this.#scope(turn, signal);
    const { context } = scope;
    const { toolbox, turnTools } = this.#options;
    const own = toolbox.find(name) ? [] : ((await turnTools?.({ turn, context, toolbox, scope })) ?? []);
    const result = await toolbox.with(own).call(name, input, scope);
    const stop = result.ok ? 'answered' : result.reason === 'aborted' ? 'aborted' : 'failed';
    await this.#conversations.finish(turn, { text: '', stop }, context.now());
    return result;
  }

  /** The caller gets a text that no tool gave; it counts for the calls that follow. @param source for people. */
  async read(text: { readonly untrusted: boolean; readonly private: boolean }, source: string): Promise<void> {
    const turn = this.#turn();
    const { labels, context } = await this.#scope(turn, undefined);
    await labels.read(text, source);
    await this.#conversations.finish(turn, { text: '', stop: 'answered' }, context.now());
  }

  #turn(): Turn {
    const { origin, mode, project, unlisted, request = NO_REQUEST } = this.#options;
    const place = { conversationId: this.#conversationId, origin, mode, project, ...(unlisted && { unlisted }) };
    return { id: newId('turn'), text: request, ...place };
  }

  async #scope(turn: Turn, signal: AbortSignal | undefined): Promise<CallScope> {
    const { store } = this.#options;
    const context = this.#options.context(signal);
    await this.#conversations.begin(turn, context.now);
    this.#labels ??= this.#loadLabels();
    return {
      turn,
      context,
      labels: await this.#labels,
      ledger: new EffectLedger({ store, turn, now: context.now }),
      said: await this.#conversations.said(turn.conversationId),
      ...startTurnState(),
      destinations: this.#destinations,
    };
  }

  /** What cannot be read now is read again by the next call. */
  async #loadLabels(): Promise<Labels> {
    const { untrusted } = this.#options;
    try {
      const labels = await this.#conversations.labels(this.#conversationId);
      if (untrusted !== undefined) await labels.read({ untrusted: true, private: false }, untrusted);
      return labels;
    } catch (error) {
      this.#labels = undefined;
      throw error;
    }
  }
}
