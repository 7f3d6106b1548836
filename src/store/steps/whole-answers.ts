import { sql } from 'kysely';
import type { Step } from '../step.ts';

/** What an approved call gave as data, for a program that waited for it. */
export const addWholeAnswers: Step = async (db, kind) => {
  const text = sql.raw(kind === 'sqlite' ? 'text' : 'text collate "C"');
  await sql`alter table proposals add column answer ${text}`.execute(db);
};
