import type { BaseMessage } from '@langchain/core/messages';
import { preview } from '../../base/text.ts';

const MAX_LINES = 30;
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

/** One message of the conversation; `by` is `human`, `ai`, `result` or another message type. */
interface Line {
  readonly by: string;
  readonly text: string;
}

/** Which lines belong under which heading; others stay empty. */
const SECTIONS: readonly (readonly [heading: RegExp, wanted: (line: Line) => boolean])[] = [
  [/task|request|goal/iu, ({ by }) => by === 'human'],
  [/work|done|steps/iu, ({ by, text }) => by === 'ai' && !/^error/iu.test(text)],
  [/error|problem/iu, ({ text }) => /^error\b|did not work/iu.test(text)],
  [/state|fact/iu, ({ by, text }) => by === 'result' && !/^error/iu.test(text)],
];

/** An extract under the headings that the instructions name; the beginning of each message. Invents nothing. */
export function summarize(messages: readonly BaseMessage[]): string {
  const headings = [...(messages[0]?.text.matchAll(/^## .+$/gmu) ?? [])].map(([heading]) => heading);
  const lines = messages.slice(1).flatMap(linesOf);
  if (headings.length === 0) return bullets(lines);
  return headings.map((heading) => `${heading}\n${section(heading, lines)}`).join('\n');
}

function section(heading: string, lines: readonly Line[]): string {
  const wanted = SECTIONS.find(([pattern]) => pattern.test(heading))?.[1];
  const own = wanted ? lines.filter(wanted) : [];
  return own.length === 0 ? '- nothing' : bullets(own);
}

/** The first and the last lines when there are too many: the request and where things stand. */
function bullets(lines: readonly Line[]): string {
  const shown = lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES / 2), ...lines.slice(-MAX_LINES / 2)];
  return shown.map(({ text }) => `- ${preview(text, MAX_LINE_CHARS)}`).join('\n');
}

/** Messages as they are, or as a transcript of lines like `[human] note: buy milk`. */
function linesOf(message: BaseMessage): Line[] {
  const marked = [...message.text.matchAll(/^\[(\w+)\] (.+)$/gmu)];
  if (marked.length === 0) return message.text.trim() === '' ? [] : [{ by: message.type, text: message.text }];
  return marked.map(([, by = '', text = '']) => ({ by, text }));
}
