import { span, text } from '../setting.ts';

/** Backups of the whole home that are made without anybody asking. */
export const backup = {
  everyMs: span({
    key: 'backup.every',
    env: 'BACKUP_EVERY',
    default: undefined,
    about: 'How often the program that serves the home backs all of it up, like 12h or 1d; older backups become rarer.',
    without: 'only `wooster backup --all` does',
  }),
  to: text({
    key: 'backup.to',
    env: 'BACKUP_TO',
    default: undefined,
    about: 'Folder for backups of the whole home, best on another disk.',
    without: 'state/backups of the home',
  }),
};
