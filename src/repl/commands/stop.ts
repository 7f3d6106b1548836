import { AssistantError } from '../../base/errors.ts';
import type { Command } from '../command.ts';

export const stop: Command = {
  name: 'stop',
  summary: 'Stop what runs in the background',
  usage: ['stop', 'stop NUMBER'],
  only: 'slash',
  async run({ args, app, out }) {
    const number = args[0] === undefined ? undefined : Number(args[0]);
    if (number !== undefined && !Number.isInteger(number)) {
      throw new AssistantError('bad_usage', `"${args[0]}" is no job number.`, { hint: '/jobs lists them.' });
    }
    const stopped = app.background.stop(number);
    out.row({ stopped: stopped.map((job) => job.number) });
    for (const job of stopped) out.line(`Job ${job.number} is stopping.`);
    if (stopped.length === 0)
      out.line(number === undefined ? 'Nothing runs in the background.' : `Job ${number} does not run.`);
    return stopped.length === 0 ? 1 : 0;
  },
};
