import { sql } from 'kysely';
import type { Step } from '../step.ts';
import { createTable } from '../tables/create.ts';
import { integer, nullable, oneOf, table, text } from '../tables/table.ts';

/** Messages that come in, and the chat that a message goes to. */
export const addChats: Step = async (db, kind) => {
  const words = sql.raw(kind === 'sqlite' ? 'text' : 'text collate "C"');
  for (const column of ['chat', 'choices']) await sql`alter table outbox add ${sql.ref(column)} ${words}`.execute(db);
  await createTable(db, kind, { name: 'chat_pairings', ...PAIRINGS });
  await createTable(db, kind, { name: 'chat_accounts', ...ACCOUNTS });
  await createTable(db, kind, { name: 'chat_receivers', ...RECEIVERS });
  await createTable(db, kind, { name: 'chat_messages', ...MESSAGES });
  await createTable(db, kind, { name: 'chats', ...CHATS });
  await createTable(db, kind, { name: 'chat_questions', ...QUESTIONS });
};

const PAIRINGS = table({
  columns: {
    ...{ code_hash: text, channel: text, decides_all: integer },
    ...{ tries_left: integer, expires_at: text, used_at: nullable(text) },
  },
  key: ['code_hash'],
  notCopied: true,
});

const ACCOUNTS = table({
  columns: { channel: text, account: text, chat: text, decides_all: integer, paired_at: text },
  key: ['channel', 'account'],
});

const RECEIVERS = table({
  columns: { channel: text, account: text, mark: nullable(text), trouble: nullable(text), updated_at: text },
  key: ['channel', 'account'],
});

const MESSAGES = table({
  columns: {
    ...{ channel: text, chat: text, id: text, event: text, state: oneOf('new', 'taken', 'done') },
    ...{ turn_id: nullable(text), at: text },
  },
  key: ['channel', 'chat', 'id'],
  indexes: [{ name: 'chat_messages_open', on: ['at'], where: "state <> 'done'" }],
});

const CHATS = table({
  columns: {
    ...{ channel: text, chat: text, conversation_id: text, project: text, mode: text },
    model: nullable(text),
  },
  key: ['channel', 'chat'],
});

const QUESTIONS = table({
  columns: {
    ...{ code: text, channel: text, chat: text, hash: text, text, proposal_id: nullable(text) },
    ...{ state: oneOf('open', 'closed'), created_at: text },
  },
  key: ['code'],
  indexes: [{ name: 'chat_questions_open', on: ['created_at'], where: "state = 'open'" }],
});
