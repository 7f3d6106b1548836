import type { Step } from '../step.ts';
import { createTable } from '../tables/create.ts';
import { integer, nullable, oneOf, real, table, text, withDefault } from '../tables/table.ts';

/** Jobs whose runs a program does instead of a model. */
export const addFrozenJobs: Step = (db, kind) => createTable(db, kind, { name: 'frozen_jobs', ...FROZEN_JOBS });

const FROZEN_JOBS = table({
  columns: {
    job_id: text,
    state: oneOf('frozen', 'thawed'),
    frozen: text,
    frozen_at: text,
    audited_at: text,
    why: nullable(text),
    deviations: withDefault(0, integer),
    runs: withDefault(0, integer),
    spent_tokens: withDefault(0, integer),
    spent_usd: nullable(real),
    stopped: nullable(text),
  },
  key: ['job_id'],
  partOf: { column: 'job_id', table: 'schedules', key: 'id' },
});
