import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { AIMessage, AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import { textOf } from '../../models/reply.ts';
import type { ModelChoice } from '../../models/types.ts';
import { modelToolName } from '../../tools/gate/toolbox.ts';
import type { Tool } from '../../tools/tool.ts';
import { callWithinWindow } from '../fit-to-window.ts';
import type { EngineRun } from '../types.ts';
import { answering, mayAnswer } from './answers.ts';
import { declarationTokens, offeredTool } from './tools.ts';

/** Passes on the words of a reply as they arrive. Its presence makes LangChain stream a model that is only invoked. */
class TokenView extends BaseCallbackHandler {
  name = 'token-view';
  lc_prefer_streaming = true;
  override awaitHandlers = true;
  readonly #show: (text: string) => void;

  constructor(show: (text: string) => void) {
    super();
    this.#show = show;
  }

  /** With some providers the first argument is the JSON of a tool call; only the chunk's text is meant for people. */
  override handleLLMNewToken(...args: Parameters<NonNullable<BaseCallbackHandler['handleLLMNewToken']>>): void {
    const chunk = args[5]?.chunk;
    const text = chunk && 'message' in chunk ? textOf(chunk.message) : '';
    if (text !== '') this.#show(text);
  }
}

/** One model call with the tools offered and the words streamed, within the model's context window. */
export type Ask = (
  messages: readonly BaseMessage[],
  /** Gets the words as they arrive. */
  onText: (text: string) => void,
) => Promise<AIMessage | AIMessageChunk>;

/**
 * Prepare the calls of one turn. The offer may grow while it runs: a long result can be read on.
 *
 * @param first  what the turn starts with, where that is known.
 */
export function createAsk(run: EngineRun, choice: ModelChoice, first?: readonly Tool[]): Ask {
  let next = choice.provider === 'builtin' ? undefined : first;
  const toldOf = mayAnswer(run, choice) ? answering : (tools: readonly Tool[]) => tools;
  return async (messages, onText) => {
    const tools = toldOf(next ?? (await declaredTools(run, choice)));
    next = undefined;
    await run.admit?.(
      messages,
      tools.map(({ name }) => modelToolName(name)),
    );
    const { model } = choice;
    const bound = tools.length > 0 && model.bindTools ? model.bindTools(tools.map((tool) => offeredTool(tool))) : model;
    const view = new TokenView(onText);
    const call = (fitting: BaseMessage[]) =>
      bound.invoke(fitting, { signal: run.context.signal, callbacks: [view] }) as Promise<AIMessage>;
    return callWithinWindow(run, { choice, messages, overheadTokens: declarationTokens(tools) }, call);
  };
}

/** The built-in model knows the tools, and declarations cost it nothing. */
async function declaredTools({ toolbox, turn }: EngineRun, { provider }: ModelChoice): Promise<readonly Tool[]> {
  return provider === 'builtin' ? toolbox.offered(turn) : (await toolbox.declared(turn)).tools;
}
