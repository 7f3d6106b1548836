/** A model as a program of its own writes one: a single method. See `completing-model.ts` for how it is used. */
export interface ModelProvider {
  complete(options: CompleteOptions): Promise<CompleteResult>;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Record<string, unknown>;
}

export interface CompletingToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
}

export interface CompletingToolResult {
  readonly toolCallId: string;
  readonly output: unknown;
  readonly isError?: boolean;
}

export interface Message {
  readonly role: 'user' | 'assistant' | 'tool_result';
  readonly content: string | CompletingToolCall[];
  readonly toolResults?: CompletingToolResult[];
}

export type ToolChoice = 'auto' | 'required' | 'none' | { readonly name: string };

export interface CompleteOptions {
  readonly systemPrompt: string;
  /** What the person or program said last. */
  readonly userMessage: string;
  /** The answer must have this form. */
  readonly jsonSchema?: Record<string, unknown>;
  readonly schemaName?: string;
  readonly model?: string;
  readonly maxTokens?: number;
  readonly tools?: ToolDefinition[];
  readonly toolChoice?: ToolChoice;
  /** All that was said, the last message included; left out where there is only the one. */
  readonly messages?: Message[];
  readonly stopSequences?: string[];
}

export interface UsageInfo {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface CompleteResult {
  /** A text, or a value of `jsonSchema`. */
  readonly data: unknown;
  readonly usage: UsageInfo;
  readonly model: string;
  readonly toolCalls?: CompletingToolCall[] | undefined;
  readonly stopReason?: 'end_turn' | 'tool_use' | 'max_tokens' | 'stop_sequence' | undefined;
}
