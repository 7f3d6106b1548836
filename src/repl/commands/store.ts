import { existsSync } from 'node:fs';
import { AssistantError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { makeFindable } from '../../conversation/message-search.ts';
import { quickCheck } from '../../store/backup.ts';
import { checkStore, findingsOf, type StoreFacts } from '../../store/check.ts';
import { type CopiedRows, type CopyProgress, copyStore } from '../../store/copy.ts';
import { placeOf, readLocation } from '../../store/location.ts';
import { openStore, type Store } from '../../store/store.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage, textFlag } from '../flags.ts';
import { homes } from './homes.ts';

/**
 * A store is the path of an SQLite file or a postgres:// URL; `check` and `migrate` use this home's by default.
 * Rows: `check` gives the facts with `findings`, `migrate` `{place, schema}`, `copy` one row per table and a last one
 * with `equal`; the exit code is 1 when something is wrong or differs.
 */
export const store: Command = {
  name: 'store',
  summary: 'Check, upgrade or copy the database, and list its homes',
  group: 'Maintenance',
  usage: [
    'store check [STORE]',
    'store migrate [STORE]',
    'store copy FROM TO [--from-home ID] [--to-home ID]  a STORE is an SQLite file or a postgres:// URL',
    'store homes [list]         the homes on a PostgreSQL server, each of one person',
    'store homes add|remove ID',
  ],
  examples: ['store check', 'store copy state/wooster.sqlite3 postgres://db.example.org/wooster'],
  flags: { 'from-home': { type: 'string' }, 'to-home': { type: 'string' } },
  aliases: { home: ['homes'] },
  async run(call) {
    const [verb = 'check', ...stores] = call.args;
    if (verb === 'check' && stores.length <= 1) return withStore(call, stores[0], { use: check, readOnly: true });
    if (verb === 'migrate' && stores.length <= 1) return withStore(call, stores[0], { use: migrate, readOnly: false });
    if (verb === 'homes') return homes(call, stores);
    const [from, to] = stores;
    if (verb === 'copy' && from !== undefined && to !== undefined && stores.length === 2) return copy(call, from, to);
    const message = verb === 'copy' ? 'store copy needs two stores.' : `Unknown form of "store ${verb}".`;
    throw badUsage(message, `Usage: wooster ${store.usage.join(' | ')}`);
  },
};

/** The home's own store is open already; another is opened only while the command runs. */
async function withStore(
  call: CommandCall,
  text: string | undefined,
  { use, readOnly }: { use: (call: CommandCall, store: Store) => Promise<number>; readOnly: boolean },
): Promise<number> {
  if (text === undefined) return use(call, call.app.store);
  const other = await open(call, text, { homeFlag: 'to-home', readOnly });
  try {
    return await use(call, other);
  } finally {
    await other.close();
  }
}

interface Opening {
  readonly homeFlag: 'from-home' | 'to-home';
  /** Read-only: neither the tables nor the list of homes change. */
  readonly readOnly: boolean;
}

async function open({ app, flags }: CommandCall, text: string, { homeFlag, readOnly }: Opening): Promise<Store> {
  const location = readLocation(text, textFlag(flags, homeFlag) ?? app.home.id);
  if (readOnly && location.kind === 'sqlite' && !existsSync(location.path)) {
    throw new AssistantError('file_not_found', `There is no file ${location.path}.`, {
      hint: 'The database of a home is state/wooster.sqlite3 in it.',
    });
  }
  return openStore(location, { readOnly });
}

async function check({ out }: CommandCall, store: Store): Promise<number> {
  const facts = await checkStore(store);
  const integrity = await quickCheck(store);
  const findings = findingsOf(facts);
  if (integrity !== 'ok')
    findings.unshift({ severe: true, problem: integrity, hint: 'Restore a backup with `wooster restore FILE`.' });
  out.row({ ...facts, integrity, findings });
  for (const line of linesOf(facts)) out.line(line);
  for (const { severe, problem, hint } of findings) out.line(`${severe ? 'FAIL' : 'note'}  ${problem}\n      ${hint}`);
  if (findings.length === 0) out.line('Everything is as it should be.');
  return findings.some(({ severe }) => severe) ? 1 : 0;
}

function linesOf({ kind, place, version, schema, bytes, selectMs, clockMs, server }: StoreFacts): string[] {
  const lines = [
    `${place}`,
    `${kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'} ${version}, tables of version ${schema}, ${megabytes(bytes)}`,
    `a small read takes ${selectMs} ms; the clocks differ by ${Math.abs(clockMs)} ms`,
  ];
  if (!server) return lines;
  const { user, connections, locksWaiting, encoding, collation, pgvector } = server;
  return [
    ...lines,
    `user ${user}; ${connections.used} of ${connections.max} connections in use, ${locksWaiting} statements waiting`,
    `${encoding}, ${collation}; pgvector ${pgvector ?? 'not installed (not needed)'}`,
  ];
}

/** Opening a store migrates it to the newest version, or fails. */
async function migrate({ out }: CommandCall, store: Store): Promise<number> {
  const { place, schema } = await checkStore(store);
  out.show({ place, schema }, `${place} has tables of version ${schema}, the newest.`);
  return 0;
}

async function copy(call: CommandCall, fromText: string, toText: string): Promise<number> {
  const { out, signal } = call;
  const from = await open(call, fromText, { homeFlag: 'from-home', readOnly: true });
  try {
    const to = await open(call, toText, { homeFlag: 'to-home', readOnly: false });
    try {
      const onProgress = (progress: CopyProgress) => out.progress(progressLine(progress));
      return report(call, { from, to }, await copyStore(from, to, { signal, onProgress, makeFindable }));
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

function progressLine({ stage, table, done, total }: CopyProgress): string {
  return `${stage === 'copy' ? 'Copying' : 'Comparing'} ${table}: ${done} of ${total}`;
}

function report({ out }: CommandCall, ends: { from: Store; to: Store }, tables: readonly CopiedRows[]): number {
  for (const row of tables) {
    out.row(row);
    const { table, copied, present, from, to, equal } = row;
    if (from.rows === 0 && to.rows === 0) continue;
    const verdict = equal ? `same checksum ${to.sha256.slice(0, 12)}` : `DIFFERENT: ${from.rows} rows and ${to.rows}`;
    out.line(`${table.padEnd(18)} ${counted(copied, 'row')} copied, ${present} were there; ${verdict}`);
  }
  const equal = tables.every((row) => row.equal);
  const [from, to] = [placeOf(ends.from.location), placeOf(ends.to.location)];
  out.row({ from, to, equal });
  out.line(
    equal
      ? `${to} now has everything of ${from}, which is unchanged.`
      : `${to} differs from ${from}. Close every program that uses one of them, and copy again.`,
  );
  return equal ? 0 : 1;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
