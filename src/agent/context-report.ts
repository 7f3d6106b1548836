import { type BaseMessage, SystemMessage } from '@langchain/core/messages';
import type { Turn, TurnContext } from '../base/turn.ts';
import type { Compactor } from '../conversation/compaction.ts';
import { isSummary } from '../conversation/compaction-records.ts';
import type { StoredConversation } from '../conversation/stored-conversation.ts';
import { estimateTokens, type MessageCounter } from '../conversation/tokens.ts';
import { budgetsFor } from '../conversation/window.ts';
import type { ModelChoice } from '../models/types.ts';
import type { Toolbox } from '../tools/gate/toolbox.ts';
import { offeredTool } from './classic/tools.ts';

/** What fills the window of the next request, in tokens. */
export interface ContextReport {
  readonly model: string;
  readonly window: number;
  /** Above this older messages are summarised. */
  readonly threshold: number;
  readonly total: number;
  readonly parts: readonly { readonly name: string; readonly tokens: number; readonly messages: number }[];
}

/** What `/compact` came to; `messages` is 0 when there was nothing to summarise. */
export interface CompactReport {
  readonly messages: number;
  readonly before: number;
  readonly after: number;
}

export interface ReportDeps {
  readonly choice: ModelChoice;
  readonly window: number;
  readonly counter: MessageCounter;
  readonly systemPrompt: string;
  readonly toolbox: Toolbox;
  readonly conversation: StoredConversation;
  readonly turn: Turn;
}

export function reportContext(deps: ReportDeps): ContextReport {
  const { counter, choice, turn } = deps;
  const history = deps.conversation.history(turn.mode === 'code_agent' ? 'code' : 'classic');
  const group = (name: string, messages: readonly BaseMessage[]) => ({
    name,
    tokens: counter.all(messages),
    messages: messages.length,
  });
  const lines = [
    group('system prompt', [new SystemMessage(deps.systemPrompt)]),
    { name: 'tools', tokens: declarationTokens(deps.toolbox), messages: 0 },
    group('summary', history.filter(isSummary)),
    group(
      'your messages',
      history.filter((message) => message.type === 'human'),
    ),
    group(
      'answers',
      history.filter((message) => message.type === 'ai' && !isSummary(message)),
    ),
  ];
  const { threshold } = budgetsFor(deps.window);
  const total = lines.reduce((sum, line) => sum + line.tokens, 0);
  return { model: choice.name, window: deps.window, threshold, total, parts: lines };
}

/** Summarise all but the last exchange, now. */
export async function compactConversation(
  compactor: Compactor,
  { choice, counter, systemPrompt, conversation, turn }: ReportDeps,
  context: TurnContext,
): Promise<CompactReport> {
  const history = conversation.history(turn.mode === 'code_agent' ? 'code' : 'classic');
  const messages = [new SystemMessage(systemPrompt), ...history];
  const before = counter.all(messages);
  const compacted = await compactor.compactNow(messages, choice);
  context.signal.throwIfAborted();
  return { messages: Math.max(0, messages.length - compacted.length), before, after: counter.all(compacted) };
}

/** What the declarations of the tools take in a request, estimated. */
export function declarationTokens(toolbox: Toolbox): number {
  const offered = toolbox.list().map((tool) => offeredTool(tool));
  return estimateTokens(
    JSON.stringify(offered.map(({ name, description, schema }) => ({ name, description, schema }))),
  );
}
