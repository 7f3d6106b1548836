import type { BackgroundTurn } from '../../agent/background.ts';
import { AssistantError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { counted, preview } from '../../base/text.ts';
import type { Command } from '../command.ts';

/**
 * A turn beside the prompt. Its result is announced when it ends; approvals are denied, since nobody watches it.
 * Rows: `{job, state, steps, conversationId}` at the start, with `text` at the end.
 */
export const bg: Command = {
  name: 'bg',
  summary: 'Answer a request in the background, in a new conversation',
  group: 'Ask',
  usage: ['bg TEXT'],
  examples: ['bg compare the two offers in offers.md'],
  only: 'slash',
  async run({ args, session, app, out }) {
    const text = args.join(' ').trim();
    if (text === '') throw new AssistantError('bad_usage', 'There is no request.', { hint: 'Usage: /bg TEXT' });
    const { mode, project } = session;
    // Its own conversation: two turns of one conversation must not run at the same time.
    const conversationId = newId('conv');
    const job = app.turns.background.start(
      { id: newId('turn'), conversationId, text, origin: 'repl', mode, project },
      (ended, answer) => {
        out.row({ ...rowOf(ended), text: answer.text });
        const said = preview(answer.text || ended.last, 300);
        out.note(`Job ${ended.number} ${ended.state}: ${said} (/resume ${conversationId})`);
      },
    );
    out.row(rowOf(job));
    out.line(`Job ${job.number} has started. /jobs shows its progress, /stop ${job.number} stops it.`);
    return 0;
  },
};

/** Rows: `{job, state, steps, last, conversationId, text}`; ended jobs stay listed until the program ends. */
export const jobs: Command = {
  name: 'jobs',
  summary: 'List what is running in the background',
  group: 'Ask',
  usage: ['jobs'],
  examples: ['jobs'],
  only: 'slash',
  async run({ app, out }) {
    const list = app.turns.background.list();
    for (const { number, state, steps, last, turn } of list) {
      out.row({ job: number, state, steps, last, conversationId: turn.conversationId, text: turn.text });
      out.line(`${number}  ${state}, ${counted(steps, 'step')}  "${preview(turn.text, 50)}"  last: ${last}`);
    }
    if (list.length === 0) out.line('Nothing is running in the background. /bg TEXT starts something.');
    return 0;
  },
};

/** Without a number, stops all. Row: `{stopped}`, the numbers of the jobs; exit code 1 when there was none. */
export const stop: Command = {
  name: 'stop',
  summary: 'Stop what is running in the background',
  group: 'Ask',
  usage: ['stop', 'stop NUMBER'],
  examples: ['stop 2'],
  only: 'slash',
  async run({ args, app, out }) {
    const number = args[0] === undefined ? undefined : Number(args[0]);
    if (number !== undefined && !Number.isInteger(number)) {
      throw new AssistantError('bad_usage', `"${args[0]}" is not a job number.`, { hint: '/jobs lists them.' });
    }
    const stopped = app.turns.background.stop(number);
    out.row({ stopped: stopped.map((job) => job.number) });
    for (const job of stopped) out.line(`Job ${job.number} is stopping.`);
    if (stopped.length === 0)
      out.line(number === undefined ? 'Nothing is running in the background.' : `Job ${number} is not running.`);
    return stopped.length === 0 ? 1 : 0;
  },
};

function rowOf({ number, state, steps, turn }: BackgroundTurn): Record<string, unknown> {
  return { job: number, state, steps, conversationId: turn.conversationId };
}
