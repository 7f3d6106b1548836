import { sql } from 'kysely';
import type { Step } from '../step.ts';

/** The message in a chat that a notice answers. */
export const addNoticeReplies: Step = async (db, kind) => {
  const words = sql.raw(kind === 'sqlite' ? 'text' : 'text collate "C"');
  await sql`alter table notices add answers ${words}`.execute(db);
};
