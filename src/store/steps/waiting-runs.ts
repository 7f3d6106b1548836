import type { Step } from '../step.ts';
import { createTable } from '../tables/create.ts';
import { nullable, table, text } from '../tables/table.ts';

/** Runs of programs that wait for the owner's approval of a call. */
export const addWaitingRuns: Step = (db, kind) => createTable(db, kind, { name: 'waiting_runs', ...WAITING_RUNS });

const WAITING_RUNS = table({
  columns: { run_id: text, proposal: text, until: nullable(text), steps: text },
  key: ['run_id'],
  partOf: { column: 'run_id', table: 'runs', key: 'id' },
  indexes: [{ name: 'waiting_runs_by_proposal', on: ['proposal'] }],
});
