import { type Kysely, sql } from 'kysely';
import { AssistantError } from '../../base/errors.ts';
import type { Database } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';

interface Extension {
  readonly added: boolean;
  /** This role may add it: as a superuser, or where the extension is marked as trusted and the role may create. */
  readonly addable: boolean;
}

/** Why `RAG_VECTORS=pgvector` cannot be used on this store; undefined if it can, now or by adding the extension. */
export async function vectorExtensionProblem(store: Store): Promise<AssistantError | undefined> {
  if (store.kind !== 'postgres') return noServer();
  const extension = await readExtension(store.read);
  if (!extension) return vectorsUnusable('the server has no pgvector');
  return extension.added || extension.addable ? undefined : notAddable();
}

/**
 * Make sure that the database has pgvector.
 *
 * @throws AssistantError `bad_setting` if the server lacks it, or if this role may not add it to the database.
 */
export async function addVectorExtension(db: Kysely<Database>): Promise<void> {
  const extension = await readExtension(db);
  if (!extension) throw vectorsUnusable('the server has no pgvector');
  if (extension.added) return;
  try {
    await sql`create extension vector`.execute(db);
  } catch (error) {
    throw notAddable(error);
  }
}

/** @see https://www.postgresql.org/docs/17/sql-createextension.html */
async function readExtension(db: Kysely<Database>): Promise<Extension | undefined> {
  const { rows } = await sql<Extension>`
    select e.installed_version is not null as added,
      r.rolsuper or (v.trusted and has_database_privilege(current_database(), 'CREATE')) as addable
    from pg_available_extensions e
    join pg_available_extension_versions v on v.name = e.name and v.version = e.default_version
    join pg_roles r on r.rolname = session_user
    where e.name = 'vector'`.execute(db);
  return rows[0];
}

/** The error for `RAG_VECTORS=pgvector` where the home is a file. */
export function noServer(): AssistantError {
  const hint = 'Set RAG_VECTORS=own, or WOOSTER_STORE_URL to a PostgreSQL database.';
  return new AssistantError('bad_setting', 'RAG_VECTORS=pgvector needs a home on PostgreSQL.', { hint });
}

function notAddable(cause?: unknown): AssistantError {
  return vectorsUnusable('this role may not add pgvector to the database', cause);
}

/** The error for `RAG_VECTORS=pgvector` where it cannot be used. */
export function vectorsUnusable(why: string, cause?: unknown): AssistantError {
  const hint = [
    'Install pgvector on the server (Debian: postgresql-17-pgvector), let a superuser run CREATE EXTENSION vector in ',
    'the database, or set RAG_VECTORS=own.',
  ].join('');
  return new AssistantError('bad_setting', `RAG_VECTORS=pgvector cannot be used: ${why}.`, { hint, cause });
}
