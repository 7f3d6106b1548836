import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { oneLine } from '../../base/text.ts';
import { MEMORY_FILE } from '../../rag/project-file-names.ts';

/** One fact: a line of a memory file. */
export interface MemoryEntry {
  readonly text: string;
  /** ISO date; absent if the owner wrote it by hand. */
  readonly date?: string | undefined;
  /** The turn in which it was told, or `you`. */
  readonly source?: string | undefined;
  /**
   * Written after untrusted content had been read, without anybody's review (`--yes`); deleting
   * the word in the file accepts it.
   */
  readonly outside?: boolean | undefined;
  /** Its first line, from 0; further lines may belong to it. */
  readonly line: number;
  readonly lines: number;
}

/** A line that is kept but ignored. */
export interface MemoryProblem {
  /** From 1, as editors count. */
  readonly line: number;
  readonly why: string;
}

export interface MemoryText {
  readonly entries: readonly MemoryEntry[];
  readonly problems: readonly MemoryProblem[];
}

/** Longest entry: it is a fact, not a document. */
export const MAX_ENTRY_CHARS = 300;
/** The most entries that are read from one file; the rest is reported. */
const MAX_ENTRIES = 2000;
/** The most lines that are reported one by one; of more, the first ones are enough. */
const MAX_PROBLEMS = 20;

/** The longest source that `ITEM` matches. */
const MAX_SOURCE_CHARS = 60;
const ITEM = /^[-*+][ \t]+(?:\[(\d{4}-\d\d-\d\d)(?:[ \t]+([^\]\s]{1,60}))?([ \t]+outside)?\][ \t]*)?(.*)$/u;
/** Headings, rules, comments and blank lines, which are for human readers. */
const FURNITURE = /^\s*(?:#{1,6}(?:\s|$)|<!--.*-->\s*$|(?:-{3,}|\*{3,}|_{3,})\s*$|$)/u;
const CONTINUED = /^[ \t]{2,}(?![-*+][ \t])\S/u;
const HEADER = '# Memory';

/** Parse a memory file that a person may have edited. Never fails. */
export function parseMemory(text: string): MemoryText {
  const entries: MemoryEntry[] = [];
  const problems: MemoryProblem[] = [];
  const report = (line: number, why: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ line: line + 1, why });
  };
  const lines = linesOf(text).map((line) => line.replace(/\r?\n$/u, ''));
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const item = ITEM.exec(line.trimStart());
    if (!item) {
      if (!FURNITURE.test(line)) report(at, 'it is not an entry; entries begin with "- "');
      continue;
    }
    const more = continuation(lines, at + 1);
    const said = oneLine([item[4] ?? '', ...more].join(' '));
    const origin = { date: item[1], source: item[2], outside: item[3] !== undefined };
    const entry = { text: said, ...origin, line: at, lines: 1 + more.length };
    at += more.length;
    const why = problemOf(said, entries.length);
    if (why === undefined) entries.push(entry);
    else report(entry.line, why);
  }
  return { entries, problems };
}

/** Whether a file is a memory file in which some facts were not the owner's own words. */
export async function hasOutsideFacts(path: string): Promise<boolean> {
  if (basename(path) !== MEMORY_FILE) return false;
  const text = await readFile(path, 'utf8').catch(() => '');
  return parseMemory(text).entries.some(({ outside }) => outside);
}

/** Whether the text survives a round trip; a file in another encoding does not. */
export function isText(text: string): boolean {
  return !/[\0\uFFFD]/u.test(text);
}

/** The text with one entry appended. */
export function withEntry(text: string, entry: Omit<MemoryEntry, 'line' | 'lines'>): string {
  const end = /\r\n/u.test(text) ? '\r\n' : '\n';
  const before = text.trim() === '' ? `${HEADER}${end}${end}` : text;
  return `${before}${/\n$/u.test(before) ? '' : end}${lineOf(entry)}${end}`;
}

/** The text without these entries; every other byte stays. */
export function withoutEntries(text: string, gone: readonly Pick<MemoryEntry, 'line' | 'lines'>[]): string {
  const doomed = new Set(gone.flatMap(({ line, lines }) => Array.from({ length: lines }, (_, index) => line + index)));
  return linesOf(text)
    .filter((_, at) => !doomed.has(at))
    .join('');
}

function lineOf({ text, date, source, outside }: Omit<MemoryEntry, 'line' | 'lines'>): string {
  const turn = source?.replace(/[\s\]]+/gu, '_').slice(0, MAX_SOURCE_CHARS);
  const mark = [date, turn, outside ? 'outside' : undefined].filter((part) => part !== undefined).join(' ');
  return `- ${mark === '' ? '' : `[${mark}] `}${oneLine(text)}`;
}

function problemOf(text: string, count: number): string | undefined {
  if (text === '') return 'the entry is empty';
  if (text.length > MAX_ENTRY_CHARS) return `the entry is longer than ${MAX_ENTRY_CHARS} characters`;
  return count >= MAX_ENTRIES ? `only the first ${MAX_ENTRIES} entries are read` : undefined;
}

/** Indented lines continue the entry above them. */
function continuation(lines: readonly string[], from: number): string[] {
  let end = from;
  while (CONTINUED.test(lines[end] ?? '')) end++;
  return lines.slice(from, end);
}

/** Each with its line break. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/u);
}
