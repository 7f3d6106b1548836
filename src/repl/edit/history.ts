/** A line that was sent. */
export interface HistoryEntry {
  readonly text: string;
  /** Where it was sent; unknown for lines of earlier versions. */
  readonly project?: string | undefined;
}

/** Going back through earlier lines; a value. */
export interface Recall {
  /** Newest first: those of the project, then the others. */
  readonly texts: readonly string[];
  /** -1: the line being typed. */
  readonly at: number;
  readonly draft: string;
}

/** A search through earlier lines (Ctrl-R). */
export interface Search {
  readonly query: string;
  readonly texts: readonly string[];
  /** Index into `texts` of what is shown; -1 when nothing contains the query. */
  readonly at: number;
  /** What the line was before. */
  readonly draft: string;
}

/**
 * What Up and Ctrl-R go through: newest first, those of `project` before all others, each text once. Lines sent before
 * the project was known count as lines of every project; until it is known, all are ordered by time.
 */
export function recallOrder(entries: readonly HistoryEntry[], project: string | undefined): string[] {
  const newest = entries.toReversed();
  const isOwn = (entry: HistoryEntry) => [undefined, entry.project].includes(project) || entry.project === undefined;
  const own = newest.filter(isOwn);
  const others = newest.filter((entry) => !isOwn(entry));
  return [...new Set([...own, ...others].map(({ text }) => text))];
}

/** One step back (1) or forward (-1). @returns undefined when there is nothing there. */
export function recall(from: Recall, by: 1 | -1): Recall | undefined {
  const at = from.at + by;
  return at < -1 || at >= from.texts.length ? undefined : { ...from, at };
}

export function recalledText({ texts, at, draft }: Recall): string {
  return at < 0 ? draft : (texts[at] ?? draft);
}

/** Search for `query`, from the entry at `from` on towards older ones. Case counts only when the query has capitals. */
export function search(before: Search, query: string, from: number): Search {
  const fold = (text: string) => (/\p{Lu}/u.test(query) ? text : text.toLowerCase());
  const wanted = fold(query);
  const at = before.texts.findIndex((text, index) => index >= from && fold(text).includes(wanted));
  return { ...before, query, at: query === '' ? -1 : at };
}
