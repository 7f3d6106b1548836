import { OutsideCalls } from '../agent/outside-calls.ts';
import type { ToolResult } from '../tools/gate/types.ts';
import type { EmbeddedAssistant } from './assistant.ts';
import type { ToolCallOptions } from './types.ts';

/** Tool calls by the embedding program. */
export class ToolCalls {
  readonly #assistant: EmbeddedAssistant;
  readonly #calls: OutsideCalls;

  constructor(assistant: EmbeddedAssistant, { approve, onEvent, conversationId, request, project }: ToolCallOptions) {
    this.#assistant = assistant;
    const { store, tools } = assistant.app;
    this.#calls = new OutsideCalls({
      ...{ store, toolbox: tools.toolbox, conversationId, request, origin: 'embed', mode: assistant.mode },
      project: assistant.projectFor(project),
      context: (signal) =>
        assistant.context(() => {}, {
          ...(signal && { signal }),
          ...(onEvent && { onEvent }),
          ...(approve && { approve }),
        }),
    });
  }

  /** Rejects only when the assistant is closed: a refusal or failure is a result that a model can read. */
  call(name: string, input: unknown, signal: AbortSignal | undefined): Promise<ToolResult> {
    return this.#assistant.track(() => this.#calls.call(name, input, signal));
  }
}
