import { readTold, type ToldCode, type ToldValues } from '../../base/told.ts';
import { reasonInGerman } from '../../when/grammar/reasons-german.ts';
import { sayings } from '../../when/say.ts';
import { answerLanguage } from './language.ts';

/** How a German is told what could not be done: every code has its sentence here. */
const GERMAN: Readonly<Record<ToldCode, (values: ToldValues) => string>> = {
  no_job_called: ({ said, jobs }) => `Keine Erinnerung passt zu „${said}“. Geplant ist: ${timesInGerman(jobs)}.`,
  no_jobs: ({ said }) => `Keine Erinnerung passt zu „${said}“; es ist nichts geplant.`,
  several_jobs: ({ said, count, jobs }) =>
    `Zu „${said}“ passen ${count}: ${timesInGerman(jobs)}. Welche davon? Sag ihre Nummer.`,
  comes_again: ({ when = '' }) => {
    const repeats = when.replace(/ \[.*$/su, '');
    return `Das kommt immer wieder (${repeats}). Sag, wann es künftig kommen soll, etwa „jeden Mittwoch um 19 Uhr“.`;
  },
  time_passed: ({ said, at }) => `„${said}“ ist schon vorbei (${timesInGerman(at)}). Nenn eine spätere Zeit.`,
  move_passed: ({ said, at }) => `„${said}“ wäre ${timesInGerman(at)}, und das ist schon vorbei. Sag den Tag dazu.`,
  unclear_time: ({ said, why = '' }) => {
    const reason = reasonInGerman(why);
    return `Die Zeit „${said}“ verstehe ich nicht${reason === undefined ? '' : `: ${reason}`}.`;
  },
  no_time: ({ said }) => `Die Zeit „${said}“ verstehe ich nicht. Sag sie etwa so: „morgen um 9“ oder „in 20 Minuten“.`,
  no_file: ({ path }) => `Die Datei „${path}“ gibt es nicht, oder sie lässt sich nicht öffnen.`,
  file_there: ({ path }) => `Die Datei „${path}“ gibt es schon.`,
};

/** The same in German; a failure that has no code is quoted as the tool reported it. */
export function failureInGerman(text: string): string {
  const failure = readTold(text);
  if (failure) return GERMAN[failure.code](failure.values);
  return text === '' || isGermanText(text) ? text : `Das Werkzeug meldet auf Englisch „${text.replace(/\.$/u, '')}“.`;
}

/** Some tools answer in German themselves. */
function isGermanText(text: string): boolean {
  return answerLanguage(text, []) === 'de';
}

const WALL = /[A-Z][a-z]{2} (?<date>\d{4}-\d\d-\d\d) (?<time>\d\d:\d\d)(?::\d\d)?/gu;

/** `job_1 "Orchideen" (Fri 2026-11-27 09:00)` with the times as Germans say them. */
function timesInGerman(text = ''): string {
  return text
    .replace(WALL, (_whole, date: string, time: string) => {
      const at = new Date(`${date}T12:00:00Z`);
      return `${sayings('de', { timeZone: 'UTC', now: at }).day(at)} um ${time} Uhr`;
    })
    .replace(/(?<=; )and (?=\d+ more$)/u, 'und ')
    .replace(/(?<=und \d+) more$/u, ' weitere');
}
