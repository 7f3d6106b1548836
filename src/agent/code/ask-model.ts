import type { AIMessageChunk, BaseMessage, SystemMessage } from '@langchain/core/messages';
import { pattern } from '../../base/pattern.ts';
import type { ModelChoice } from '../../models/types.ts';
import { callWithinWindow } from '../fit-to-window.ts';
import type { ProseRules } from '../replies/prose-view.ts';
import type { EngineRun } from '../types.ts';

/** What a model is sent. `system` takes the place of the first message; what is compacted stays as it was. */
export interface Sent {
  readonly messages: readonly BaseMessage[];
  readonly system: SystemMessage | undefined;
}

/** One model call within the model's context window. It is streamed, so that an abort ends it at once. */
export function ask(
  run: EngineRun,
  choice: ModelChoice,
  { messages, system }: Sent,
  onText: (part: string) => void,
): Promise<AIMessageChunk> {
  return callWithinWindow(run, { choice, messages }, async (fitting) => {
    let whole: AIMessageChunk | undefined;
    const sent = system ? [system, ...fitting.slice(1)] : fitting;
    for await (const chunk of await choice.model.stream(sent, { signal: run.context.signal })) {
      whole = whole?.concat(chunk) ?? chunk;
      onText(chunk.text);
    }
    run.context.signal.throwIfAborted();
    if (!whole) throw new Error('the model sent nothing');
    return whole;
  });
}

/** How a reply starts when it is going to be a script, or a call written as text. */
const SCRIPT_START = pattern(
  'iu',
  '^\\s*(?:[`~<{[]|/[/*]|#!|(?:thought|action)\\s*:|(?:const|let|var|async|await',
  String.raw`|function|import|export|for|if|try|return)\b|[\w$.]+\()`,
);

/** What the person sees of a reply in code mode while it arrives: prose, and nothing of a script. */
export const CODE_PROSE: ProseRules = {
  mayBeElse: (text) => SCRIPT_START.test(text),
  end: /[`~]{2,}|<code|<\/?(?:tool|function|invoke)|^[ \t]*\{/mu,
};
