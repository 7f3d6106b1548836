import type { Step } from '../step.ts';
import { createTable } from '../tables/create.ts';
import { integer, table, text } from '../tables/table.ts';

/** Pages that were read from their pictures. */
export const addSeenPages: Step = (db, kind) => createTable(db, kind, { name: 'seen_pages', ...SEEN_PAGES });

const SEEN_PAGES = table({
  columns: { project: text, sha256: text, page: integer, version: text, found: text },
  key: ['project', 'sha256', 'page', 'version'],
  sortedByKey: true,
});
