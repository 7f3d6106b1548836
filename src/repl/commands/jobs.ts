import { preview } from '../../base/text.ts';
import type { Command } from '../command.ts';

export const jobs: Command = {
  name: 'jobs',
  summary: 'List what runs in the background',
  usage: ['jobs'],
  only: 'slash',
  async run({ app, out }) {
    const list = app.background.list();
    for (const { number, state, steps, last, turn } of list) {
      out.row({ job: number, state, steps, last, conversationId: turn.conversationId, text: turn.text });
      out.line(`${number}  ${state}, ${steps} steps  "${preview(turn.text, 50)}"  last: ${last}`);
    }
    if (list.length === 0) out.line('Nothing runs in the background. /bg TEXT begins something.');
    return 0;
  },
};
