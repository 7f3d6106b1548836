import type { Step } from '../step.ts';
import { createTable } from '../tables/create.ts';
import { integer, nullable, oneOf, table, text } from '../tables/table.ts';

/** The tables of the HTTP door. */
export const addServerDoors: Step = async (db, kind) => {
  await createTable(db, kind, { name: 'devices', ...DEVICES });
  await createTable(db, kind, { name: 'pairings', ...PAIRINGS });
  await createTable(db, kind, { name: 'http_requests', ...REQUESTS });
};

const DEVICES = table({
  columns: {
    ...{ id: text, name: text, kind: oneOf('page', 'program'), token_hash: text, scopes: text, created_at: text },
    ...{ seen_at: nullable(text), revoked_at: nullable(text) },
  },
  key: ['id'],
  unique: [['token_hash']],
});

const PAIRINGS = table({
  columns: {
    ...{ code_hash: text, name: nullable(text), scopes: text, tries_left: integer, created_at: text },
    ...{ expires_at: text, used_at: nullable(text) },
  },
  key: ['code_hash'],
  notCopied: true,
});

const REQUESTS = table({
  columns: { device_id: text, key: text, body_hash: text, turn_id: text, conversation_id: text, created_at: text },
  key: ['device_id', 'key'],
  notCopied: true,
});
