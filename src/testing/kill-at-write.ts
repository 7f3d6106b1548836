import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { openStore, type Store } from '../store/store.ts';

/** Thrown by every use of a store that was "killed". */
class Killed extends Error {}

export interface KillableStore {
  readonly store: Store;
  /** Writes so far; transactions count at their beginning and at their end. */
  writes(): number;
  /** Let go of the file, as the end of a process does: what was not committed is gone. */
  die(): void;
}

/** A store that stops for good just before its `at`-th write; `kill` says how (it throws unless the process ends). */
export function killAtWrite(path: string, at: number, kill: () => void = () => {}): KillableStore {
  const real = openStore(path);
  let writes = 0;
  let dead = false;
  const write = () => {
    if (dead || ++writes >= at) {
      dead = true;
      kill();
      throw new Killed(`killed at write ${at}`);
    }
  };
  const sql = watched(real.sql, write);
  const transaction = <T>(work: () => T): T => {
    sql.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      sql.exec('COMMIT');
      return result;
    } catch (error) {
      if (real.sql.isTransaction && !dead) real.sql.exec('ROLLBACK');
      throw error;
    }
  };
  return { store: { ...real, sql, transaction }, writes: () => writes, die: () => real.close() };
}

function watched(sql: DatabaseSync, write: () => void): DatabaseSync {
  return new Proxy(sql, {
    get(target, name) {
      if (name === 'exec') {
        return (text: string) => {
          write();
          target.exec(text);
        };
      }
      if (name === 'prepare') return (text: string) => watchedStatement(target.prepare(text), write);
      return bound(target, name);
    },
  });
}

function watchedStatement(statement: StatementSync, write: () => void): StatementSync {
  return new Proxy(statement, {
    get(target, name) {
      if (name !== 'run') return bound(target, name);
      return (...values: Parameters<StatementSync['run']>) => {
        write();
        return target.run(...values);
      };
    },
  });
}

/** Native methods insist on their own `this`. */
function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === 'function' ? value.bind(target) : value;
}
