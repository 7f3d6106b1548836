import { newId } from '../base/ids.ts';
import type { Turn } from '../base/turn.ts';
import { Conversations } from '../conversation/conversations.ts';
import { EffectLedger } from '../tools/gate/effect-ledger.ts';
import type { Labels } from '../tools/gate/labels.ts';
import { startTurnState } from '../tools/gate/turn-state.ts';
import type { CallScope, ToolResult } from '../tools/gate/types.ts';
import type { EmbeddedAssistant } from './assistant.ts';
import type { ToolCallOptions } from './types.ts';

/** Stands for the request of a person where none was told. It must hold nothing that a model wrote. */
const NO_REQUEST = '(tools called by another program)';

/** Calls of tools from outside a turn, through the same gate. Each is a turn of its own in the run history. */
export class ToolCalls {
  readonly #assistant: EmbeddedAssistant;
  readonly #conversations: Conversations;
  readonly #options: ToolCallOptions;
  readonly #conversationId: string;
  readonly #project: string;
  readonly #destinations = new Set<string>();
  /** One for all calls, so that calls side by side see what the others have read. */
  #labels: Promise<Labels> | undefined;

  constructor(assistant: EmbeddedAssistant, options: ToolCallOptions) {
    this.#assistant = assistant;
    this.#options = options;
    this.#conversations = new Conversations(assistant.app.store);
    this.#conversationId = options.conversationId ?? newId('conv');
    this.#project = assistant.projectFor(options.project);
  }

  /** Never rejects but for a closed assistant: a refusal or failure is a result that a model can read. */
  call(name: string, input: unknown, signal: AbortSignal | undefined): Promise<ToolResult> {
    return this.#assistant.track(async () => {
      const turn = this.#turn();
      const scope = await this.#scope(turn, signal);
      const result = await this.#assistant.app.toolbox.call(name, input, scope);
      const stop = result.ok ? 'answered' : result.reason === 'aborted' ? 'aborted' : 'failed';
      await this.#conversations.finish(turn, { text: '', stop }, scope.context.now());
      return result;
    });
  }

  #turn(): Turn {
    return {
      id: newId('turn'),
      conversationId: this.#conversationId,
      text: this.#options.request ?? NO_REQUEST,
      origin: 'embed',
      mode: this.#assistant.mode,
      project: this.#project,
    };
  }

  async #scope(turn: Turn, signal: AbortSignal | undefined): Promise<CallScope> {
    const { approve, onEvent } = this.#options;
    const context = this.#assistant.context(() => {}, {
      ...(signal && { signal }),
      ...(onEvent && { onEvent }),
      ...(approve && { approve }),
    });
    await this.#conversations.begin(turn, context.now);
    this.#labels ??= this.#loadLabels();
    return {
      turn,
      context,
      labels: await this.#labels,
      ledger: new EffectLedger({ store: this.#assistant.app.store, turn, now: context.now }),
      said: await this.#conversations.said(turn.conversationId),
      ...startTurnState(),
      destinations: this.#destinations,
    };
  }

  /** What cannot be read now is read again by the next call. */
  async #loadLabels(): Promise<Labels> {
    try {
      return await this.#conversations.labels(this.#conversationId);
    } catch (error) {
      this.#labels = undefined;
      throw error;
    }
  }
}
