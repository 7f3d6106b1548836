import { AgentExecutor, createToolCallingAgent } from '@langchain/classic/agents';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { ChatPromptValueInterface } from '@langchain/core/prompt_values';
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts';
import { RunnableLambda } from '@langchain/core/runnables';
import { messageOf } from '../../base/errors.ts';
import type { EngineRun } from '../types.ts';
import type { ClassicTurn } from './classic-turn.ts';
import { executedTools } from './tools.ts';

const PROMPT = ChatPromptTemplate.fromMessages([
  new MessagesPlaceholder('opening'),
  new MessagesPlaceholder('agent_scratchpad'),
]);

/**
 * Drives `turn` on LangChain's AgentExecutor until the model calls no more tools or was called `maxIterations` times.
 * Uses `.invoke()` only: the streaming path loses errors and aborts.
 */
export async function runExecutor(turn: ClassicTurn, run: EngineRun, maxIterations: number): Promise<void> {
  const executor = buildExecutor(turn, run, maxIterations);
  await executor.invoke({ opening: turn.opening }, { signal: run.context.signal });
}

function buildExecutor(turn: ClassicTurn, run: EngineRun, maxIterations: number): AgentExecutor {
  const tools = executedTools(run.toolbox.list(), (name, args) => turn.perform(name, args));
  const step = RunnableLambda.from(
    (prompt: ChatPromptValueInterface): Promise<AIMessage> => turn.step(prompt.toChatMessages() as BaseMessage[]),
  );
  // createToolCallingAgent uses a plain Runnable as it is, so the guarded step takes the place of the model.
  // A step shows its words itself and gives one whole message, so there is nothing to stream here.
  const agent = createToolCallingAgent({ llm: step as never, tools, prompt: PROMPT, streamRunnable: false });
  const explain = (error: unknown) => `Error: ${messageOf(error)}`;
  return new AgentExecutor({
    agent,
    tools,
    maxIterations,
    handleParsingErrors: explain,
    handleToolRuntimeErrors: (error) => {
      run.context.signal.throwIfAborted();
      return explain(error);
    },
  });
}
