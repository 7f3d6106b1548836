import type { BackgroundTurn } from '../../agent/background.ts';
import { newId } from '../../base/ids.ts';
import { counted, preview } from '../../base/text.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage } from '../flags.ts';
import { unknownForm } from '../own-words.ts';

/**
 * Turns beside the prompt. The result of each is announced when it ends; approvals are denied, since nobody watches it.
 * Rows: `{job, state, steps, last, conversationId, text}`, ended ones too until the program ends; `start` gives
 * `{job, state, steps, conversationId}`, and `text` with it at the end; `stop` gives `{stopped}`, the numbers.
 */
export const jobs: Command = {
  name: 'jobs',
  summary: 'Answer requests in the background, list them and stop them',
  group: 'Ask',
  usage: ['jobs [list]', 'jobs start TEXT     in a new conversation', 'jobs stop [NUMBER]  all unless one is named'],
  examples: ['jobs start compare the two offers in offers.md', 'jobs stop 2'],
  aliases: { bg: ['start'], stop: ['stop'] },
  only: 'slash',
  async run(call) {
    const [form = 'list', ...rest] = call.args;
    if (form === 'list') return list(call);
    if (form === 'start') return start(call, rest.join(' ').trim());
    if (form === 'stop') return stop(call, rest);
    throw unknownForm(jobs, form);
  },
};

function start({ session, app, out }: CommandCall, text: string): number {
  if (text === '') throw badUsage('There is no request.', 'Usage: /jobs start TEXT');
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
  out.show(rowOf(job), `Job ${job.number} has started. /jobs shows its progress, /stop ${job.number} stops it.`);
  return 0;
}

function list({ app, out }: CommandCall): number {
  const turns = app.turns.background.list();
  for (const { number, state, steps, last, turn } of turns) {
    out.row({ job: number, state, steps, last, conversationId: turn.conversationId, text: turn.text });
    out.line(`${number}  ${state}, ${counted(steps, 'step')}  "${preview(turn.text, 50)}"  last: ${last}`);
  }
  if (turns.length === 0) out.line('Nothing is running in the background. /jobs start TEXT starts something.');
  return 0;
}

/** Exit code 1 when there was nothing to stop. */
function stop({ app, out }: CommandCall, args: readonly string[]): number {
  const number = args[0] === undefined ? undefined : Number(args[0]);
  if (number !== undefined && !Number.isInteger(number)) {
    throw badUsage(`"${args[0]}" is not a job number.`, '/jobs lists them.');
  }
  const stopped = app.turns.background.stop(number);
  out.row({ stopped: stopped.map((job) => job.number) });
  for (const job of stopped) out.line(`Job ${job.number} is stopping.`);
  if (stopped.length === 0)
    out.line(number === undefined ? 'Nothing is running in the background.' : `Job ${number} is not running.`);
  return stopped.length === 0 ? 1 : 0;
}

function rowOf({ number, state, steps, turn }: BackgroundTurn): Record<string, unknown> {
  return { job: number, state, steps, conversationId: turn.conversationId };
}
