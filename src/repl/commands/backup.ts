import { resolve } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { counted } from '../../base/text.ts';
import { type BackupFacts, backUp, backupPath, restoreBackup, verifyBackup } from '../../store/backup.ts';
import type { Command } from '../command.ts';
import { textFlag } from '../flags.ts';

/** Safe while Wooster is running: SQLite copies the database as of one moment. Row: path, counts and schema version. */
export const backup: Command = {
  name: 'backup',
  summary: 'Back up conversations, schedules and logs, or verify a backup',
  group: 'Maintenance',
  usage: ['backup [FILE]', 'backup --verify FILE'],
  flags: { verify: { type: 'string' } },
  async run({ args, flags, app, out }) {
    const toVerify = textFlag(flags, 'verify');
    if (toVerify !== undefined) {
      const facts = await verifyBackup(resolve(toVerify));
      out.row(facts);
      out.line(`Intact: ${contents(facts)}.`);
      return 0;
    }
    const [file] = args;
    const facts = await backUp(app.store, file === undefined ? backupPath(app.store, new Date()) : resolve(file));
    out.row(facts);
    out.line(`${facts.path}: ${contents(facts)}. It does not include your documents in projects/ and notes/.`);
    return 0;
  },
};

export const restore: Command = {
  name: 'restore',
  summary: 'Replace the database with a backup; the current one is kept',
  group: 'Maintenance',
  usage: ['restore FILE'],
  // Not at the prompt: the REPL itself holds the database that would be replaced.
  only: 'argv',
  async run({ args, app, out }) {
    const [file] = args;
    if (file === undefined) {
      throw new AssistantError('bad_usage', 'There is no file to restore.', {
        hint: `Usage: wooster ${restore.usage[0]}`,
      });
    }
    const before = await restoreBackup(app.store, resolve(file), new Date());
    out.row({ restored: resolve(file), before });
    out.line(`Restored ${resolve(file)}. The previous database is in ${before}.`);
    return 0;
  },
};

function contents({ conversations, schedules }: BackupFacts): string {
  return `${counted(conversations, 'conversation')}, ${counted(schedules, 'schedule')}`;
}
