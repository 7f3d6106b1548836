import type { Step } from '../step.ts';
import { createTable } from '../tables/create.ts';
import { table, text } from '../tables/table.ts';

/** Buttons on channels where anybody could press. */
export const addChatNonces: Step = (db, kind) => createTable(db, kind, { name: 'chat_nonces', ...CHAT_NONCES });

const CHAT_NONCES = table({
  columns: { nonce_hash: text, channel: text, says: text, created_at: text },
  key: ['nonce_hash'],
  notCopied: true,
});
