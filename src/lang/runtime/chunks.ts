import { checkCount } from './batch.ts';
import { ThinkError } from './errors.ts';

export interface ChunkOptions {
  /** Characters per chunk; 4000 unless given. */
  readonly maxChars?: number | undefined;
  /** Characters that a chunk repeats from the previous one. */
  readonly overlap?: number | undefined;
  /** `paragraph` unless given. A piece that is longer than a chunk is split. */
  readonly strategy?: 'paragraph' | 'sentence' | 'fixed' | undefined;
}

const USUAL_CHARS = 4000;

/** Split a text into chunks that a model can read one at a time. Only blank lines between chunks are lost. */
export function chunkText(text: string, options: ChunkOptions = {}): string[] {
  const { maxChars = USUAL_CHARS, overlap = 0, strategy = 'paragraph' } = options;
  checkCount('maxChars', maxChars);
  if (!Number.isInteger(overlap) || overlap < 0 || overlap >= maxChars)
    throw new ThinkError(`overlap must be a whole number from 0 and less than maxChars, not ${overlap}.`);
  const room = maxChars - overlap;
  const chunks = strategy === 'fixed' ? cut(text, room) : joined(pieces(text, strategy), room, strategy);
  return chunks.map((chunk, index) => `${endOf(chunks[index - 1] ?? '', overlap)}${chunk}`);
}

function pieces(text: string, strategy: 'paragraph' | 'sentence'): string[] {
  const found = strategy === 'paragraph' ? text.split(/\n[ \t]*\n\s*/u) : text.split(/(?<=[.!?…])\s+/u);
  return found.map((each) => each.trim()).filter((each) => each !== '');
}

function joined(parts: readonly string[], room: number, strategy: 'paragraph' | 'sentence'): string[] {
  const between = strategy === 'paragraph' ? '\n\n' : ' ';
  const chunks: string[] = [];
  for (const part of parts.flatMap((each) => cut(each, room))) {
    const last = chunks.at(-1);
    if (last !== undefined && last.length + between.length + part.length <= room)
      chunks[chunks.length - 1] = `${last}${between}${part}`;
    else chunks.push(part);
  }
  return chunks;
}

/** The last characters, without half of a surrogate pair. */
function endOf(text: string, chars: number): string {
  return text.slice(Math.max(0, text.length - chars)).replace(/^[\udc00-\udfff]/u, '');
}

/** Never in the middle of a surrogate pair. */
function cut(text: string, room: number): string[] {
  const chunks: string[] = [];
  let at = 0;
  while (at < text.length) {
    let end = Math.min(text.length, at + room);
    const code = text.charCodeAt(end - 1);
    if (end < text.length && end - at > 1 && code >= 0xd800 && code < 0xdc00) end -= 1;
    chunks.push(text.slice(at, end));
    at = end;
  }
  return chunks;
}

/** A list split into lists of at most `size`. */
export function chunkArray<T>(items: readonly T[], size: number): T[][] {
  checkCount('size', size);
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
