import { AgentExecutor, createToolCallingAgent } from '@langchain/classic/agents';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import type { ChatPromptValueInterface } from '@langchain/core/prompt_values';
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts';
import { RunnableLambda } from '@langchain/core/runnables';
import { messageOf } from '../../base/errors.ts';
import { type Answer, NO_USAGE } from '../../base/turn.ts';
import type { Artifacts } from '../../tools/artifacts.ts';
import type { Engine, EngineRun } from '../types.ts';
import { executedTools } from './tools.ts';
import { ClassicTurn } from './turn.ts';

export interface ClassicParts {
  /** Most model calls of one turn. */
  readonly maxIterations: number;
  /** Where results that are too long for the model are kept whole. */
  readonly artifacts?: Artifacts | undefined;
}

const PROMPT = ChatPromptTemplate.fromMessages([
  new MessagesPlaceholder('opening'),
  new MessagesPlaceholder('agent_scratchpad'),
]);

/** Tool-calling mode on LangChain's AgentExecutor. Only `.invoke()`: its streaming path loses errors and abort. */
export function createClassicEngine(parts: ClassicParts): Engine {
  return { run: (run) => runExecutor(run, parts) };
}

async function runExecutor(run: EngineRun, parts: ClassicParts): Promise<Answer> {
  const turn = await ClassicTurn.start(run, parts.artifacts);
  const executor = buildExecutor(turn, run, parts.maxIterations);
  await executor.invoke({ opening: turn.opening }, { signal: run.context.signal });
  return { text: turn.answer(), stop: turn.finished ? 'answered' : 'step_limit', usage: NO_USAGE, steps: turn.steps };
}

function buildExecutor(turn: ClassicTurn, run: EngineRun, maxIterations: number): AgentExecutor {
  const tools = executedTools(run.toolbox.list(), (name, args) => turn.perform(name, args));
  const step = RunnableLambda.from(
    (prompt: ChatPromptValueInterface): Promise<AIMessage> => turn.step(prompt.toChatMessages() as BaseMessage[]),
  );
  // createToolCallingAgent uses a plain Runnable as it is, so the guarded step stands where the model would.
  const agent = createToolCallingAgent({ llm: step as never, tools, prompt: PROMPT });
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
