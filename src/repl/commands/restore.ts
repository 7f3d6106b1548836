import { resolve } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { restoreBackup } from '../../store/backup.ts';
import type { Command } from '../command.ts';

export const restore: Command = {
  name: 'restore',
  summary: 'Put a backup in the place of the database; the state before is kept',
  usage: ['restore FILE'],
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
    out.line(`Restored ${resolve(file)}. The state before is in ${before}.`);
    return 0;
  },
};
