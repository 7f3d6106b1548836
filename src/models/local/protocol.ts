import type { ToolSpec } from '../bound-tools.ts';

/** What the program and the process of the engine say to each other, as JSON. */

export interface ToolUse {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** One message in the form that chat templates read. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly calls?: readonly ToolUse[];
  /** Of the tool whose result it is. */
  readonly name?: string;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSpec[];
  /** The reply has to be a call. */
  readonly mustCall?: boolean;
  /** The reply is JSON of this schema. */
  readonly answer?: unknown;
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly seed?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  /** Let it think aloud first; what it thinks is not shown. */
  readonly think?: boolean;
  /** Longest text in a call, in characters. */
  readonly longestText?: number | undefined;
}

/** How a model is loaded. */
export interface LoadRequest {
  /** Of the GGUF file. */
  readonly path: string;
  readonly contextTokens: number;
  /** How many conversations are remembered at once. */
  readonly slots: number;
  readonly threads: number;
}

/** What a model asks of the machine. */
export interface Needs {
  /** Of memory, weights and context together. */
  readonly bytes: number;
  /** As the file calls itself. */
  readonly name: string;
}

export interface ChatUsage {
  readonly inputTokens: number;
  /** Of the input, what was still in memory from an earlier request. */
  readonly cachedTokens: number;
  readonly outputTokens: number;
}

export interface CutCall {
  /** Empty if it broke off before that. */
  readonly name: string;
  readonly text: string;
}

export interface ChatDone {
  readonly calls: readonly ToolUse[];
  /** `length`: ran into a limit, and `calls` has only whole ones. */
  readonly finish: 'stop' | 'tool_calls' | 'length';
  /** A call that a limit cut off, as far as it came. */
  readonly cut?: CutCall | undefined;
  readonly usage: ChatUsage;
}

/** `file`: it cannot be used; `window`: the request is too long; `request`: the rest. */
export type ChildFault = 'file' | 'window' | 'request';

export type ToChild =
  | { readonly type: 'inspect'; readonly load: LoadRequest }
  | { readonly type: 'load' }
  | { readonly type: 'chat'; readonly chat: ChatRequest }
  | { readonly type: 'stop' };

export type FromChild =
  | { readonly type: 'up' }
  | { readonly type: 'needs'; readonly needs: Needs }
  | { readonly type: 'loaded' }
  /** So much of the request has been read, in tokens. */
  | { readonly type: 'read'; readonly tokens: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'done'; readonly done: ChatDone }
  | { readonly type: 'failed'; readonly fault: ChildFault; readonly message: string };
