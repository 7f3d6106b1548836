import { pattern } from '../../base/pattern.ts';
import { addToDate, localDate } from '../../when/calendar.ts';
import { withChoice, withMinutes } from '../../when/choose.ts';
import { type FoundTime, findTime } from '../../when/find.ts';
import { withoutTime } from '../../when/without-time.ts';
import { wordsToDigits } from '../../words/numbers.ts';
import { ask, type Intent, type Skill, type UserRequest } from '../request.ts';
import { dayOf } from './reminder-questions.ts';
import { scheduled } from './reminders.ts';
import { clean } from './task-words.ts';

const LENGTH = [
  String.raw`(?<length>(?:\d{1,3}(?:[.,]5)?|half an|\p{L}{1,12})`,
  '(?: (?:halbe|viertel|dreiviertel|half an|quarter of an))? ?',
  '(?:minuten?|stunden?|tage?|wochen?|minutes?|hours?|days?|weeks?))',
].join('');
const VORHER = '(?:kurz |rechtzeitig |noch )?(?:vorher|davor|zuvor|früher|rechtzeitig)';
const BEHIND = '(?: (?:daran|dran|bescheid|bitte|noch|an ihn|an sie|about it))*';
const CLOCK = String.raw`(?: (?:um|gegen) (?<clock>[^,]{1,20}?))?`;
/** "Am Abend vorher": the day before, at an hour that is said or asked for. */
const EVE = '(?:am )?(?<eve>vortag|vorabend|(?:tag|abend|nachmittag) (?:vorher|davor|zuvor))';
/** "Morgen um 15 Uhr Zahnarzt, erinnere mich eine Stunde vorher". */
const FORMS = [
  [
    `^(?<event>.{3,160}?)(?:[,.;]| und)+ (?:bitte )?(?:(?:erinner|weck)e? mich|(?:sag|gib)e? mir)`,
    `(?: (?:bitte|mal|daran|dran|doch))*(?: ${EVE}| LENGTH ${VORHER}| ${VORHER})${CLOCK}${BEHIND}$`,
  ].join(''),
  [
    '^(?<event>.{3,160}?)[,.;] (?:mich )?(?:bitte )?(?:daran )?(?:LENGTH )?',
    `${VORHER} (?:daran |dran )?(?:bitte )?erinnern$`,
  ].join(''),
  [
    `^(?<event>.{3,160}?)(?:[,.;]| and| so)+ (?:please )?(?:remind|alert|warn|ping|nudge) me`,
    '(?: (?:please|of it|about it|about that))*(?: LENGTH)? (?:before(?:hand)?|ahead|in advance|earlier)',
    '(?: that| it)?$',
  ].join(''),
].map((form) => pattern('iu', form.replace('LENGTH', LENGTH)));
/** What stands in front of the name of an event, and is not a part of it. */
const HAVING = pattern(
  'iu',
  '^(?:(?:ich habe|ich hab|wir haben|habe ich|hab ich|haben wir|es ist|es gibt|da ist|ist|findet|steht|kommt|i have',
  "|i've got|we have|there is|there's|is) )+",
);
const MUST = /^(?:ich muss|wir müssen|muss ich|müssen wir|i have to|i need to|we have to) /iu;

/** A reminder some time before an event that the same sentence tells of. */
export const leadTime: Skill = {
  name: 'lead time',
  command: true,
  examples: { en: [], de: [] },
  recognize: (request) => {
    const { event, length, eve, clock } =
      FORMS.map((form) => form.exec(request.plain)?.groups).find((found) => found) ?? {};
    const when = event === undefined ? undefined : findTime(event, request);
    if (event === undefined || !when || when.kind === 'repeats') return undefined;
    if (when.kind === 'unclear') return whenIsIt(event, when, request);
    const task = clean(clean(when.rest).replace(HAVING, '').replace(MUST, ''));
    if (task === '') return undefined;
    const { in: either } = request;
    const again = (answer: string) =>
      `${event}, ${either('remind me', 'erinnere mich')} ${answer} ${either('before', 'vorher')}`;
    const amount = length ?? (eve && '1 tag');
    if (amount === undefined)
      return ask(
        either(
          `How long before "${task}" should I remind you?`,
          `Wie lange vorher soll ich dich an „${task}“ erinnern?`,
        ),
        (answer) => again(answer.replace(/ (?:vorher|davor|before(?:hand)?)[.!]*$/iu, '')),
      );
    const at = before(when.at, amount, request);
    if (at === undefined) return undefined;
    if (clock !== undefined) return atClock(at, { clock, eve }, { task, request });
    return when.kind === 'day' || eve ? onThatDay(at, task, request) : remindAt(at, task, request);
  },
};

