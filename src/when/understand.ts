import { AssistantError } from '../base/errors.ts';
import { preview } from '../base/text.ts';
import {
  checkPossible,
  expandNickname,
  isFixed,
  looksLikeCron,
  nextCron,
  readExpression,
  showExpression,
} from './cron.ts';
import { type OneOff, readIso } from './one-off.ts';
import { anchored, type Recurrence } from './recurring.ts';
import { notUnderstood } from './refusal.ts';
import { type JobKind, nextTimes, type Timing } from './timing.ts';
import { refusal, told } from './told.ts';
import { readTime } from './words.ts';
import { DAY_MS, showWall, zoneOf } from './zone.ts';

export interface UnderstandOptions {
  readonly timeZone: string;
  /** Now: relative words count from it, and times have to be after it. */
  readonly from: Date;
  /** How many next times to compute; three by default. */
  readonly count?: number | undefined;
}

/** When something runs, ready to be stored, with its next times to show beforehand. */
export interface Understood {
  readonly kind: JobKind;
  /** As in `Timing`. */
  readonly expression: string;
  readonly timeZone: string;
  readonly next: readonly Date[];
  /** In words, for example `every weekday at 09:00 (Europe/Oslo)`. */
  readonly description: string;
  /** What was assumed, and what a clock change does to it, for the person to read. */
  readonly warnings: readonly string[];
}

/** The event that starts a job when documents of its project change. */
const PROJECT_CHANGED = 'project-changed';

/** A longer text is a task rather than a time, and matching it would cost too much. */
export const LONGEST_CHARS = 200;
/** A zone at the end: `tomorrow 8am America/New_York`, `9:00 (UTC)`. */
const NAMED_ZONE = /\s*\(?\b([A-Z][A-Za-z]+\/[\w/+-]+|UTC|GMT)\)?$/u;

/**
 * Understand when something is to run.
 *
 * @param said English, German, ISO 8601 or cron; an IANA zone at its end takes precedence over `timeZone`.
 * @throws AssistantError `bad_time` saying which part is wrong and what would be right.
 */
export function understand(said: string, options: UnderstandOptions): Understood & { readonly anchor: Date } {
  const { text, timeZone } = splitZone(said, options.timeZone);
  zoneOf(timeZone);
  if (text === '')
    throw new AssistantError('bad_time', 'No time was given.', {
      unclear: true,
      hint: 'Say for example "tomorrow 8am" or "every weekday at 9".',
    });
  if (text.length > LONGEST_CHARS)
    throw new AssistantError('bad_time', `"${preview(text, 60)}" is too long for a time.`, {
      hint: 'Give only the time, not the task.',
    });
  const read = readTiming(text, timeZone, options.from);
  const count = options.count ?? 3;
  const next = read.first
    ? [read.first, ...nextTimes(read.timing, read.first, count - 1)]
    : nextTimes(read.timing, options.from, count);
  return {
    ...read.timing,
    next,
    description: describe(text, read.timing),
    warnings: [...read.warnings, ...gapWarnings(read.timing, next[0], options.from)],
  };
}

/** A time that was understood, before its next runs are computed. */
interface Read {
  readonly timing: Timing;
  /** Its next time, if reading has already found it. */
  readonly first?: Date | undefined;
  readonly warnings: readonly string[];
}

/** The four kinds, the most certain first: an event, a cron expression, a repetition in words, a single time. */
function readTiming(text: string, timeZone: string, from: Date): Read {
  const base = { timeZone, anchor: from };
  if (
    /^(?:on:?\s*)?project[- ]changed$|^when(?:ever)? (?:the |a |my )?(?:project|documents?|files?) changes?$/iu.test(
      text,
    )
  ) {
    return { timing: { ...base, kind: 'on', expression: PROJECT_CHANGED }, warnings: [] };
  }
  if (looksLikeCron(text)) {
    const expression = readExpression(expandNickname(text));
    const first = checkPossible(expression, timeZone, from);
    return { timing: { ...base, kind: 'cron', expression: showExpression(expression) }, first, warnings: [] };
  }
  const iso = readIso(text, timeZone);
  const meaning = iso ? { kind: 'once' as const, once: iso } : readTime(text, { timeZone, from });
  if (meaning.kind === 'repeats') return readRecurring(meaning.recurrence, timeZone, from);
  const { at, warnings } = coming(text, meaning.once, { timeZone, from });
  return { timing: { ...base, kind: 'at', expression: at.toISOString() }, warnings };
}

