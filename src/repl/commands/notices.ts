import { counted, preview } from '../../base/text.ts';
import type { KnownNotice } from '../../notify/types.ts';
import { localTime, sayDayAndTime } from '../../when/calendar.ts';
import { understand } from '../../when/understand.ts';
import type { Command, CommandCall } from '../command.ts';
import { badUsage } from '../flags.ts';
import { formOf } from '../own-words.ts';

type Form = (call: CommandCall, rest: readonly string[]) => Promise<number>;

const FORMS: Readonly<Record<string, Form>> = { list, done, snooze };

/** Rows: `KnownNotice`; of `done` and `snooze` those that it was said of. */
export const notices: Command = {
  name: 'notices',
  summary: 'What you were told in the last 30 days, and what still waits',
  group: 'Schedules and messages',
  chats: true,
  usage: ['notices [list]', 'notices done [NUMBER]     one, or all that are open', 'notices snooze NUMBER "WHEN"'],
  examples: ['notices', 'notices done 12', 'notices snooze 12 "in one hour"'],
  async run(call) {
    const [form = 'list', ...rest] = call.args;
    return formOf(notices, FORMS, form)(call, rest);
  },
};

async function list({ app, out }: CommandCall): Promise<number> {
  const known = await app.schedule.notifier.notices.list();
  // The newest at the bottom, where the eye is.
  for (const notice of known.toReversed()) {
    out.row(notice);
    out.line(lineOf(notice, app.home.timeZone));
  }
  if (known.length === 0) out.line('You were told nothing in the last 30 days, and nothing waits.');
  return 0;
}

function lineOf(notice: KnownNotice, timeZone: string): string {
  const { number, text, at, urgent } = notice;
  const when = localTime(at, timeZone).slice(0, 16);
  return `${String(number).padStart(4)}  ${when}  ${stateOf(notice)}${urgent ? ', urgent' : ''}: ${preview(text, 80)}`;
}

/** What became of it, in words. */
function stateOf({ state, deliveredBy, doneBy, why }: KnownNotice): string {
  if (state === 'done') return doneBy === undefined ? 'done' : `done (${doneBy})`;
  if (state === 'delivered') return `delivered (${deliveredBy})`;
  const again = deliveredBy === undefined ? 'waiting' : `delivered (${deliveredBy}), comes again`;
  return why === undefined ? again : `${again} (${why})`;
}

async function done({ app, out, place }: CommandCall, [word]: readonly string[]): Promise<number> {
  const number = word === undefined || word === 'all' ? undefined : numberOf(word);
  const settled = await app.schedule.notifier.notices.done(number, place === 'slash' ? 'prompt' : 'command');
  for (const notice of settled) out.row({ ...notice, state: 'done' });
  const [first] = settled;
  if (first && settled.length === 1) out.line(`Done: ${preview(first.text, 80)}`);
  else if (first) out.line(`${counted(settled.length, 'notice')} done.`);
  else out.note(number === undefined ? 'There is nothing open.' : `No open notice has the number ${number}.`);
  return number !== undefined && !first ? 1 : 0;
}

async function snooze({ app, out }: CommandCall, [word = '', ...words]: readonly string[]): Promise<number> {
  const number = numberOf(word);
  const { timeZone } = app.home;
  const [until] = understand(words.join(' ') || 'in 10 minutes', { timeZone, from: new Date(), count: 1 }).next;
  if (!until) throw badUsage('That is no time to come.', 'Usage: notices snooze 12 "in one hour"');
  const [settled] = await app.schedule.notifier.notices.snooze(number, until);
  if (!settled) {
    out.note(`No open notice has the number ${number}.`);
    return 1;
  }
  out.row({ ...settled, state: 'waiting', nextAt: until });
  out.line(`It comes again ${sayDayAndTime(until, new Date(), timeZone)}: ${preview(settled.text, 80)}`);
  return 0;
}

/** @throws AssistantError `bad_usage`. */
function numberOf(word: string): number {
  const number = Number(word);
  if (Number.isInteger(number) && number > 0) return number;
  throw badUsage(
    `"${preview(word, 40)}" is no number of a notice.`,
    '`wooster notices` lists them with their numbers.',
  );
}
