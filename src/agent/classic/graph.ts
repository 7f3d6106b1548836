import { createAgent, createMiddleware } from 'langchain';
import type { EngineRun } from '../types.ts';
import type { Loop } from './engine.ts';
import { executedTools } from './tools.ts';
import type { ClassicTurn } from './turn.ts';

/** Nodes that one step passes: our check before the model, the model, the tools. */
const NODES_PER_STEP = 4;

/** One turn on `createAgent`, LangChain's successor of the AgentExecutor. Every model call goes through the turn. */
export const runGraph: Loop = async (turn, run, maxIterations) => {
  const tools = executedTools(run.toolbox.list(), (name, args) => turn.perform(name, args));
  const agent = createAgent({ model: turn.model, tools, middleware: [ownSteps(turn, run, maxIterations)] });
  const recursionLimit = NODES_PER_STEP * (maxIterations + 1);
  await agent.invoke({ messages: [...turn.opening] }, { signal: run.context.signal, recursionLimit });
};

/** Stands where the graph would call the model itself, and ends politely where it would throw. */
function ownSteps(turn: ClassicTurn, run: EngineRun, maxIterations: number) {
  return createMiddleware({
    name: 'own-steps',
    beforeModel: {
      canJumpTo: ['end'],
      hook: () => {
        run.context.signal.throwIfAborted();
        return turn.steps >= maxIterations ? { jumpTo: 'end' as const } : undefined;
      },
    },
    wrapModelCall: (request) => turn.step(request.messages),
  });
}
