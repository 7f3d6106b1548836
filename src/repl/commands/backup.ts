import { resolve } from 'node:path';
import { counted } from '../../base/text.ts';
import { type BackupFacts, backUp, backupPath, verifyBackup } from '../../store/backup.ts';
import { type HomeBackup, isHomeBackup, verifyHomeBackup } from '../../store/home-backup.ts';
import { restoreBackup, salvageStore } from '../../store/restore.ts';
import type { Command, CommandCall, Output } from '../command.ts';
import { badUsage, textFlag } from '../flags.ts';

/**
 * Safe while Wooster is running: the database is copied as of one moment. Row: path, counts and schema version; of a
 * whole home `{path, at, files, bytes, left}`.
 */
export const backup: Command = {
  name: 'backup',
  summary: 'Back up the home or its database, or verify a backup',
  group: 'Maintenance',
  usage: [
    'backup --all [--to DIR]   database, documents, notes, memory, skills and settings without secrets, in a folder',
    'backup [FILE]             the database only',
    'backup --verify PATH',
  ],
  examples: ['backup --all --to /media/stick', 'backup', 'backup --verify ~/wooster.sqlite3'],
  flags: { all: { type: 'boolean' }, to: { type: 'string' }, verify: { type: 'string' } },
  async run({ args, flags, app, out }) {
    const [to, toVerify] = [textFlag(flags, 'to'), textFlag(flags, 'verify')];
    if (toVerify !== undefined) return verify(resolve(toVerify), out);
    if (flags.all === true) {
      showHome(await app.home.backups.make(to === undefined ? undefined : resolve(to)), out);
      return 0;
    }
    if (to !== undefined) throw badUsage('--to is for backups of the whole home.', 'Add --all, or name a FILE.');
    const [file] = args;
    const facts = await backUp(app.store, file === undefined ? backupPath(app.store, new Date()) : resolve(file));
    const more = '`wooster backup --all` includes your documents in projects/ and notes/, which this does not.';
    out.show(facts, `${facts.path}: ${contents(facts)}. ${more}`);
    return 0;
  },
};

async function verify(path: string, out: Output): Promise<number> {
  if (isHomeBackup(path)) {
    showHome(await verifyHomeBackup(path), out);
    return 0;
  }
  const facts = verifyBackup(path);
  out.show(facts, `Intact: ${contents(facts)}.`);
  return 0;
}

function showHome({ path, manifest, bytes }: HomeBackup, out: Output): void {
  const { at, files, left } = manifest;
  out.row({ path, at, files: files.length, bytes, left });
  out.line(`${path}: ${counted(files.length, 'file')}, ${(bytes / 1e6).toFixed(1)} MB, read again and intact.`);
  for (const each of left) out.line(`Not in it: ${each}`);
}

/** Row: `{restored, before}`, or of what was salvaged `{salvaged, incomplete, aside}`. */
export const restore: Command = {
  name: 'restore',
  summary: 'Bring a backup back, or what can be read of a damaged database',
  group: 'Maintenance',
  usage: [
    'restore PATH          a backup of the home, or of its database only',
    'restore --salvage     save what can be read of a damaged database',
  ],
  examples: ['restore /media/stick/wooster-2026-11-26T08-00-00Z', 'restore ~/wooster.sqlite3'],
  flags: { salvage: { type: 'boolean' } },
  // Not at the prompt: the REPL has the database open that would be replaced.
  only: 'argv',
  mends: true,
  async run(call) {
    if (call.flags.salvage === true) return saveWhatCanBeRead(call);
    const { args, app, out } = call;
    const [path] = args;
    if (path === undefined) throw badUsage('There is nothing to restore.', `Usage: wooster ${restore.usage[0]}`);
    if (isHomeBackup(resolve(path))) return restoreHome(call, resolve(path));
    const { path: before, damaged } = await restoreBackup(app.store, resolve(path), new Date());
    const was = damaged ? 'The damaged database was put aside:' : 'The previous database is in';
    out.show({ restored: resolve(path), before }, `Restored ${resolve(path)}. ${was} ${before}.`);
    return 0;
  },
};

async function restoreHome({ app, out }: CommandCall, path: string): Promise<number> {
  const { backup: from, files, aside, untouched } = await app.home.backups.restore(path);
  const { at, left } = from.manifest;
  out.row({ restored: path, at, files, aside: aside ?? null, untouched, left });
  out.line(`Restored the home as of ${at}: its database and ${counted(files, 'file')}.`);
  if (aside !== undefined) out.line(`Files that were replaced are in ${aside}.`);
  for (const each of untouched) out.line(`Left as it is: ${each}`);
  for (const each of left) out.line(`Not in the backup: ${each}`);
  out.line('Search indexes are made again when they are first needed.');
  return 0;
}

async function saveWhatCanBeRead({ app, out }: CommandCall): Promise<number> {
  const { rows, incomplete, aside } = await salvageStore(app.store, new Date());
  out.row({ salvaged: rows, incomplete, aside });
  const { conversations = 0, messages = 0, schedules = 0 } = rows;
  const jobs = counted(schedules, 'scheduled job');
  const saved = `${counted(conversations, 'conversation')}, ${counted(messages, 'message')}, ${jobs}`;
  out.line(`Saved ${saved}. The database as it was: ${aside}.`);
  if (incomplete.length > 0) out.line(`Not all rows could be read of: ${incomplete.join(', ')}.`);
  out.line('Notes and documents are files, and were not touched; `wooster ingest` indexes the documents again.');
  return 0;
}

function contents({ conversations, schedules }: BackupFacts): string {
  return `${counted(conversations, 'conversation')}, ${counted(schedules, 'schedule')}`;
}
