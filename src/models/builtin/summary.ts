import type { BaseMessage } from '@langchain/core/messages';
import { preview } from '../../base/text.ts';

const MAX_LINES = 40;
const MAX_LINE_CHARS = 240;

/** True for a request to condense a conversation. */
export function wantsSummary(messages: readonly BaseMessage[]): boolean {
  const first = messages[0]?.text ?? '';
  const last = messages.at(-1)?.text ?? '';
  return (
    /\bsummar(?:y|i[sz]e|i[sz]ing)\b/iu.test(first.slice(0, 2000)) ||
    /^\W*summar(?:y|i[sz]e)\b.{0,200}(?:conversation|messages|dialog|above|following)/isu.test(last)
  );
}

/** An extract: the beginning of each message, the oldest and the newest when there are too many. Invents nothing. */
export function summarize(messages: readonly BaseMessage[]): string {
  const lines = messages
    .slice(1)
    .flatMap((message) =>
      message.text.includes('\n') && messages.length <= 3 ? message.text.split('\n') : [message.text],
    )
    .map((line) => preview(line, MAX_LINE_CHARS))
    .filter((line) => line !== '');
  if (lines.length <= MAX_LINES) return lines.map((line) => `- ${line}`).join('\n');
  const head = lines.slice(0, MAX_LINES / 2);
  const tail = lines.slice(-MAX_LINES / 2);
  return [...head, `(${lines.length - MAX_LINES} lines left out)`, ...tail].map((line) => `- ${line}`).join('\n');
}
