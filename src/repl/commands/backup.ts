import { resolve } from 'node:path';
import { counted } from '../../base/text.ts';
import { type BackupFacts, backUp, backupPath, verifyBackup } from '../../store/backup.ts';
import { restoreBackup, salvageStore } from '../../store/restore.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage, textFlag } from '../flags.ts';

/** Safe while Wooster is running: SQLite copies the database as of one moment. Row: path, counts and schema version. */
export const backup: Command = {
  name: 'backup',
  summary: 'Back up conversations, schedules and logs, or verify a backup',
  group: 'Maintenance',
  usage: ['backup [FILE]', 'backup --verify FILE'],
  examples: ['backup', 'backup --verify ~/wooster.sqlite3'],
  flags: { verify: { type: 'string' } },
  async run({ args, flags, app, out }) {
    const toVerify = textFlag(flags, 'verify');
    if (toVerify !== undefined) {
      const facts = await verifyBackup(resolve(toVerify));
      out.show(facts, `Intact: ${contents(facts)}.`);
      return 0;
    }
    const [file] = args;
    const facts = await backUp(app.store, file === undefined ? backupPath(app.store, new Date()) : resolve(file));
    out.show(facts, `${facts.path}: ${contents(facts)}. It does not include your documents in projects/ and notes/.`);
    return 0;
  },
};

/** Row: `{restored, before}`, or of what was salvaged `{salvaged, incomplete, aside}`. */
export const restore: Command = {
  name: 'restore',
  summary: 'Replace the database with a backup, or with what can be read',
  group: 'Maintenance',
  usage: ['restore FILE', 'restore --salvage    save what can be read of a damaged database'],
  examples: ['restore ~/wooster.sqlite3'],
  flags: { salvage: { type: 'boolean' } },
  // Not at the prompt: the REPL has the database open that would be replaced.
  only: 'argv',
  mends: true,
  async run(call) {
    if (call.flags.salvage === true) return saveWhatCanBeRead(call);
    const { args, app, out } = call;
    const [file] = args;
    if (file === undefined) throw badUsage('There is no file to restore.', `Usage: wooster ${restore.usage[0]}`);
    const { path: before, damaged } = await restoreBackup(app.store, resolve(file), new Date());
    const was = damaged ? 'The damaged database was put aside:' : 'The previous database is in';
    out.show({ restored: resolve(file), before }, `Restored ${resolve(file)}. ${was} ${before}.`);
    return 0;
  },
};

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
