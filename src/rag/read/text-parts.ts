import { type FileHandle, open } from 'node:fs/promises';
import { ENTRY_HEADING } from '../journal.ts';
import { type Kind, kindOf } from './kinds.ts';

/** A piece of a text file, small enough to be read several times over in memory. */
export interface TextPart {
  readonly bytes: Buffer;
  /** The line on which it begins, from 1; undefined at the beginning of the file. */
  readonly from: number | undefined;
}

/** Kinds whose files can be cut anywhere between two lines. A table needs its head, a page its end. */
const CUT_KINDS: ReadonlySet<Kind> = new Set(['text', 'markdown', 'code', 'jsonl']);
const PART_BYTES = 1024 * 1024;
/** Of a note. */
const LONGEST_HEADING = 40;
const NEWLINE = 0x0a;
const SPACE = 0x20;

/** Fences, and the headings of notes. */
const FENCES = new RegExp(`^ {0,3}(\`{3,}|~{3,})|${ENTRY_HEADING.source}`, 'gmu');

/** Whether a file of this name can be read in parts. */
export function hasParts(path: string): boolean {
  return CUT_KINDS.has(kindOf(path) ?? 'text');
}

/**
 * A text file in parts, each of which begins where a heading, a paragraph or at least a line does; within a line that
 * is longer than a part, after a space. Fenced code that goes on in the next part is opened there again.
 *
 * @param partBytes of each part but the last, at most; a fence that is opened again comes on top.
 */
export async function* textParts(path: string, partBytes = PART_BYTES): AsyncGenerator<TextPart> {
  const markdown = kindOf(path) === 'markdown';
  const file = await open(path, 'r');
  try {
    let first = true;
    let line = 1;
    let fence = '';
    let rest: Buffer = Buffer.alloc(0);
    for (;;) {
      const bytes = await filled(file, rest, partBytes);
      if (bytes.length === 0) return;
      if (ENTRY_HEADING.exec(bytes.toString('latin1', 0, LONGEST_HEADING))?.index === 0) fence = '';
      const end = bytes.length < partBytes ? bytes.length : cutAt(bytes, markdown);
      const part = bytes.subarray(0, end);
      const begun = Buffer.from(fence);
      yield { bytes: Buffer.concat([begun, part]), from: first ? undefined : fence === '' ? line : line - 1 };
      first = false;
      rest = bytes.subarray(end);
      if (markdown) fence = openFence(fence, part);
      line += newlines(part);
    }
  } finally {
    await file.close();
  }
}

/** What is left of the part before, followed by as much of the file as fits. */
async function filled(file: FileHandle, rest: Buffer, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  let length = rest.copy(bytes);
  while (length < size) {
    const { bytesRead } = await file.read(bytes, length, size - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/** The best place to cut in the second half: before a heading, after a paragraph, a line, a space, a character. */
function cutAt(bytes: Buffer, markdown: boolean): number {
  const half = bytes.length >> 1;
  const heading = markdown ? bytes.lastIndexOf('\n#') + 1 : 0;
  if (heading > half) return heading;
  const paragraph = bytes.lastIndexOf('\n\n') + 2;
  if (paragraph > half) return paragraph;
  const line = bytes.lastIndexOf(NEWLINE) + 1;
  if (line > half) return line;
  const space = bytes.lastIndexOf(SPACE) + 1;
  return space > half ? space : characterEnd(bytes);
}

/** Before the last character, unless it is known to be whole. */
function characterEnd(bytes: Buffer): number {
  let at = bytes.length - 1;
  // Bytes that continue a character begin with the bits 10; a character has at most three.
  while (at > bytes.length - 4 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return (bytes[at] ?? 0) < 0x80 ? bytes.length : at;
}

/** The fence that is open at the end of a part, with its line break; empty for none. */
function openFence(before: string, part: Buffer): string {
  let open = before;
  for (const [, mark] of part.toString('latin1').matchAll(FENCES)) {
    // A fence left open in a note ends with the note.
    if (mark === undefined) open = '';
    else if (open === '') open = `${mark}\n`;
    else if (mark.startsWith(open.trim())) open = '';
  }
  return open;
}

/** How many lines end in some bytes. */
export function newlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
