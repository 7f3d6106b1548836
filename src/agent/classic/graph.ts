import { createAgent, createMiddleware } from 'langchain';
import type { EngineRun } from '../types.ts';
import type { ClassicTurn, Loop } from './classic-turn.ts';
import { executedTools } from './tools.ts';

/** Nodes that one step visits: our check before the model, the model, the tools, and one to spare. */
const NODES_PER_STEP = 4;

/** One turn on `createAgent`, the successor of LangChain's AgentExecutor. Every model call goes through the turn. */
export const runGraph: Loop = async (turn, run, maxIterations) => {
  const tools = executedTools(run.toolbox.list(), (name, args) => turn.perform(name, args));
  const agent = createAgent({ model: turn.model, tools, middleware: [ownSteps(turn, run, maxIterations)] });
  const recursionLimit = NODES_PER_STEP * (maxIterations + 1);
  await agent.invoke({ messages: [...turn.opening] }, { signal: run.context.signal, recursionLimit });
};

/** Makes the model calls in the graph's place, and ends the turn at the step limit, where the graph would throw. */
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
