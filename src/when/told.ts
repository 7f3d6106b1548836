import { AssistantError, type ErrorCode, type ErrorDetails, type Told } from '../base/errors.ts';
import { showWall } from './zone.ts';

/** One sentence in each language, with gaps for its values. */
interface Sentence {
  readonly en: string;
  readonly de: string;
}

/** What cannot be done, and why a time is asked about. Whoever decides by one of these goes by its code. */
const SENTENCES = {
  no_job_called: {
    en: 'No scheduled job is called "{said}". There is: {jobs}.',
    de: 'Keine Erinnerung passt zu „{said}“. Geplant ist: {jobs}.',
  },
  no_jobs: {
    en: 'No scheduled job is called "{said}". Nothing is scheduled.',
    de: 'Keine Erinnerung passt zu „{said}“; es ist nichts geplant.',
  },
  several_jobs: {
    en: '"{said}" may be any of {count}: {jobs}. Which id?',
    de: 'Zu „{said}“ passen {count}: {jobs}. Welche davon? Sag ihre Nummer.',
  },
  job: { en: '{id} "{text}" ({when})', de: '{id} "{text}" ({when})' },
  more: { en: 'and {count} more', de: 'und {count} weitere' },
  comes_again: {
    en: '{id} comes again and again ({when}). Say when from now on, such as "every weekday at 10:00".',
    de: 'Das kommt immer wieder ({when}). Sag, wann es künftig kommen soll, etwa „jeden Mittwoch um 19 Uhr“.',
  },
  time_passed: {
    en: '"{said}" is in the past ({at}, {zone}).',
    de: '„{said}“ ist schon vorbei ({at}). Nenn eine spätere Zeit.',
  },
  move_passed: {
    en: '"{said}" would be {at}, which has passed.',
    de: '„{said}“ wäre {at}, und das ist schon vorbei. Sag den Tag dazu.',
  },
  unclear_time: {
    en: '"{said}" is not a time I understand: {why}.',
    de: 'Die Zeit „{said}“ verstehe ich nicht: {why}.',
  },
  no_time: {
    en: '"{said}" is not a time I understand.',
    de: 'Die Zeit „{said}“ verstehe ich nicht. Sag sie etwa so: „morgen um 9“ oder „in 20 Minuten“.',
  },
  no_file: { en: 'There is no {path}.', de: 'Die Datei „{path}“ gibt es nicht.' },
  file_closed: {
    en: '{path} is there, but this program is not allowed to open it.',
    de: 'Die Datei „{path}“ ist da, aber dieses Programm darf sie nicht öffnen.',
  },
  file_there: { en: '{path} exists already.', de: 'Die Datei „{path}“ gibt es schon.' },

  more_than_one_time: { en: 'there is more than one time', de: 'es ist mehr als eine Zeit genannt' },
  more_than_one_day: { en: 'there is more than one day', de: 'es ist mehr als ein Tag genannt' },
  more_than_one_part_of_day: {
    en: 'there is more than one part of the day',
    de: 'es ist mehr als eine Tageszeit genannt',
  },
  more_than_one_set_days: { en: 'there is more than one set of days', de: 'es sind mehrere Gruppen von Tagen genannt' },
  more_than_one_repetition: {
    en: 'there is more than one repetition',
    de: 'es ist mehr als eine Wiederholung genannt',
  },
  date_and_weekday: { en: 'there are both a date and a weekday', de: 'es sind ein Datum und ein Wochentag genannt' },
  no_such_date: { en: 'there is no such date', de: 'dieses Datum gibt es nicht' },
  no_such_day_in_month: { en: 'there is no such day in that month', de: 'diesen Tag gibt es in dem Monat nicht' },
  no_month_has_day: { en: 'no month has such a day', de: 'kein Monat hat so einen Tag' },
  no_month_has_so_many: { en: 'no month has so many of them', de: 'kein Monat hat so viele davon' },
  no_day_left: { en: 'no day is left', de: 'so bleibt kein Tag übrig' },
  only_when_not: { en: 'it says when not, but not when', de: 'gesagt ist, wann nicht, aber nicht, wann' },
  names_no_exact_time: { en: 'it names no exact time', de: 'eine genaue Uhrzeit fehlt' },
  names_no_time: { en: 'it names no time', de: 'es ist keine Zeit genannt' },
  now: { en: 'that is now', de: 'das ist jetzt' },
  too_far_away: { en: 'it is too far away', de: 'das ist zu weit weg' },
  hour_not_said: { en: 'the hour is not said', de: 'die Stunde fehlt' },
  span_of_time: { en: 'it is a span of time, not one time', de: 'das ist ein Zeitraum und keine einzelne Zeit' },
  again_and_once: {
    en: 'it is said to come again, and once',
    de: 'es soll sich wiederholen und zugleich einmal kommen',
  },
  from_which_day_not_said: { en: 'it is not said from which day on', de: 'es fehlt, von welchem Tag an' },
  interval_and_time_of_day: {
    en: 'it has both an interval and a time of day',
    de: 'es sind ein Abstand und eine Uhrzeit genannt',
  },
  past_midnight_of_date: {
    en: 'it goes on after midnight, and the day after such a date cannot be said',
    de: 'es geht nach Mitternacht weiter, und der Tag nach so einem Datum lässt sich nicht sagen',
  },
  midnight_is_twofold: {
    en: 'midnight is the beginning and the end of a day',
    de: 'Mitternacht ist Anfang und Ende eines Tages',
  },
  only_first_and_last_working_days: {
    en: 'only first and last working days are known',
    de: 'nur den ersten und den letzten Werktag kenne ich',
  },
  before_or_after_what: { en: 'before or after what is not certain', de: 'vor oder nach was, ist nicht sicher' },
  only_times_of_day_can_end: {
    en: 'only what comes at a time of day can end on a day',
    de: 'nur was zu einer Uhrzeit kommt, kann an einem Tag enden',
  },
  time_day_not_said: { en: 'the time of day is not said', de: 'die Uhrzeit fehlt' },
  times_day_not_said: { en: 'the times of day are not said', de: 'die Uhrzeiten fehlen' },
  which_days_week_not_said: { en: 'which days of the week is not said', de: 'welche Tage der Woche, fehlt' },
  how_often_not_clear: { en: 'how often is not clear', de: 'wie oft, ist nicht klar' },
  how_often_within_not_said: { en: 'how often within that time is not said', de: 'wie oft in dieser Zeit, fehlt' },
  weeks_or_days_of_month: {
    en: 'that may count weeks or the days of a month',
    de: 'das kann Wochen zählen oder Tage eines Monats',
  },
  interval_does_not_fit_hours: {
    en: 'this interval does not fit into hours',
    de: 'dieser Abstand geht nicht in Stunden auf',
  },
  interval_does_not_fit_day: {
    en: 'this interval does not fit into a day',
    de: 'dieser Abstand geht nicht in einem Tag auf',
  },
  which_day_meant_not_certain: {
    en: 'which day is meant is not certain',
    de: 'welcher Tag gemeint ist, ist nicht sicher',
  },
  which_day_not_certain: { en: 'which day is not certain', de: 'welcher Tag, ist nicht sicher' },
  which_day_of_it: { en: 'which day of it is not said', de: 'welcher Tag davon, fehlt' },
  which_day_month_not_said: { en: 'which day of the month is not said', de: 'welcher Tag des Monats, fehlt' },
  which_day_week_not_said: { en: 'which day of the week is not said', de: 'welcher Tag der Woche, fehlt' },
  which_day_year_not_said: { en: 'which day of the year is not said', de: 'welcher Tag des Jahres, fehlt' },
  which_month_not_said: { en: 'which month is not said', de: 'welcher Monat, fehlt' },
  which_night_meant_not_certain: {
    en: 'which night is meant is not certain',
    de: 'welche Nacht gemeint ist, ist nicht sicher',
  },
  which_time_for_which_day: {
    en: 'which time belongs to which day is not said',
    de: 'welche Uhrzeit zu welchem Tag gehört, fehlt',
  },
  which_year_meant_not_certain: {
    en: 'which year is meant is not certain',
    de: 'welches Jahr gemeint ist, ist nicht sicher',
  },
  which_week_meant_not_certain: {
    en: 'which week is meant is not certain',
    de: 'welche Woche gemeint ist, ist nicht sicher',
  },
  one_week_or_two: { en: 'it may be in one week or in two', de: 'es kann in einer oder in zwei Wochen sein' },
  word_not_clear: { en: '"{word}" is not clear', de: '„{word}“ ist mir nicht klar' },
  no_time_of_day: { en: '"{word}" is not a time of day', de: '„{word}“ ist keine Uhrzeit' },
  no_date: { en: '"{word}" is not a date', de: '„{word}“ ist kein Datum' },
  date_or_time: { en: '"{word}" may be a date or a time', de: '„{word}“ kann ein Datum oder eine Uhrzeit sein' },
  day_month_order: {
    en: '"{word}" may be day and month or month and day',
    de: '„{word}“ kann Tag und Monat oder Monat und Tag sein',
  },
  either_half: {
    en: '"{hour}" may be in the morning or in the afternoon',
    de: '„{hour}“ kann morgens oder nachmittags sein',
  },
  misspelt: { en: '"{word}" may be meant as "{meant}"', de: '„{word}“ kann „{meant}“ heißen' },
  two_readings: { en: '"{words}" can be read in two ways', de: '„{words}“ lässt sich auf zwei Arten lesen' },
  either: { en: 'it may be {one} or {other}', de: 'es kann {one} oder {other} sein' },
  no_day_in_month: { en: 'there is no day {day} in that month', de: 'einen {day}. hat der Monat nicht' },
  day_passed: { en: 'that is in the past, {day}', de: 'das ist schon vorbei ({day})' },
  other_day: { en: '{day} is another day', de: 'der {day} ist ein anderer Tag' },
  other_weekday: { en: '{day} is a {is}, not a {not}', de: 'der {day} ist ein {is}, kein {not}' },
  not_in_part: { en: '{time} is not {part}', de: '{time} ist nicht {part}' },
  in_morning: { en: 'in the morning', de: 'am Morgen' },
  in_afternoon: { en: 'in the afternoon', de: 'am Nachmittag' },
  in_evening: { en: 'in the evening', de: 'am Abend' },
  in_night: { en: 'in the night', de: 'in der Nacht' },
} as const satisfies Readonly<Record<string, Sentence>>;

