/** A model as an embedding program implements it: a single method. See `completing-model.ts` for its use. */
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
  /** The latest message of the person or program. */
  readonly userMessage: string;
  /** The answer must have this form. */
  readonly jsonSchema?: Record<string, unknown>;
  readonly schemaName?: string;
  readonly model?: string;
  readonly maxTokens?: number;
  readonly tools?: ToolDefinition[];
  readonly toolChoice?: ToolChoice;
  /** The whole conversation, including the latest message; left out if that is the only one. */
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
