import type { Step } from '../step.ts';
import { createTable } from '../tables/create.ts';
import { integer, nullable, table, text } from '../tables/table.ts';

/** How models keep to the form of calls. */
export const addModelCalls: Step = (db, kind) => createTable(db, kind, { name: 'model_calls', ...MODEL_CALLS });

const MODEL_CALLS = table({
  columns: {
    model: text,
    address: text,
    calls: integer,
    clean: integer,
    held: integer,
    level: integer,
    slips: integer,
    binds: nullable(integer),
    updated_at: text,
  },
  key: ['model', 'address'],
});
