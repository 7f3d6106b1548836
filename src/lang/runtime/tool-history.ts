import { newId } from '../../base/ids.ts';
import type { TurnEvent } from '../../base/turn.ts';
import { ANSWER_TOOL } from '../../models/answer-form.ts';
import type { Tool } from '../../tools/tool.ts';

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolResult {
  readonly toolCallId: string;
  /** The tool's result; for a failed call, what the model was told. */
  readonly output: unknown;
  readonly isError: boolean;
}

export interface ToolCallRecord {
  readonly call: ToolCall;
  readonly result: ToolResult;
}

interface Hooks {
  readonly onToolCall?: ((call: ToolCall) => void) | undefined;
  readonly onToolResult?: ((result: ToolResult) => void) | undefined;
}

type Ended = Pick<TurnEvent & { type: 'tool' }, 'name' | 'input' | 'ok' | 'preview'>;

interface Running {
  readonly call: ToolCall;
  readonly key: string;
  output?: unknown;
  done?: true;
}

/** The tool calls of one agent, in the order in which they ended. */
export class ToolHistory {
  readonly records: ToolCallRecord[] = [];
  readonly #hooks: Hooks;
  /** Calls that have begun to run. */
  readonly #running: Running[] = [];

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
  }

  /** The tool, wrapped so that its calls are recorded. */
  watched(tool: Tool): Tool {
    return {
      ...tool,
      execute: async (input, context) => {
        const running: Running = { call: this.#begin(tool.name, input), key: tool.name };
        this.#running.push(running);
        try {
          running.output = await tool.execute(input, context);
          return running.output;
        } finally {
          running.done = true;
        }
      },
    };
  }

  /** The gate has finished a call, whether it ran or not. */
  ended({ name, input, ok, preview }: Ended): void {
    if (name === ANSWER_TOOL) return;
    const finished = this.#running.findIndex(({ key, done }) => key === name && done);
    // One that ran out of time is still running.
    const at = finished >= 0 ? finished : this.#running.findIndex(({ key }) => key === name);
    const [running] = at < 0 ? [] : this.#running.splice(at, 1);
    const call = running?.call ?? this.#begin(name, input);
    const output = ok ? (running?.output ?? preview) : preview;
    const result = { toolCallId: call.id, output, isError: !ok };
    this.records.push({ call, result });
    this.#hooks.onToolResult?.(result);
  }

  /** The last call, if it failed. */
  lastFailure(): { readonly name: string; readonly error: string } | undefined {
    const last = this.records.at(-1);
    return last?.result.isError ? { name: last.call.name, error: String(last.result.output) } : undefined;
  }

  #begin(name: string, input: unknown): ToolCall {
    const call = { id: newId('call'), name, input };
    this.#hooks.onToolCall?.(call);
    return call;
  }
}
