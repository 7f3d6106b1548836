import { integer, nullable, oneOf, real, table, text, withDefault } from './table.ts';

/** Owned by `lang/`. */
export const langTables = {
  /** Jobs whose runs a program does instead of a model. */
  frozen_jobs: table({
    columns: {
      job_id: text,
      state: oneOf('frozen', 'thawed'),
      /** The program and all that it was approved with, as JSON. */
      frozen: text,
      frozen_at: text,
      /** When a model last did the same. */
      audited_at: text,
      /** Why it is thawed. */
      why: nullable(text),
      deviations: withDefault(0, integer),
      /** Runs that the program did, and what their own questions to a model have cost. */
      runs: withDefault(0, integer),
      spent_tokens: withDefault(0, integer),
      spent_usd: nullable(real),
      /** What a run had done that stopped after it had acted, for the model that runs the job next. */
      stopped: nullable(text),
    },
    key: ['job_id'],
    partOf: { column: 'job_id', table: 'schedules', key: 'id' },
  }),
};
