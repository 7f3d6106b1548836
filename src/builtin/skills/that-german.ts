import { pattern } from '../../base/pattern.ts';
import { phrases } from '../phrases.ts';

/** Nothing that carries a meaning of its own: "und was ist dann ...". */
const LEAD = pattern(
  'iu',
  '^(?:(?:und|dann|jetzt|nun|aber|ok|okay|also|bitte|noch|was|wie ?viel|ist|sind|macht|wäre|wären|rechne',
  '|nimm|gib mir)\\b[\\s,]+)*',
);
const SHARE = String.raw`(?:\d[\d.,]* ?(?:%|prozent)|die hälfte|ein (?:drittel|viertel)|das doppelte|\d[\d.,]* mal)`;
/** "Davon 20 %", "die Hälfte davon". */
const OF_THAT = new RegExp(`^(?:davon (?<behind>${SHARE})|(?<before>${SHARE}) davon)$`, 'iu');
/** "Das mal 3", "geteilt durch 4", "teil das durch vier". */
const RECKONED = pattern(
  'iu',
  `^(?:(?:teil|rechne|nimm)e? (?:das|es) |(?:das|es) (?:ganze )?)?(?<sum>(?:mal|plus|minus|durch|geteilt durch`,
  String.raw`|multipliziert mit|dividiert durch|auf) (?:\d|\p{L}{3,12}\b).{0,40})$`,
);
/** "Davon 150 Euro Anzahlung abziehen", "dazu noch 12,50 Versand". */
const CHANGED = pattern(
  'iu',
  String.raw`^(?:davon (?:gehen |geht )?|zieh davon |zieh )(?:noch )?(?<less>\d[\d.,]*)(?: ?(?:€|euro))?`,
  String.raw`(?: \p{L}{2,24})? (?:ab|abziehen|weg|runter)$`,
  String.raw`|^(?:dazu |plus )(?:noch )?(?<more>\d[\d.,]*)(?: ?(?:€|euro))?(?: (?:für )?\p{L}{2,24})?`,
  '(?: drauf| dazu)?$',
);
const DOUBLED = /^(?:das doppelte|verdopp[e]?le? (?:das|es)|das (?:mal zwei|verdoppelt))$/iu;
const HALVED = /^(?:die hälfte|halbiere? (?:das|es)|das halbiert)$/iu;
const IN_UNIT = /^(?:(?:das|es) )?in (?<unit>\p{L}[\p{L} ]{0,24})$/iu;
const LEFT = phrases({
  en: [],
  de: [
    '[und] (was|wie[ ]viel) (bleibt|ist) [mir|uns] [dann] [noch] [davon] [übrig]',
    '[und] wie[ ]viel (habe|haben) (ich|wir) [dann] [noch] [übrig]',
  ],
});
const PART_OF = /^\d[\d.,]* ?(?:%|prozent) (?:von|vom) (?<whole>\d[\d.,]*).{0,20} = (?<part>\d[\d.,]*)$/iu;
const PERIOD = phrases({
  en: [],
  de: [
    `[und] [was|wie[ ]viel] [ist|sind|macht|kostet] [das|es] [dann] (im|pro|in der|am|aufs|auf das)
      {to:jahr|monat|woche|tag} [gerechnet]`,
  ],
});
/** The period that an answer names with its only amount. */
const NAMED = [
  ['monat', /\b(?:monatlich\p{L}*|(?:pro|im|je) monat)\b/iu],
  ['jahr', /\b(?:jährlich\p{L}*|jahres\p{L}+|(?:pro|im|je) jahr)\b/iu],
  ['woche', /\b(?:wöchentlich\p{L}*|(?:pro|in der|je) woche)\b/iu],
] as const;
const AMOUNT = /(?<![\d.,])\d[\d.,]{0,14}\d ?(?:€|EUR\b|Euro\b)/gu;

/**
 * What goes on from our last answer in German, as a request of its own; undefined where it does not.
 *
 * @param figure what the answer came to, with its unit.
 */
export function germanTurn(said: string, figure: string | undefined, answer: string): string | undefined {
  const whole = PART_OF.exec(answer)?.groups;
  if (whole && LEFT(said)) return `${whole.whole} minus ${whole.part}`;
  const to = PERIOD(said)?.to;
  if (to !== undefined) return inPeriod(answer, to);
  const plain = said.replace(LEAD, '');
  const number = figure?.replace(/(?<=\d) .*$/u, '');
  if (figure === undefined || number === undefined) return undefined;
  const { behind, before } = OF_THAT.exec(plain)?.groups ?? {};
  const share = behind ?? before;
  if (share !== undefined) return `${share}${/ mal$/iu.test(share) ? '' : ' von'} ${number}`;
  if (DOUBLED.test(plain)) return `das doppelte von ${number}`;
  if (HALVED.test(plain)) return `die hälfte von ${number}`;
  const { less, more } = CHANGED.exec(plain)?.groups ?? {};
  if (less ?? more) return `${number} ${less === undefined ? 'plus' : 'minus'} ${less ?? more}`;
  const { sum } = RECKONED.exec(plain)?.groups ?? {};
  if (sum !== undefined) return `${number} ${sum}`;
  const { unit } = IN_UNIT.exec(plain)?.groups ?? {};
  return unit === undefined ? undefined : `${figure} in ${unit}`;
}

/** "Und im Jahr?" after what something costs a month. */
function inPeriod(answer: string, to: string): string | undefined {
  const [amount, ...others] = new Set(answer.match(AMOUNT) ?? []);
  const from = NAMED.filter(([, named]) => named.test(answer));
  const [period] = from[0] ?? [];
  if (amount === undefined || others.length > 0 || from.length !== 1 || period === to.toLowerCase()) return undefined;
  return `${amount} pro ${period}, wie viel ist das pro ${to}`;
}

/** "Wie viele Tage sind das noch?", "welcher Wochentag ist das?". */
export const GERMAN_DAY = phrases({
  en: [],
  de: [
    '[und] wie[ ]viele {unit:tage|wochen|monate|jahre} (sind|ist) (das|es) [noch] [bis dahin|hin]',
    '[und] wie (lange|lang|weit) (ist|sind|dauert|dauerts) [das|es] [noch] [bis dahin|hin|weg]',
    '[und] wie[ ]viele {unit:tage|wochen|monate} [sind es|noch] [noch] bis dahin',
    '[und] {weekday:(?:welcher|was für ein)} (tag|wochentag) (ist|war|wäre) das',
    '[und] an {weekday:welchem} (tag|wochentag) (ist|war|wäre) das',
    '[und] auf {weekday:welchen} (tag|wochentag) fällt das',
    '[und] was ist das für {weekday:ein} (tag|wochentag)',
  ],
});
