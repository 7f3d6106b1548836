import { localDate, localTime } from '../when/calendar.ts';
import type { Choice } from './channel.ts';
import type { StoredNotice } from './notice-table.ts';
import type { ShownNotice } from './types.ts';

/** What comes later than this says when it was due. */
const PROMPT_MS = 60_000;
const REPEATED = '(may be repeated) ';

/** Notices as a prompt shows them: jobs with the time when they were due, and in a list what was waiting. */
export function sayAtPrompt(
  notices: readonly ShownNotice[],
  { now, timeZone }: { now: Date; timeZone: string },
): string {
  const isLate = ({ at }: ShownNotice) => now.getTime() - at.getTime() > PROMPT_MS;
  const late = notices.filter(isLate);
  const lines = late.map((notice) => `- ${sayWhen(notice.at, now, timeZone)}  ${sayShown(notice)}`);
  const away = late.length === 0 ? [] : [['While you were away:', ...lines].join('\n')];
  const dueNow = notices.filter((notice) => !isLate(notice));
  return [...away, ...dueNow.map((notice) => `${labelOf(notice, timeZone)}${sayShown(notice)}`)].join('\n');
}

/** The words of a reminder stand between what a person reads and types, and look like either without it. */
function labelOf({ at, ofJob }: ShownNotice, timeZone: string): string {
  return ofJob ? `Due ${clock(at, timeZone)}: ` : '';
}

function sayShown({ text, number, urgent, repeated, again, why }: ShownNotice): string {
  const mark = repeated ? REPEATED : again ? '(again) ' : '';
  return [...(why === undefined ? [] : [`(${why})`]), `${mark}${text}`, ...howToEnd(urgent, number)].join('\n');
}

/** The time, with the day where it is another one. */
function sayWhen(at: Date, now: Date, timeZone: string): string {
  const day = localDate(at, timeZone);
  return day === localDate(now, timeZone) ? clock(at, timeZone) : `${day} ${clock(at, timeZone)}`;
}

const clock = (at: Date, timeZone: string) => localTime(at, timeZone).slice(11, 16);

/** A notice as a message. */
export function sayForChannel({ text, urgent, number, round }: StoredNotice): string {
  return [`${round > 0 ? '(again) ' : ''}${text}`, ...howToEnd(urgent === 1, number)].join('\n');
}

/** Several as one message, after the quiet hours. */
export function sayDigest(rows: readonly StoredNotice[], timeZone: string): string {
  const lines = rows.map(({ since, text }) => `- ${clock(new Date(since), timeZone)}  ${text}`);
  return ['While it was quiet:', ...lines].join('\n');
}

/** What its reader may say about the notice of a job; a digest has no choices. */
export function choicesOf(rows: readonly StoredNotice[]): readonly Choice[] {
  const [row] = rows;
  return row && rows.length === 1 && row.run_id !== null ? choicesAbout(row.number) : [];
}

/** What its reader may say about a notice, as commands. */
export function choicesAbout(number: number): readonly Choice[] {
  const again = (label: string, when: string) => ({ label, says: `/notices snooze ${number} ${when}` });
  return [
    again('10 min', 'in 10 minutes'),
    again('1 h', 'in 1 hour'),
    again('Tomorrow', 'tomorrow at 9:00'),
    { label: 'Done', says: `/notices done ${number}` },
  ];
}

function howToEnd(urgent: boolean, number: number): string[] {
  return urgent ? [`(urgent; \`wooster notices done ${number}\` ends it)`] : [];
}
