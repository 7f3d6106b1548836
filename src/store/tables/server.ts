import { integer, nullable, oneOf, table, text } from './table.ts';

/** Owned by `server/`. */
export const serverTables = {
  /**
   * What may enter over HTTP. Of its token only the hash is kept; a row that was revoked stays, so that it is known.
   */
  devices: table({
    columns: {
      id: text,
      name: text,
      /** `page`: a browser that holds a cookie; `program`: it sends its token itself. */
      kind: oneOf('page', 'program'),
      token_hash: text,
      /** A JSON list. */
      scopes: text,
      created_at: text,
      seen_at: nullable(text),
      revoked_at: nullable(text),
    },
    key: ['id'],
    unique: [['token_hash']],
  }),
  /** A code that lets one device in, once. */
  pairings: table({
    columns: {
      code_hash: text,
      name: nullable(text),
      scopes: text,
      tries_left: integer,
      created_at: text,
      expires_at: text,
      used_at: nullable(text),
    },
    key: ['code_hash'],
    notCopied: true,
  }),
  /** A request that a device may send again: the same key starts the same turn. */
  http_requests: table({
    columns: { device_id: text, key: text, body_hash: text, turn_id: text, conversation_id: text, created_at: text },
    key: ['device_id', 'key'],
    notCopied: true,
  }),
  /** An address at which scripts of the owner's begin something. */
  hooks: table({
    columns: {
      name: text,
      /** What the sender signs with, as base64. */
      secret: text,
      kind: oneOf('prompt', 'program', 'job'),
      /** The prompt, the name of the program, or the id of the job. */
      what: text,
      /** The parameter of the program that gets the body. */
      param: nullable(text),
      project: text,
      mode: text,
      created_at: text,
    },
    key: ['name'],
  }),
  /** A message that a hook has taken: coming again, it begins nothing. */
  hook_messages: table({
    columns: { hook: text, message_id: text, body_hash: text, run: text, created_at: text },
    key: ['hook', 'message_id'],
    partOf: { column: 'hook', table: 'hooks', key: 'name' },
    notCopied: true,
  }),
};
