/** A fence at the start of a line: its marks and what follows them. */
const FENCE = /^[ \t]*(`{3,}|~{3,})([^`\n]*)$/u;
const CLOSING = /^[ \t]*(`{3,}|~{3,})[`~]*[ \t\r]*$/u;
const LANGUAGE = /^[ \t]*([\w+.-]*)/u;
/** The start of a closing tag at the very end of a reply that was cut off. */
const CUT_TAG = /<\/?c?o?d?e?\s*$/iu;

/** One fenced block of a reply, as offsets and as text. */
export interface FencedBlock {
  readonly language: string;
  readonly source: string;
  readonly start: number;
  /** The first character behind the closing fence. */
  readonly end: number;
}

/** The fenced blocks of a reply. A fence that was never closed ends with the reply. */
export function fencedBlocks(text: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open:
    | { readonly start: number; readonly body: number; readonly marks: string; readonly info: string }
    | undefined;
  const add = (bodyEnd: number, end: number) => {
    if (!open) return;
    const language = LANGUAGE.exec(open.info)?.[1] ?? '';
    blocks.push({ language: language.toLowerCase(), source: text.slice(open.body, bodyEnd), start: open.start, end });
  };
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end);
    if (open === undefined) {
      const [, marks, info = ''] = FENCE.exec(line) ?? [];
      if (marks !== undefined && newline >= 0) open = { start, body: end + 1, marks, info };
    } else if ((CLOSING.exec(line)?.[1] ?? '').startsWith(open.marks)) {
      add(start, end);
      open = undefined;
    }
    start = end + 1;
  }
  add(text.length, text.length);
  return blocks;
}

/** What stands outside of the blocks. */
export function outside(text: string, blocks: readonly FencedBlock[]): string {
  const pieces = blocks.map(({ start }, index) => text.slice(blocks[index - 1]?.end ?? 0, start));
  return [...pieces, text.slice(blocks.at(-1)?.end ?? 0)].join('\n');
}

/** A reply that is one line in a fence: three backticks, a language, the code and three backticks. */
export function inlineFence(text: string): string | undefined {
  const line = text.trim();
  if (!line.startsWith('```') || !line.endsWith('```') || line.includes('\n')) return undefined;
  const inner = line.slice(3, -3);
  const language = /^(?:javascript|typescript|js|ts)?(?=[ \t])/u.exec(inner)?.[0];
  return language === undefined ? undefined : inner.slice(language.length).trim() || undefined;
}

/** What stands in `<code>` tags; the last one may lack its end. */
export function taggedBlocks(text: string): string[] {
  const blocks: string[] = [];
  const opening = /<code(?:>|\s)/giu;
  const closing = /<\/code/giu;
  for (let start = opening.exec(text); start; start = opening.exec(text)) {
    const from = start[0].endsWith('>') ? opening.lastIndex - 1 : text.indexOf('>', opening.lastIndex);
    if (from < 0) break;
    closing.lastIndex = from + 1;
    const end = closing.exec(text)?.index;
    const inner = text.slice(from + 1, end);
    blocks.push((end === undefined ? withoutCutTag(inner) : inner).trim());
    if (end === undefined) break;
    opening.lastIndex = end;
  }
  return blocks.filter((block) => block !== '');
}

/** Only the last few characters can be such a tag. */
function withoutCutTag(text: string): string {
  const body = text.trimEnd();
  const tail = body.slice(-6);
  return body.slice(0, body.length - tail.length) + tail.replace(CUT_TAG, '');
}
