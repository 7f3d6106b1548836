import { sql } from 'kysely';
import type { Step } from '../step.ts';
import { createTable } from '../tables/create.ts';
import { blob, table, text } from '../tables/table.ts';

/** What others say in groups, files that go out, and the message that a message answers. */
export const addOverheardAndFiles: Step = async (db, kind) => {
  const words = sql.raw(kind === 'sqlite' ? 'text' : 'text collate "C"');
  for (const column of ['file', 'reply_to']) await sql`alter table outbox add ${sql.ref(column)} ${words}`.execute(db);
  await createTable(db, kind, { name: 'outgoing_files', ...OUTGOING_FILES });
  await createTable(db, kind, { name: 'chat_overheard', ...OVERHEARD });
};

const OUTGOING_FILES = table({
  columns: { id: text, name: text, bytes: blob },
  key: ['id'],
});

const OVERHEARD = table({
  columns: { channel: text, chat: text, said: text, at: text },
  key: ['channel', 'chat'],
});
