import type { Step } from '../steps.ts';
import { createTable } from '../tables/create.ts';
import { integer, nullable, table, text } from '../tables/table.ts';

/** The table of `presences`. */
export const addPresenceAndNotices: Step = async (db, kind) => {
  await createTable(db, kind, { name: 'presences', ...PRESENCES });
};

const PRESENCES = table({
  columns: {
    ...{ id: text, kind: text, host: text, pid: integer, runs_jobs: integer },
    ...{ since: text, seen_at: text, active_at: nullable(text), lease_until: text },
  },
  key: ['id'],
});
