import { WEEKDAYS, weekdayName } from '../../words/weekdays.ts';

/** The reasons of `Unclear` in German, by their English text. */
const REASONS: Readonly<Record<string, string>> = {
  'there is more than one time': 'es ist mehr als eine Zeit genannt',
  'there is more than one day': 'es ist mehr als ein Tag genannt',
  'there is more than one part of the day': 'es ist mehr als eine Tageszeit genannt',
  'there is more than one set of days': 'es sind mehrere Gruppen von Tagen genannt',
  'there is more than one repetition': 'es ist mehr als eine Wiederholung genannt',
  'there are both a date and a weekday': 'es sind ein Datum und ein Wochentag genannt',
  'there is no such date': 'dieses Datum gibt es nicht',
  'there is no such day in that month': 'diesen Tag gibt es in dem Monat nicht',
  'no month has such a day': 'kein Monat hat so einen Tag',
  'no month has so many of them': 'kein Monat hat so viele davon',
  'no day is left': 'so bleibt kein Tag übrig',
  'it says when not, but not when': 'gesagt ist, wann nicht, aber nicht, wann',
  'it names no exact time': 'eine genaue Uhrzeit fehlt',
  'it names no time': 'es ist keine Zeit genannt',
  'that is now': 'das ist jetzt',
  'it is too far away': 'das ist zu weit weg',
  'the hour is not said': 'die Stunde fehlt',
  'it is a span of time, not one time': 'das ist ein Zeitraum und keine einzelne Zeit',
  'it is said to come again, and once': 'es soll sich wiederholen und zugleich einmal kommen',
  'it is not said from which day on': 'es fehlt, von welchem Tag an',
  'it has both an interval and a time of day': 'es sind ein Abstand und eine Uhrzeit genannt',
  'it goes on after midnight, and the day after such a date cannot be said':
    'es geht nach Mitternacht weiter, und der Tag nach so einem Datum lässt sich nicht sagen',
  'midnight is the beginning and the end of a day': 'Mitternacht ist Anfang und Ende eines Tages',
  'only first and last working days are known': 'nur den ersten und den letzten Werktag kenne ich',
  'before or after what is not certain': 'vor oder nach was, ist nicht sicher',
  'only what comes at a time of day can end on a day': 'nur was zu einer Uhrzeit kommt, kann an einem Tag enden',
  'the time of day is not said': 'die Uhrzeit fehlt',
  'the times of day are not said': 'die Uhrzeiten fehlen',
  'which days of the week is not said': 'welche Tage der Woche, fehlt',
  'how often is not clear': 'wie oft, ist nicht klar',
  'how often within that time is not said': 'wie oft in dieser Zeit, fehlt',
  'that may count weeks or the days of a month': 'das kann Wochen zählen oder Tage eines Monats',
  'this interval does not fit into hours': 'dieser Abstand geht nicht in Stunden auf',
  'this interval does not fit into a day': 'dieser Abstand geht nicht in einem Tag auf',
  'which day is meant is not certain': 'welcher Tag gemeint ist, ist nicht sicher',
  'which day is not certain': 'welcher Tag, ist nicht sicher',
  'which day of it is not said': 'welcher Tag davon, fehlt',
  'which day of the month is not said': 'welcher Tag des Monats, fehlt',
  'which day of the week is not said': 'welcher Tag der Woche, fehlt',
  'which day of the year is not said': 'welcher Tag des Jahres, fehlt',
  'which month is not said': 'welcher Monat, fehlt',
  'which night is meant is not certain': 'welche Nacht gemeint ist, ist nicht sicher',
  'which time belongs to which day is not said': 'welche Uhrzeit zu welchem Tag gehört, fehlt',
  'which year is meant is not certain': 'welches Jahr gemeint ist, ist nicht sicher',
  'which week is meant is not certain': 'welche Woche gemeint ist, ist nicht sicher',
};

const PARTS: Readonly<Record<string, string>> = {
  ...{ morning: 'am Morgen', afternoon: 'am Nachmittag', evening: 'am Abend', night: 'in der Nacht' },
};
/** Reasons that quote what was said. */
const QUOTING: readonly (readonly [RegExp, (...found: readonly string[]) => string])[] = [
  [/^"(.*)" is not clear$/u, (word) => `„${word}“ ist mir nicht klar`],
  [/^"(.*)" is not a time of day$/u, (word) => `„${word}“ ist keine Uhrzeit`],
  [/^"(.*)" is not a date$/u, (word) => `„${word}“ ist kein Datum`],
  [/^"(.*)" may be a date or a time$/u, (word) => `„${word}“ kann ein Datum oder eine Uhrzeit sein`],
  [/^"(.*)" may be day and month or month and day$/u, (word) => `„${word}“ kann Tag und Monat oder Monat und Tag sein`],
  [/^"(.*)" may be in the morning or in the afternoon$/u, (word) => `„${word}“ kann morgens oder nachmittags sein`],
  [/^"(.*)" may be meant as "(.*)"$/u, (word, meant) => `„${word}“ kann „${meant}“ heißen`],
  [/^"(.*)" can be read in two ways$/u, (word) => `„${word}“ lässt sich auf zwei Arten lesen`],
  [/^it may be (.*) or (.*)$/u, (one, other) => `es kann ${one} oder ${other} sein`],
  [/^there is no day (\d+) in that month$/u, (day) => `einen ${day}. hat der Monat nicht`],
  [/^that is in the past, (.*)$/u, (when) => `das ist schon vorbei (${when})`],
  [/^(\S+) is another day$/u, (date) => `der ${date} ist ein anderer Tag`],
  [/^(\S+) is a (\w+), not a (\w+)$/u, (date, is, not) => `der ${date} ist ein ${inGerman(is)}, kein ${inGerman(not)}`],
  [/^(\S+) is not in the (\w+)$/u, (time, part) => `${time} ist nicht ${PARTS[part ?? ''] ?? part}`],
];

/** A reason of `Unclear` in German; undefined for any other text. */
export function reasonInGerman(reason: string): string | undefined {
  if (Object.hasOwn(REASONS, reason)) return REASONS[reason];
  for (const [form, said] of QUOTING) {
    const found = form.exec(reason);
    if (found) return said(...found.slice(1));
  }
  return undefined;
}

function inGerman(day: string | undefined): string {
  const number = WEEKDAYS.en.findIndex(({ name }) => name === day);
  return weekdayName(number, 'de') || String(day);
}
