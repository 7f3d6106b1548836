import type { BaseMessage } from '@langchain/core/messages';
import { preview } from '../base/text.ts';
import { dataOf, type TranscriptLine } from '../models/message-data.ts';

const MAX_LINES = 30;
const MAX_LINE_CHARS = 240;

/** Which lines belong under which heading; others stay empty. */
const SECTIONS: readonly (readonly [heading: RegExp, wanted: (line: TranscriptLine) => boolean])[] = [
  [/task|request|goal/iu, ({ by }) => by === 'person'],
  [/work|done|steps/iu, ({ by }) => by === 'assistant'],
  [/error|problem/iu, ({ ok }) => !ok],
  [/state|fact/iu, ({ by, ok }) => by === 'result' && ok],
];

/** An extract under the headings that the instructions name; the beginning of each message. Invents nothing. */
export function summarize(messages: readonly BaseMessage[]): string {
  const headings = [...(messages[0]?.text.matchAll(/^## .+$/gmu) ?? [])].map(([heading]) => heading);
  const lines = messages.flatMap((message) => dataOf(message).transcript ?? []);
  if (headings.length === 0) return bullets(lines);
  return headings.map((heading) => `${heading}\n${section(heading, lines)}`).join('\n');
}

function section(heading: string, lines: readonly TranscriptLine[]): string {
  const wanted = SECTIONS.find(([pattern]) => pattern.test(heading))?.[1];
  const own = wanted ? lines.filter(wanted) : [];
  return own.length === 0 ? '- nothing' : bullets(own);
}

/** The first and the last lines when there are too many: the request and where things stand. */
function bullets(lines: readonly TranscriptLine[]): string {
  const shown = lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES / 2), ...lines.slice(-MAX_LINES / 2)];
  return shown.map(({ text }) => `- ${preview(text, MAX_LINE_CHARS)}`).join('\n');
}
