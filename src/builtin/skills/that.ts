import { pattern } from '../../base/pattern.ts';
import { daysBetween, localDate } from '../../when/calendar.ts';
import { findDate } from '../../when/find.ts';
import { month } from '../../words/months.ts';
import { ask, type Intent, type NeedsUnits, type Skill, say, type UserRequest } from '../request.ts';
import { arithmetic } from './arithmetic.ts';
import { count, sayAgo } from './date-counts.ts';
import { money } from './money.ts';
import { GERMAN_DAY, germanTurn } from './that-german.ts';
import { units } from './units.ts';

/** "Split that 4 ways", "and 20% of that", "that plus 12": one figure is meant by the word. */
const WITH_THAT = pattern(
  'iu',
  "^(?:and |so |now |then |ok |but )*(?:(?:what(?:'s| is| would)|how much (?:is|would)|calculate) )?(?:",
  String.raw`(?:split|divide|share|halve|double|multiply|increase|reduce|convert|round) (?:that|it)\b.*`,
  String.raw`|(?:\d[\d.,]* ?(?:%|percent|per cent)|half|a (?:third|quarter)|twice|double|\d+ times`,
  String.raw`|add \d[\d.,]* ?(?:%|percent)?)`,
  ' (?:of |to |off |on )?(?:that|it)(?: be)?',
  '|(?:that|it) (?:plus|minus|times|divided|split|multiplied|in|with|by) .*',
  String.raw`|(?:plus|minus|times|divided by|multiplied by) (?:the |a |another )?[$€£]?\d[\d.,]*(?: ?(?:%|percent))?`,
  String.raw`(?: [^\d]{1,40})?)$`,
);
/** "In miles?" after a conversion. */
const IN_UNIT = /^(?:and |or )?(?:what about |how about )?in (?<unit>\p{L}[\p{L} ]{0,24})$/iu;
/** What a sum or a conversion of ours came to, with its unit. */
const CAME_TO = pattern(
  'u',
  String.raw`^[^\n]{0,120} = (?<result>-?[\d.,]*\d(?: [\p{L}°]{1,20})?)(?: \(US\).*)?$`,
  String.raw`|;\s(?<all>[€$£]?[\d.,]*\d) in all\.$|^(?<first>[€$£]?-?[\d.,]*\d)(?: (?:each|less|more`,
  String.raw`|pro \p{L}{3,6}\b|für jeden|(?:€|[Ee]uros?|EUR)(?= \(|,|\.))|\.| \()[^\n]{0,200}$`,
);
const DAY_OF_THAT = pattern(
  'iu',
  '^(?:and |so )?(?:how (?:many (?<unit>days|weeks|months)|long|far(?: away| off)?) (?:is (?:that|it)',
  // "Then" is left out before, as a word of politeness.
  '|until(?: (?:then|that))?)',
  '(?: (?:from (?:now|today)|away|off))?|(?:what|which) (?:day(?: of the week)?|weekday) (?:is|was) (?:that',
  '|it)(?: on)?)$',
);
const MONTH = month('en', 'de');
/** As our answers and documents write them. */
const DATES = pattern(
  'giu',
  String.raw`\b\d{1,2}\.? ${MONTH} \d{4}\b|\b${MONTH} \d{1,2},? \d{4}\b|\b\d{4}-\d\d-\d\d\b`,
);

/** What goes on from our last answer: with its figure, or its date. */
export const that: Skill = {
  name: 'that',
  examples: { en: [], de: [] },
  recognize: (request) => {
    const last = request.earlier.at(-1);
    if (last?.by !== 'assistant' || request.plain.length > 80) return undefined;
    return withDate(last.text, request) ?? withFigure(last.text, request);
  },
};

function withFigure(answer: string, request: UserRequest): Intent | NeedsUnits | undefined {
  const { result, all, first } = CAME_TO.exec(answer)?.groups ?? {};
  const figure = result ?? all ?? first;
  const german = request.language === 'de' ? germanTurn(request.plain, figure, answer) : undefined;
  if (german !== undefined) return reckoned(german, request);
  const plain = request.plain.replace(/^(?:and|so|now|then|ok|but) /iu, '');
  const { unit } = IN_UNIT.exec(plain)?.groups ?? {};
  if (figure === undefined || (unit === undefined && !WITH_THAT.test(plain))) return undefined;
  const number = figure.replace(/(?<=\d) .*$/u, '');
  const text =
    unit === undefined
      ? /^(?:plus|minus|times|divided|multiplied)/iu.test(plain)
        ? `${number} ${onlyFigures(plain)}`
        : plain
            .replace(/^halve\b/iu, 'half of')
            .replace(/^double (?=that|it)/iu, '2 times ')
            .replace(/\b(?:that|it)\b/iu, number)
      : `${figure} in ${unit}`;
  return reckoned(text, request);
}

function reckoned(text: string, request: UserRequest): Intent | NeedsUnits | undefined {
  const again = { ...request, text, plain: text };
  return money.recognize(again) ?? units.recognize(again) ?? arithmetic.recognize(again);
}

/** "Minus the 1000 deposit" without what the figure is called. */
function onlyFigures(plain: string): string {
  return plain
    .replace(/ (?:the|a|another) (?=[$€£]?\d)/iu, ' ')
    .replace(/(?<=\d ?(?:%|percent)?) (?!%|percent)[^\d]+$/iu, '');
}

/** The one date in the answer, or the only one of them that is still to come. */
function withDate(answer: string, request: UserRequest): Intent | undefined {
  const german = request.language === 'de' ? GERMAN_DAY(request.plain) : undefined;
  const asked = DAY_OF_THAT.exec(request.plain)?.groups ?? german;
  if (!asked) return undefined;
  const { now, timeZone, saying, in: either } = request;
  const days = [...answer.matchAll(DATES)].flatMap(([date]) => findDate(date, request)?.at ?? []);
  const known = [...new Map(days.map((at) => [localDate(at, timeZone), at])).values()];
  const coming = known.filter((at) => daysBetween(now, at, timeZone) >= 0);
  const [at, ...others] = coming.length === 1 ? coming : known;
  if (!at) return undefined;
  const named = known.map((each) => saying.day(each));
  const isWeekday = german?.weekday !== undefined || /\b(?:day of|weekday|(?:what|which) day)/iu.test(request.plain);
  const { unit = either('days', 'Tage') } = asked;
  if (others.length > 0)
    return ask(either(`Which date: ${named.join(' or ')}?`, `Welcher Tag: ${named.join(' oder ')}?`), (day) =>
      isWeekday
        ? either(`what day is ${day}`, `welcher Wochentag ist ${day}`)
        : either(`how many ${unit} until ${day}`, `wie viele ${unit} sind es bis ${day}`),
    );
  if (isWeekday) return say(either(`That is ${saying.day(at)}.`, `Das ist ${saying.day(at)}.`));
  const ago = sayAgo(at, asked.unit, request);
  if (ago !== undefined) return say(ago);
  const amount = count(now, at, asked.unit, request);
  return say(either(`It is ${amount} until ${saying.day(at)}.`, `Bis ${saying.day(at)}: ${amount}.`));
}
