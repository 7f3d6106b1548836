import {
  type CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Database } from '../store/schema.ts';

/** A PostgreSQL server in name only: it keeps what it is asked for and answers from a list. */
export interface ScriptedServer {
  readonly db: Kysely<Database>;
  /** What it was asked for so far, each with its values. */
  readonly asked: { readonly sql: string; readonly values: readonly unknown[] }[];
}

/** @param answers  the rows for what holds these words; none for all else. */
export function scriptedServer(answers: Readonly<Record<string, readonly unknown[]>> = {}): ScriptedServer {
  const asked: ScriptedServer['asked'] = [];
  const executeQuery = async <R>({ sql, parameters }: CompiledQuery): Promise<{ rows: R[] }> => {
    asked.push({ sql, values: parameters });
    const [, rows = []] = Object.entries(answers).find(([words]) => sql.includes(words)) ?? [];
    return { rows: [...rows] as R[] };
  };
  const connection = { executeQuery } as DatabaseConnection;
  const driver = Object.assign(new DummyDriver(), { acquireConnection: async () => connection });
  const dialect = {
    createDriver: () => driver,
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  };
  return { db: new Kysely<Database>({ dialect }), asked };
}
