import { sql } from 'kysely';
import type { Step } from '../step.ts';

/** When and where pictures were taken. */
export const addTaken: Step = async (db, kind) => {
  const words = sql.raw(kind === 'sqlite' ? 'text' : 'text collate "C"');
  await sql`alter table sources add taken ${words}`.execute(db);
};
