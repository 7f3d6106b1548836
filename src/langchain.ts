/** For programs that use LangChain: `import ... from 'wooster/langchain'`. See docs/embedding.md. */
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { DynamicStructuredTool } from '@langchain/core/tools';
import { offeredTool } from './agent/classic/tools.ts';
import type { Mode } from './base/turn.ts';
import { innerOf } from './embed/assistant.ts';
import { ToolCalls } from './embed/tool-calls.ts';
import type { Assistant, ToolCallOptions } from './embed/types.ts';
import { chatModel } from './models/chat-model.ts';
import type { TaskProfile } from './models/types.ts';
import {
  ProjectRetriever as DocumentsRetriever,
  type ProjectRetrieverInput,
} from './rag/langchain/project-retriever.ts';

export { type Filter, LocalVectorStore, type LocalVectorStoreOptions } from './rag/langchain/local-vector-store.ts';

export interface ChatModelOptions {
  /** Its preferences and its budget count; the assistant's project unless given. */
  readonly project?: string;
  readonly mode?: Mode;
  /** What the model is for, as the router's rules know it; `TOOL_EXECUTION` unless given. */
  readonly profile?: TaskProfile;
  readonly temperature?: number;
  readonly maxTokens?: number;
}

/**
 * The assistant's model for LangChain: retries, falls over to the next one that is set up, counts usage and keeps to
 * budgets. Each call picks a model anew. It ends with the assistant.
 *
 * @throws AssistantError from its calls: `local_only`, `budget_reached`, `model_unreachable`, `model_missing_package`.
 */
export function createChatModel(assistant: Assistant, options: ChatModelOptions = {}): BaseChatModel {
  const inner = innerOf(assistant);
  const { project, mode = inner.mode, profile = 'TOOL_EXECUTION', temperature, maxTokens } = options;
  const request = { project: inner.projectFor(project), mode, profile, temperature, maxTokens } as const;
  return chatModel(inner.app.models, { ...request, purpose: 'llm' }, inner.lifetime);
}

export interface LangChainToolsOptions extends ToolCallOptions {
  /** Ids of the tools wanted, as `wooster tools` lists them; all unless given. */
  readonly only?: readonly string[];
}

/**
 * The assistant's tools for LangChain's agents, each behind the same gate: validation, policy, approval, effect
 * ledger, redaction. What was refused or failed comes back as text, for the model to read.
 *
 * @throws AssistantError `unknown_tool` for a name in `only` that no tool has.
 */
export function toLangChainTools(assistant: Assistant, options: LangChainToolsOptions = {}): DynamicStructuredTool[] {
  const inner = innerOf(assistant);
  const calls = new ToolCalls(inner, options);
  return inner.chosenTools(options.only).map((tool) =>
    offeredTool(tool, async (input, signal) => {
      const result = await calls.call(tool.name, input, signal);
      return result.ok ? result.text : result.error;
    }),
  );
}

/** A project's documents for LangChain's chains. */
export class ProjectRetriever extends DocumentsRetriever {
  /** @param options.k passages per question, 5 unless given. @throws AssistantError `unknown_project`. */
  static from(
    assistant: Assistant,
    { project, ...rest }: Partial<Omit<ProjectRetrieverInput, 'documents'>> = {},
  ): ProjectRetriever {
    const inner = innerOf(assistant);
    return new ProjectRetriever({
      ...rest,
      documents: inner.app.knowledge.documents,
      project: inner.projectFor(project),
    });
  }
}
