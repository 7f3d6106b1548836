/** One note of a project's journal. */
export interface JournalEntry {
  readonly at: string;
  readonly text: string;
}

/** A note begins with the local time at which it was taken. */
export const ENTRY_HEADING = /^## (\d{4}-\d{2}-\d{2} \d{2}:\d{2})[ \t]*$/mu;

/** The entries of a journal's text, oldest first. */
export function entriesOf(journal: string): JournalEntry[] {
  const parts = journal.split(ENTRY_HEADING);
  const entries: JournalEntry[] = [];
  for (let at = 1; at + 1 < parts.length; at += 2)
    entries.push({ at: parts[at] ?? '', text: (parts[at + 1] ?? '').trim() });
  return entries;
}

/** A journal's text without one of its entries, counted from 0. */
export function withoutEntry(journal: string, index: number): string {
  const parts = journal.split(ENTRY_HEADING);
  parts.splice(1 + 2 * index, 2);
  const entries = parts.slice(1).map((part, at) => (at % 2 === 0 ? `## ${part}` : part));
  return `${[parts[0] ?? '', ...entries].join('').trimEnd()}\n`;
}

const NEWLINE = 0x0a;

/** A journal with one more entry at its end, a blank line before it. */
export function plusEntry(journal: Buffer, entry: string): Buffer {
  return Buffer.concat([journal, Buffer.from(journal.length > 0 ? `\n${entry}` : entry)]);
}

/** A journal without the last entry that is equal; the same if there is none. */
export function minusEntry(journal: Buffer, entry: string): Buffer {
  const at = entryAt(journal, entry);
  if (at < 0) return journal;
  const before = journal.subarray(0, at);
  const after = journal.subarray(at + Buffer.byteLength(entry));
  // The blank line between two entries is there once.
  if (before.length > 0) return Buffer.concat([before.subarray(0, -1), after]);
  return Buffer.from(after.subarray(1));
}

/** Where the last equal entry begins, at the start of a line; -1: nowhere. */
export function entryAt(journal: Buffer, entry: string): number {
  for (let at = journal.lastIndexOf(entry); at >= 0; at = at === 0 ? -1 : journal.lastIndexOf(entry, at - 1)) {
    const end = at + Buffer.byteLength(entry);
    const starts = at === 0 || journal[at - 1] === NEWLINE;
    // The same words at the beginning of a longer entry are another entry.
    const ends = end === journal.length || journal[end] === NEWLINE;
    if (starts && ends) return at;
  }
  return -1;
}
