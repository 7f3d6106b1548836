import type { AIMessageChunk, BaseMessage } from '@langchain/core/messages';
import { pattern } from '../../base/pattern.ts';
import type { ModelChoice } from '../../models/types.ts';
import { callWithinWindow } from '../fit-to-window.ts';
import type { ProseRules } from '../replies/prose-view.ts';
import type { EngineRun } from '../types.ts';

/** One model call within the model's context window. It is streamed, so that an abort ends it at once. */
export async function ask(
  run: EngineRun,
  choice: ModelChoice,
  messages: readonly BaseMessage[],
  onText: (part: string) => void,
): Promise<AIMessageChunk> {
  await run.admit?.(messages, []);
  return callWithinWindow(run, { choice, messages }, async (fitting) => {
    let whole: AIMessageChunk | undefined;
    for await (const chunk of await choice.model.stream(fitting, { signal: run.context.signal })) {
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
