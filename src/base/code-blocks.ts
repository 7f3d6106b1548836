/** A fence at the start of a line: its indentation, its marks and what follows them. */
const FENCE = /^( {0,3})(`{3,}|~{3,})([^\n]*)$/u;
const CLOSING = /^ {0,3}(`{3,}|~{3,})[ \t]*$/u;

/** A part of a text, as offsets; `end` is the first character behind it. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

interface OpenFence {
  readonly start: number;
  readonly marks: string;
  readonly indent: string;
}

/**
 * The fenced code blocks of a Markdown text that every renderer sees as such: closed, and not inside a list item whose
 * end would close them earlier.
 *
 * @see https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export function codeBlocks(text: string): TextRange[] {
  const blocks: TextRange[] = [];
  let open: OpenFence | undefined;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    if (open === undefined) open = opens(line, start);
    else if (closes(line, open)) {
      blocks.push({ start: open.start, end });
      open = undefined;
    } else if (line.trim() !== '' && !line.startsWith(open.indent)) open = opens(line, start);
    start = end + 1;
  }
  return blocks;
}

function opens(line: string, start: number): OpenFence | undefined {
  const [, indent = '', marks = '', info = ''] = FENCE.exec(line) ?? [];
  return marks === '' || (marks.startsWith('`') && info.includes('`')) ? undefined : { start, marks, indent };
}

function closes(line: string, { marks, indent }: OpenFence): boolean {
  return line.startsWith(indent) && (CLOSING.exec(line)?.[1] ?? '').startsWith(marks);
}