/** The rest of the sentence is kept for the answer. */
function whenIsIt(event: string, { between, why }: FoundTime & { kind: 'unclear' }, request: UserRequest): Intent {
  const { in: either, saying, timeZone } = request;
  const said = between.map((each) => dayOf(each, { saying, timeZone })).join(either(' or ', ' oder '));
  return ask(`${either('When is that?', 'Wann ist das?')} ${said === '' ? why : `${said}?`}`, (answer) =>
    request.plain.replace(
      event,
      () => withChoice(event, withMinutes(answer, between), request) ?? `${withoutTime(event)} ${answer}`,
    ),
  );
}

/** The day is `at`'s, the hour is said: "am Abend vorher um acht" is 20:00. */
function atClock(
  at: Date,
  { clock, eve = '' }: { clock: string; eve: string | undefined },
  { task, request }: { task: string; request: UserRequest },
): Intent {
  const date = localDate(at, request.timeZone);
  const ways = [...(/abend/iu.test(eve) ? [`${date} abends um ${clock}`] : []), `${date} um ${clock}`];
  const found = ways.map((way) => findTime(way, request)).find((each) => each?.kind === 'once' && each.rest === '');
  const exact = found?.kind === 'once' ? remindAt(found.at, task, request) : undefined;
  return exact ?? onThatDay(at, task, request);
}

function remindAt(at: Date, task: string, request: UserRequest): Intent | undefined {
  if (at.getTime() < request.now.getTime()) return tooLate(at, task, request);
  return scheduled({ when: at.toISOString(), task, isTask: false }, request);
}

function tooLate(at: Date, task: string, request: UserRequest): Intent {
  const { saying, in: either } = request;
  return ask(
    either(
      `That would have been ${saying.nearAndTime(at)}. When should I remind you of "${task}"?`,
      `Das wäre schon ${saying.nearAndTime(at)} gewesen. Wann soll ich dich an „${task}“ erinnern?`,
    ),
    (answer) => either(`remind me ${answer} of ${task}`, `erinnere mich ${answer} an ${task}`),
  );
}

/** The day is known by now, the hour is not. */
function onThatDay(at: Date, task: string, request: UserRequest): Intent {
  const { saying, timeZone, in: either } = request;
  const date = localDate(at, timeZone);
  return ask(
    either(
      `At what time ${saying.near(at)} should I remind you of "${task}"?`,
      `Um wie viel Uhr ${saying.near(at)} soll ich dich an „${task}“ erinnern?`,
    ),
    (answer) => {
      const time = /^\d{1,2}$/u.test(answer) ? `${either('at', 'um')} ${answer}` : answer;
      return either(`remind me on ${date} ${time} of ${task}`, `erinnere mich am ${date} ${time} an ${task}`);
    },
  );
}

const PARTS: readonly (readonly [RegExp, number])[] = [
  [/\b(?:dreiviertel)/iu, 0.75],
  [/\b(?:viertel|quarter)/iu, 0.25],
  [/\b(?:anderthalb|eineinhalb)/iu, 1.5],
  [/\b(?:halbe|half)/iu, 0.5],
  [/^(?:an?|eine?n?|one)\b/iu, 1],
];
const MINUTES: Readonly<Record<string, number>> = { m: 1, s: 60, h: 60 };

/** Days and weeks keep the time of day. Undefined where the amount is no number. */
function before(at: Date, length: string, { timeZone }: UserRequest): Date | undefined {
  const part = PARTS.find(([words]) => words.test(length))?.[1];
  const amount = part ?? Number.parseFloat(wordsToDigits(length).replace(',', '.'));
  if (Number.isNaN(amount)) return undefined;
  const [unit = ''] = /(?:minut|stund|hour|tag|day|woche|week)/iu.exec(length) ?? [];
  if (/^(?:tag|day|woche|week)$/iu.test(unit)) {
    if (!Number.isInteger(amount)) return undefined;
    return addToDate(at, -amount, { unit: /^w/iu.test(unit) ? 'week' : 'day', timeZone });
  }
  return new Date(at.getTime() - amount * (MINUTES[unit.charAt(0).toLowerCase()] ?? Number.NaN) * 60_000);
}
