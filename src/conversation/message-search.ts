import { type InsertQueryBuilder, type InsertResult, sql } from 'kysely';
import type { Database } from '../store/schema.ts';
import type { Store } from '../store/store.ts';
import { UNDONE } from './types.ts';

/** A message that a search found. */
export interface FoundMessage {
  readonly conversationId: string;
  readonly title: string;
  readonly role: string;
  /** The text around the match, with the match in `[` and `]`. */
  readonly excerpt: string;
  readonly at: string;
}

/** How many words an excerpt has. */
const EXCERPT_WORDS = 16;

/** Only this many characters of a word are indexed. */
const WORD_CHARS = 64;

/** PostgreSQL takes less than a megabyte of words per row; words beyond that are not indexed. */
const MAX_WORDS_BYTES = 900_000;

/** Letters, digits and private-use characters, followed by combining accents. */
const WORD = /[\p{L}\p{N}\p{Co}](?:[\p{L}\p{N}\p{Co}]|[\u{300}-\u{36f}])*/gu;

/** A word of a text in its normalised form; `from` and `to` are its position. */
interface Word {
  readonly form: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Insert a request or an answer and index it. SQLite keeps its index up to date by itself; for PostgreSQL, which would
 * split words differently, the words are stored with the message, in the same statement.
 */
export async function insertFindable(
  store: Store,
  insert: InsertQueryBuilder<Database, 'messages', InsertResult>,
  content: string,
): Promise<void> {
  if (store.kind === 'sqlite') {
    await insert.execute();
    return;
  }
  await sql`
    with added as (${insert.returning('id')})
    insert into message_words (message_id, words)
    select id, array_to_tsvector(cast(${distinctForms(content)} as text[])) from added`.execute(store.db);
}

/** Index the copies of a conversation's messages, matched by `sequence`. */
export async function copyFindable(store: Store, { from, to }: { from: string; to: string }): Promise<void> {
  if (store.kind === 'sqlite') return;
  await sql`
    insert into message_words (message_id, words)
    select copied.id, w.words
    from message_words w join messages m on m.id = w.message_id
      join messages copied on copied.sequence = m.sequence and copied.conversation_id = ${to}
    where m.conversation_id = ${from}`.execute(store.db);
}

/** Messages that contain all words, each as a word or a prefix; best match first. */
export async function searchMessages(store: Store, words: string, limit: number): Promise<FoundMessage[]> {
  return store.kind === 'sqlite' ? searchSqlite(store, words, limit) : searchPostgres(store, words, limit);
}

async function searchSqlite(store: Store, words: string, limit: number): Promise<FoundMessage[]> {
  const query = words.match(/[\p{L}\p{N}]+/gu)?.map((word) => `"${word}"*`);
  if (!query) return [];
  const { rows } = await sql<FoundMessage>`
    select m.conversation_id as "conversationId", coalesce(c.title, '') as title, m.role, m.created_at as at,
      snippet(messages_found, 0, '[', ']', '…', ${sql.lit(EXCERPT_WORDS)}) as excerpt
    from messages_found f join messages m on m.id = f.rowid join conversations c on c.id = m.conversation_id
    where messages_found match ${query.join(' ')} and m.compacted <> ${sql.lit(UNDONE)} and c.unlisted = 0
    order by rank limit ${limit}`.execute(store.read);
  return rows;
}

/** The best match is the shortest message, and among equals the newest. */
async function searchPostgres(store: Store, words: string, limit: number): Promise<FoundMessage[]> {
  const starts = wordsOf(words).map(({ form }) => form);
  if (starts.length === 0) return [];
  // Words consist of letters and digits, so none can close the quotes. Not to_tsquery, which would split them again.
  const query = starts.map((form) => `'${form}':*`).join(' & ');
  const { rows } = await sql<Omit<FoundMessage, 'excerpt'> & { content: string }>`
    select m.conversation_id as "conversationId", coalesce(c.title, '') as title, m.role, m.created_at as at, m.content
    from message_words w join messages m on m.id = w.message_id join conversations c on c.id = m.conversation_id
    where w.words @@ cast(${query} as tsquery) and m.compacted <> ${sql.lit(UNDONE)} and c.unlisted = 0
    order by length(w.words), m.created_at desc, m.id desc limit ${limit}`.execute(store.read);
  return rows.map(({ content, ...row }) => ({ ...row, excerpt: excerptOf(content, starts) }));
}

/**
 * The part of a text that holds most of the words, as SQLite's `snippet` shows it.
 *
 * @param starts prefixes of the words to mark, normalised.
 */
export function excerptOf(text: string, starts: readonly string[]): string {
  const words = wordsOf(text);
  const hits = words.map(({ form }) => starts.find((start) => form.startsWith(start)));
  const first = bestStart(hits);
  const shown = words.slice(first, first + EXCERPT_WORDS);
  const last = first + shown.length >= words.length;
  let excerpt = first > 0 ? '…' : '';
  let at = first > 0 ? (shown[0]?.from ?? 0) : 0;
  for (const [index, { from, to }] of shown.entries()) {
    const word = text.slice(from, to);
    excerpt += text.slice(at, from) + (hits[first + index] === undefined ? word : `[${word}]`);
    at = to;
  }
  return excerpt + (last ? text.slice(at) : '…');
}

/** Where the excerpt begins: where it has most distinct words, preferably the start, else around the first match. */
function bestStart(hits: readonly (string | undefined)[]): number {
  let best = { start: 0, different: new Set(definedIn(hits.slice(0, EXCERPT_WORDS))).size };
  for (const [index, hit] of hits.entries()) {
    if (hit === undefined) continue;
    const middle = index - Math.floor(EXCERPT_WORDS / 2);
    const start = Math.max(0, Math.min(middle, hits.length - EXCERPT_WORDS));
    const different = new Set(definedIn(hits.slice(start, start + EXCERPT_WORDS))).size;
    if (different > best.different) best = { start, different };
  }
  return best.start;
}

function definedIn(hits: readonly (string | undefined)[]): string[] {
  return hits.filter((hit) => hit !== undefined);
}

export function distinctForms(text: string): string[] {
  const forms = new Set<string>();
  let bytes = 0;
  for (const { form } of wordsOf(text)) {
    if (forms.has(form)) continue;
    bytes += Buffer.byteLength(form);
    if (bytes > MAX_WORDS_BYTES) break;
    forms.add(form);
  }
  return [...forms];
}

/** @see https://www.sqlite.org/fts5.html#unicode61_tokenizer which splits words like this. */
function wordsOf(text: string): Word[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({
    form: formOf(word),
    from: index,
    to: index + word.length,
  }));
}

/** Lower case, and Latin letters without their accents: `Café` is `cafe`. */
function formOf(word: string): string {
  const bare = word.normalize('NFD').replace(/(\p{Script=Latin})[\u{300}-\u{36f}]+/gu, '$1');
  return bare.normalize('NFC').toLowerCase().replaceAll('ς', 'σ').slice(0, WORD_CHARS);
}

/**
 * Index the requests and answers that were copied from another store with their numbers. On SQLite, triggers did this
 * when the rows were inserted.
 */
export async function makeFindable(
  { kind, db }: Store,
  messages: readonly { readonly id: number; readonly content: string }[],
): Promise<void> {
  if (kind === 'sqlite' || messages.length === 0) return;
  const rows = messages.map(
    ({ id, content }) => sql`(cast(${id} as bigint), array_to_tsvector(cast(${distinctForms(content)} as text[])))`,
  );
  await sql`insert into message_words (message_id, words) values ${sql.join(rows)}`.execute(db);
}
