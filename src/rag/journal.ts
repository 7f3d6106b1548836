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
