import { pattern } from '../../base/pattern.ts';
import { counted } from '../../base/text.ts';
import { wordsToDigits } from '../../words/numbers.ts';
import { type Intent, say, type UserRequest } from '../request.ts';

/** "3 hours", "half an hour", "1 and a half hours", "an hour and a half". */
const LENGTH = pattern(
  'giu',
  String.raw`(?<![\d.,:])(?<number>\d{1,4}(?:[.,]\d{1,2})?|an?|half an|a quarter of an)(?<more> and a half)?[ -]?`,
  String.raw`(?:(?<hours>hours?|hrs?|h)|minutes?|mins?)\b(?<half> and a half)?`,
  String.raw`(?! (?:ahead|behind|to (?:\d|noon|midday|midnight)))`,
);
const CLOCK = pattern(
  'giu',
  String.raw`\b(?:(?<part>half past|quarter past|quarter to|\d{1,2} (?:minutes )?(?:past|to)) )?`,
  String.raw`(?<![\d.,:])(?<hour>[01]?\d|2[0-3])`,
  String.raw`(?:[:.](?<minute>[0-5]\d))?(?: ?(?<noon>[ap])\.?m\b\.?| ?o'?clock`,
  String.raw`| in the (?<day>morning|afternoon|evening))?`,
  String.raw`(?![\d%:]|[.,]\d| ?[$€£])|\b(?<word>noon|midday|midnight)\b`,
);
const ASKED = /\b(?:when|what time|what's|what is|until when|how late)\b/iu;
/** The last thing before the time given: "when do I have to leave?" */
const BACKWARDS = pattern(
  'iu',
  String.raw`\b(?:when|what time|how late)\b.*\b(?:have to|must|should|need to|do i|do we|at the latest)\b.*\b(?:leave`,
  String.raw`|set off|head off|go|start|get up|wake up|begin|put|take)\b`,
  String.raw`|\b(?:hours?|hrs?|minutes?|mins?|half) (?:before|earlier than|prior to)\b`,
  String.raw`|\b(?:when|what time) did\b.*\b(?:take off|leave|start|begin|depart|set off)\b|\bminus\b`,
);
const FORWARDS = pattern(
  'iu',
  String.raw`\b(?:after|later than|past|plus|from|takes?|took|lasts?|runs?|is|goes on|work|sleep|drive|cook|bake|for`,
  String.raw`|long|in|stay|if)\b`,
);
/** Of the documents, of a place elsewhere, or of a day. */
const OTHER = pattern(
  'u',
  String.raw`\b(?:my|the) (?:documents?|contract|lease|manual)\b|\bremind\b|\bin [A-Z]\p{L}+\b`,
  String.raw`|\b(?:days?|weeks?|months?|years?)\b`,
);
const LONGEST = 160;
const DAY_MINUTES = 24 * 60;

/** "If I leave at 9:40 and the drive takes 3 hours, when do I arrive?": a time of day and how long something takes. */
export function clockSum(request: UserRequest): Intent | undefined {
  if (request.plain.length > LONGEST || request.language !== 'en' || OTHER.test(request.plain)) return undefined;
  const plain = wordsToDigits(request.plain)
    .replace(/\bhalf an hour\b/giu, '30 minutes')
    .replace(
      /(?<![\d.,:])(\d{1,2}) ?h(?:rs?|ours?)? ?(\d{1,2})\b(?! ?(?:past|to|[ap]m|min))/giu,
      '$1 hours $2 minutes',
    );
  if (!ASKED.test(plain)) return undefined;
  const lengths = [...plain.matchAll(LENGTH)];
  const rest = plain.replace(LENGTH, ' ');
  const [clock, ...others] = [...rest.matchAll(CLOCK)];
  if (!clock || others.length > 0 || lengths.length === 0 || /\d/u.test(rest.replace(CLOCK, ' '))) return undefined;
  const back = BACKWARDS.test(plain);
  if (!back && !FORWARDS.test(plain)) return undefined;
  const start = minutesOf(clock.groups ?? {});
  const length = lengths.reduce((sum, { groups }) => sum + lengthOf(groups ?? {}), 0);
  const at = Math.round(back ? start - length : start + length);
  return say(`${shown(start)} ${back ? 'minus' : 'plus'} ${spoken(length)} is ${shown(at)}${dayOf(at)}.`);
}

type Groups = Partial<Record<string, string>>;

function lengthOf({ number = '', more, hours, half }: Groups): number {
  const words: Readonly<Record<string, number>> = { a: 1, an: 1, 'half an': 0.5, 'a quarter of an': 0.25 };
  const amount = (words[number.toLowerCase()] ?? Number(number.replace(',', '.'))) + (more || half ? 0.5 : 0);
  return hours === undefined ? amount : amount * 60;
}

function minutesOf({ part, hour, minute, noon, day, word }: Groups): number {
  if (word !== undefined) return word.toLowerCase() === 'midnight' ? 0 : 12 * 60;
  const late = noon?.toLowerCase() === 'p' || (day !== undefined && day.toLowerCase() !== 'morning');
  const early = noon?.toLowerCase() === 'a';
  const said = Number(hour);
  const full = late && said < 12 ? said + 12 : early && said === 12 ? 0 : said;
  const named = { 'half past': 30, 'quarter past': 15, 'quarter to': -15 }[part?.toLowerCase() ?? ''];
  const shift = named ?? (Number.parseInt(part ?? '0', 10) || 0) * (/to$/iu.test(part ?? '') ? -1 : 1);
  return full * 60 + Number(minute ?? 0) + shift;
}

function shown(at: number): string {
  const minutes = ((at % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

function dayOf(at: number): string {
  if (at < 0) return ' the day before';
  return at < DAY_MINUTES ? '' : at < 2 * DAY_MINUTES ? ' the next day' : ` ${Math.floor(at / DAY_MINUTES)} days later`;
}

function spoken(length: number): string {
  const whole = Math.round(length);
  const [hours, minutes] = [Math.floor(whole / 60), whole % 60];
  const parts = [hours > 0 && counted(hours, 'hour'), minutes > 0 && counted(minutes, 'minute')];
  return parts.filter(Boolean).join(' and ');
}