/** A single run has to lie ahead. */
function coming(said: string, once: OneOff, { timeZone, from }: UnderstandOptions): OneOff {
  if (Number.isNaN(once.at.getTime())) throw notUnderstood(said);
  if (once.at > from) return once;
  const at = { at: once.at.toISOString(), zone: timeZone };
  throw refusal('bad_time', told('time_passed', { said, at, zone: timeZone }), {
    hint: `It is ${showWall(from, timeZone)} now; give a later time.`,
  });
}

/** A stride such as "every 2 weeks" needs a date to count from: the first one that the pattern allows. */
function readRecurring(recurrence: Recurrence, timeZone: string, from: Date): Read {
  const base = { timeZone, anchor: from };
  if (recurrence.kind === 'every')
    return { timing: { ...base, kind: 'every', expression: String(recurrence.seconds) }, warnings: [] };
  for (const pattern of recurrence.patterns) readExpression(pattern);
  const first = checkPossible({ patterns: recurrence.patterns, until: recurrence.until }, timeZone, from);
  const firstDate = new Date(zoneOf(timeZone).wallAt(first.getTime())).toISOString().slice(0, 10);
  const expression = showExpression(anchored(recurrence, firstDate));
  return { timing: { ...base, kind: 'cron', expression }, first, warnings: recurrence.warnings };
}

/** A zone name at the end, as in `tomorrow 8am America/New_York`, becomes the zone of the job. */
function splitZone(said: string, timeZone: string): { text: string; timeZone: string } {
  const trimmed = said
    .trim()
    .replace(/\s+/gu, ' ')
    .replace(/^["']|["']$/gu, '');
  const match = NAMED_ZONE.exec(trimmed);
  if (!match?.[1] || match.index === 0) return { text: trimmed, timeZone };
  return {
    text: trimmed.slice(0, match.index).replace(/,$/u, '').trim(),
    timeZone: match[1] === 'GMT' ? 'UTC' : match[1],
  };
}

/** What is stored and shown: the words, then the cron pattern in brackets, so that a person can check both. */
export function describe(said: string, timing: Omit<Timing, 'anchor'>): string {
  if (timing.kind === 'on') return 'when documents of the project change';
  if (timing.kind === 'at')
    return `once at ${showWall(new Date(timing.expression), timing.timeZone)} (${timing.timeZone})`;
  if (timing.kind === 'every') return `every ${showSeconds(Number(timing.expression))} of elapsed time`;
  const words =
    said === timing.expression || said.startsWith('@') ? `cron ${timing.expression}` : `${said} [${timing.expression}]`;
  return `${words} (${timing.timeZone})`;
}

/** `2 hours` for 7200, `minute` for 60: fits after "every". */
function showSeconds(seconds: number): string {
  const units: readonly [number, string][] = [
    [604_800, 'week'],
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ];
  const [size, name] = units.find(([unit]) => seconds % unit === 0) ?? [1, 'second'];
  const count = seconds / size;
  return count === 1 ? name : `${count} ${name}s`;
}

/**
 * `every 15 minutes between 2 and 3` has no run on the day that loses that hour, so the person is warned before it is
 * saved. Fixed times are not lost; `nextCron` moves them to the end of the gap.
 */
function gapWarnings(timing: Timing, first: Date | undefined, from: Date): string[] {
  if (timing.kind !== 'cron' || !first) return [];
  const expression = readExpression(timing.expression);
  if (expression.patterns.every(isFixed)) return [];
  const zone = zoneOf(timing.timeZone);
  const onPaper = nextCron(expression, zoneOf('UTC'), new Date(zone.wallAt(from.getTime())));
  const lost = onPaper !== undefined && zone.wallAt(first.getTime()) - onPaper.getTime() > DAY_MS / 2;
  return lost
    ? [`the clocks go forward over its next time: there is no run before ${showWall(first, timing.timeZone)}`]
    : [];
}
