import type { Block, Parsed } from './parsed.ts';

const MAX_TITLE_CHARS = 120;

/** Read paragraphs with their lines. A short first line of a file followed by an empty one is the title. */
export function readText(source: string, _path = '', part?: number): Parsed {
  const lines = source.replace(/^\uFEFF/u, '').split(/\r\n|\n|\r/u);
  const blocks: Block[] = [];
  const title = part === undefined ? titleOf(lines) : undefined;
  if (title !== undefined) blocks.push({ kind: 'heading', level: 1, text: title, lines: [1, 1] });
  let from = -1;
  for (let at = title === undefined ? 0 : 1; at <= lines.length; at++) {
    const blank = (lines[at] ?? '').trim() === '';
    if (!blank && from < 0) from = at;
    if (!blank || from < 0) continue;
    blocks.push({ kind: 'text', text: lines.slice(from, at).join('\n'), lines: [from + 1, at] });
    from = -1;
  }
  return { title, blocks };
}

function titleOf(lines: readonly string[]): string | undefined {
  const first = (lines[0] ?? '').trim();
  const short = first !== '' && first.length <= MAX_TITLE_CHARS;
  const followedByText = lines.slice(1).some((line) => line.trim() !== '');
  return short && (lines[1] ?? '').trim() === '' && followedByText ? first : undefined;
}
