import { sql } from 'kysely';
import type { Step } from '../step.ts';

/** When and where pictures were taken. */
export const addTaken: Step = async (db) => {
  await sql`alter table sources add column taken text`.execute(db);
};
