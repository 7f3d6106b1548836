import type { Job } from '../../agent/background.ts';
import { AssistantError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { preview } from '../../base/text.ts';
import type { Command } from '../command.ts';

export const bg: Command = {
  name: 'bg',
  summary: 'Answer a request in the background, in a conversation of its own',
  usage: ['bg TEXT'],
  only: 'slash',
  async run({ args, session, app, out }) {
    const text = args.join(' ').trim();
    if (text === '') throw new AssistantError('bad_usage', 'There is nothing to do.', { hint: 'Usage: /bg TEXT' });
    const { mode, project } = session;
    const conversationId = newId('conv');
    const job = app.background.start(
      { id: newId('turn'), conversationId, text, origin: 'repl', mode, project },
      (ended, answer) => {
        out.row({ ...rowOf(ended), text: answer.text });
        out.note(
          `Job ${ended.number} ${ended.state}: ${preview(answer.text || ended.last, 300)} (/resume ${conversationId})`,
        );
      },
    );
    out.row(rowOf(job));
    out.line(`Job ${job.number} has begun. /jobs shows how far it is, /stop ${job.number} ends it.`);
    return 0;
  },
};

function rowOf({ number, state, steps, turn }: Job): Record<string, unknown> {
  return { job: number, state, steps, conversationId: turn.conversationId };
}
