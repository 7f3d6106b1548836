import { integer, nullable, oneOf, table, text } from './table.ts';

/** What comes in on channels; owned by `notify/`. */
export const inboxTables = {
  /** A code that makes the account that sends it the owner's, once. */
  chat_pairings: table({
    columns: {
      ...{ code_hash: text, channel: text },
      /** 1 when the account may decide about everything. */
      decides_all: integer,
      ...{ tries_left: integer, expires_at: text, used_at: nullable(text) },
    },
    key: ['code_hash'],
    notCopied: true,
  }),
  /** The owner's accounts. Whoever writes from one of them is the owner. */
  chat_accounts: table({
    columns: { channel: text, account: text, chat: text, decides_all: integer, paired_at: text },
    key: ['channel', 'account'],
  }),
  /** What the buttons on a channel where nobody is known stand for, each once. */
  chat_nonces: table({
    columns: { nonce_hash: text, channel: text, says: text, created_at: text },
    key: ['nonce_hash'],
    notCopied: true,
  }),
  /** How far the events of an account that receives have been kept. */
  chat_receivers: table({
    columns: { channel: text, account: text, mark: nullable(text), trouble: nullable(text), updated_at: text },
    key: ['channel', 'account'],
  }),
  /** The owner's messages, each once, however often the service repeats it. */
  chat_messages: table({
    columns: {
      ...{ channel: text, chat: text, id: text },
      /** JSON. */
      event: text,
      state: oneOf('new', 'taken', 'done'),
      /** The turn that answers it. */
      turn_id: nullable(text),
      at: text,
    },
    key: ['channel', 'chat', 'id'],
    indexes: [{ name: 'chat_messages_open', on: ['at'], where: "state <> 'done'" }],
  }),
  /** What was said in a group since the assistant was addressed there last. */
  chat_overheard: table({
    columns: {
      ...{ channel: text, chat: text },
      /** JSON: what was said last, oldest first. */
      said: text,
      at: text,
    },
    key: ['channel', 'chat'],
  }),
};

/** Owned by `server/`. */
export const chatTables = {
  /** What holds for a chat from now on. */
  chats: table({
    columns: {
      ...{ channel: text, chat: text, conversation_id: text, project: text, mode: text },
      model: nullable(text),
    },
    key: ['channel', 'chat'],
  }),
  /** The questions that were asked in chats about calls that need approval. */
  chat_questions: table({
    columns: {
      code: text,
      ...{ channel: text, chat: text, hash: text, text, proposal_id: nullable(text) },
      state: oneOf('open', 'closed'),
      created_at: text,
    },
    key: ['code'],
    indexes: [{ name: 'chat_questions_open', on: ['created_at'], where: "state = 'open'" }],
  }),
};
