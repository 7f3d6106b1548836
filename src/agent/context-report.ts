import { type BaseMessage, SystemMessage } from '@langchain/core/messages';
import type { Turn, TurnContext } from '../base/turn.ts';
import type { Compactor } from '../conversation/compaction.ts';
import { isSummary } from '../conversation/compaction-records.ts';
import type { OpenConversation } from '../conversation/open-conversation.ts';
import type { MessageCounter } from '../conversation/tokens.ts';
import { budgetsFor } from '../conversation/window.ts';
import type { ModelChoice } from '../models/types.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import { declarationTokens } from './classic/tools.ts';

/** What fills the context window of a conversation's next request, in tokens: `/context`. */
export interface ContextReport {
  readonly model: string;
  readonly window: number;
  /** Requests larger than this get their older messages summarised. */
  readonly threshold: number;
  readonly total: number;
  readonly parts: readonly { readonly name: string; readonly tokens: number; readonly messages: number }[];
}

/** What `/compact` did: how many messages a summary replaced (0: nothing to summarise), and tokens before and after. */
export interface CompactReport {
  readonly messages: number;
  readonly before: number;
  readonly after: number;
}

/** A conversation and the model its next request would go to. */
export interface ReportDeps {
  readonly choice: ModelChoice;
  readonly window: number;
  readonly counter: MessageCounter;
  readonly systemPrompt: string;
  readonly toolbox: Toolbox;
  readonly conversation: OpenConversation;
  readonly turn: Turn;
}

/** A report is not a turn, so nothing announces one. */
export function unannounced(context: TurnContext): TurnContext {
  return {
    ...context,
    show: (event) => {
      if (event.type !== 'turn') context.show(event);
    },
  };
}

/** Count what the next request would hold, by kind. Tool declarations are estimated. */
export async function reportContext(deps: ReportDeps): Promise<ContextReport> {
  const { counter, choice, turn } = deps;
  const view = turn.mode === 'code_agent' ? 'code' : 'classic';
  const history = await deps.conversation.history(view, choice.looksBackTokens);
  const group = (name: string, messages: readonly BaseMessage[]) => ({
    name,
    tokens: counter.all(messages),
    messages: messages.length,
  });
  const lines = [
    group('system prompt', [new SystemMessage(deps.systemPrompt)]),
    { name: 'tools', tokens: declarationTokens((await deps.toolbox.declared(turn)).tools), messages: 0 },
    group('summary', history.filter(isSummary)),
    group(
      'your messages',
      history.filter((message) => message.type === 'human'),
    ),
    group(
      'answers',
      history.filter((message) => message.type === 'ai' && !isSummary(message)),
    ),
    group(
      'tool results',
      history.filter((message) => message.type === 'tool'),
    ),
  ];
  const { threshold } = budgetsFor(deps.window);
  const total = lines.reduce((sum, line) => sum + line.tokens, 0);
  return { model: choice.name, window: deps.window, threshold, total, parts: lines };
}

/** Run a round of compaction now and say what it gained. */
export async function compactConversation(
  compactor: Compactor,
  { choice, counter, systemPrompt, conversation, turn }: ReportDeps,
  context: TurnContext,
): Promise<CompactReport> {
  const history = await conversation.history(turn.mode === 'code_agent' ? 'code' : 'classic');
  const messages = [new SystemMessage(systemPrompt), ...history];
  const before = counter.all(messages);
  const compacted = await compactor.compactNow(messages, choice);
  context.signal.throwIfAborted();
  return { messages: wholeMessages(messages) - wholeMessages(compacted), before, after: counter.all(compacted) };
}

function wholeMessages(messages: readonly BaseMessage[]): number {
  return messages.filter((message) => !isSummary(message)).length;
}
