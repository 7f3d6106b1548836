import { resolve } from 'node:path';
import { type BackupFacts, backUp, backupPath, verifyBackup } from '../../store/backup.ts';
import type { Command } from '../command.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'Copy conversations, jobs and records to one file, or check such a file',
  usage: ['backup [FILE]', 'backup --verify FILE'],
  flags: { verify: { type: 'string' } },
  async run({ args, flags, app, out }) {
    if (typeof flags.verify === 'string') {
      const facts = verifyBackup(resolve(flags.verify));
      out.row(facts);
      out.line(`Sound: ${contents(facts)}.`);
      return 0;
    }
    const [file] = args;
    const facts = backUp(app.store, file === undefined ? backupPath(app.store, new Date()) : resolve(file));
    out.row(facts);
    out.line(`${facts.path}: ${contents(facts)}. Your documents in projects/ and notes/ are not in it.`);
    return 0;
  },
};

function contents({ conversations, schedules }: BackupFacts): string {
  return `${counted(conversations, 'conversation')}, ${counted(schedules, 'schedule')}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
