import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { AIMessage, AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import type { ModelChoice } from '../../models/types.ts';
import type { Tool } from '../../tools/tool.ts';
import { declarationTokens } from '../context-report.ts';
import { isOverflow } from '../overflow.ts';
import type { EngineRun } from '../types.ts';
import { offeredTool } from './tools.ts';

/** Shows the words of a reply as they come. Its presence makes LangChain stream a model that is only invoked. */
class TokenView extends BaseCallbackHandler {
  name = 'token-view';
  lc_prefer_streaming = true;
  override awaitHandlers = true;
  readonly #show: (text: string) => void;

  constructor(show: (text: string) => void) {
    super();
    this.#show = show;
  }

  /** The first argument is tool-call JSON with some providers: only the chunk's text is for people. */
  override handleLLMNewToken(...args: Parameters<NonNullable<BaseCallbackHandler['handleLLMNewToken']>>): void {
    const chunk = args[5]?.chunk;
    const text = chunk && 'message' in chunk ? (chunk.message as AIMessageChunk).text : '';
    if (text !== '') this.#show(text);
  }
}

/** One model call: compact before it, offer the tools, stream the words; once more, shorter, when it was too long. */
export type Ask = (
  messages: readonly BaseMessage[],
  /** Takes the words in place of the view. */
  onText?: (text: string) => void,
) => Promise<AIMessage | AIMessageChunk>;

export function createAsk(run: EngineRun, choice: ModelChoice): Ask {
  const offered = run.toolbox.list().map((tool: Tool) => offeredTool(tool));
  const { model } = choice;
  const bound = offered.length > 0 && model.bindTools ? model.bindTools(offered) : model;
  const overheadTokens = declarationTokens(run.toolbox);
  const show = (text: string) => run.context.show({ type: 'token', text });
  return async (messages, onText = show) => {
    const view = new TokenView(onText);
    const call = (fitting: BaseMessage[]) =>
      bound.invoke(fitting, { signal: run.context.signal, callbacks: [view] }) as Promise<AIMessage>;
    const fitting = await run.compact(messages, choice, { overheadTokens });
    try {
      return await call(fitting);
    } catch (error) {
      if (!isOverflow(error)) throw error;
      return call(await run.compact(fitting, choice, { overheadTokens, force: true }));
    }
  };
}
