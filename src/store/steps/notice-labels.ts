import { sql } from 'kysely';
import type { Step } from '../step.ts';

/** Whether somebody else may have written a notice. Nobody knows that of earlier ones, so they count as such. */
export const addNoticeLabels: Step = async (db, kind) => {
  const type = sql.raw(kind === 'sqlite' ? 'integer' : 'bigint');
  await sql`alter table notices add column untrusted ${type} not null default 1`.execute(db);
};