export type ToldCode = keyof typeof SENTENCES;

/** What fills a gap: words, another sentence, several of them, a moment, or a day of the week (Sunday is 0). */
export type Value =
  | string
  | number
  | undefined
  | Told
  | readonly Told[]
  | { readonly at: string; readonly zone: string }
  | { readonly weekday: number };

export function told(code: ToldCode, values: Readonly<Record<string, Value>> = {}): Told {
  return { code, values };
}

/**
 * An error that carries what its message says.
 *
 * @param details `advises`: the message ends with the hint, for models, which read nothing else.
 */
export function refusal(
  code: ErrorCode,
  what: Told,
  { advises = false, ...details }: ErrorDetails & { readonly advises?: boolean },
): AssistantError {
  const message = say(what, 'en') ?? what.code;
  if (!advises) return new AssistantError(code, message, { ...details, told: what });
  const { hint } = details;
  const told = { ...what, values: { ...what.values, hint } };
  return new AssistantError(code, `${message} ${hint}`, { ...details, told });
}

/** @returns undefined for a code without a sentence here. */
export function say({ code, values }: Told, language: keyof Sentence): string | undefined {
  if (!Object.hasOwn(SENTENCES, code)) return undefined;
  const sentence = SENTENCES[code as ToldCode][language];
  return sentence.replace(/\{(\w+)\}/gu, (_gap, name: string) => sayValue(values[name] as Value, language));
}

function sayValue(value: Value, language: keyof Sentence): string {
  if (typeof value !== 'object') return String(value ?? '');
  if ('code' in value) return say(value, language) ?? '';
  if ('weekday' in value)
    return new Date(Date.UTC(2023, 0, 1 + value.weekday)).toLocaleDateString(language, {
      ...{ weekday: 'long', timeZone: 'UTC' },
    });
  if ('zone' in value) return sayMoment(new Date(value.at), value.zone, language);
  return value.map((one) => sayValue(one, language)).join('; ');
}

function sayMoment(at: Date, timeZone: string, language: keyof Sentence): string {
  const wall = showWall(at, timeZone);
  if (language === 'en') return wall;
  const day = at.toLocaleDateString('de', {
    ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
    timeZone,
  });
  return `${day} um ${wall.slice(15, 20)} Uhr`;
}
