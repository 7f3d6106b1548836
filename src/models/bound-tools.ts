import type { BindToolsInput } from '@langchain/core/language_models/chat_models';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';

/** A tool as a model is told of it. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** From any of the forms in which LangChain binds tools. */
export function toolSpec(tool: BindToolsInput): ToolSpec {
  const { name, description = '', parameters } = convertToOpenAITool(tool as never).function;
  return { name, description, parameters: parameters as Record<string, unknown> };
}

/** Whether a reply must be a call, or the name of the tool that must be called. */
export type ToolChoice = 'auto' | 'required' | 'none' | { readonly name: string };

/** What LangChain's callers and OpenAI's protocol mean by a choice; `any` is `required`. */
export function toolChoiceOf(choice: unknown): ToolChoice {
  if (choice === 'any' || choice === 'required') return 'required';
  if (choice === 'none' || choice === 'auto' || typeof choice !== 'string') return choice === 'none' ? 'none' : 'auto';
  return { name: choice };
}
