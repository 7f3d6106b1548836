import { wordsToDigits } from '../words/numbers.ts';
import { aheadIn, leadIn } from './ahead.ts';
import { AMOUNT_SLOTS } from './amount-slots.ts';
import { ordinalOf } from './choice.ts';
import { DATE_SLOTS } from './date-slots.ts';
import { mainClause } from './main-clause.ts';
import { type SlotType, typeOf } from './slot-type.ts';
import { spanIn } from './span.ts';
import { taskIn } from './task.ts';
import { listOf, thingsIn, titleOf } from './things.ts';

/** Words that have this form, as they stand. */
function written(form: RegExp, most?: number): SlotType {
  return { ...(most !== undefined && { most }), read: (words) => (form.test(words) ? words : undefined) };
}

/** It takes nearly any words: none of them is explained by it. */
function open(type: SlotType): SlotType {
  return { ...type, isOpen: true };
}

function numberOf(words: string): number | undefined {
  const number = Number(wordsToDigits(words).replace(',', '.'));
  return Number.isFinite(number) ? number : undefined;
}

/** An hour of the day: what is meant by it depends on what it is the time of. */
function hourOf(words: string): number | undefined {
  const hour = numberOf(words);
  return hour !== undefined && Number.isInteger(hour) && hour >= 0 && hour <= 24 ? hour : undefined;
}

/** So many things as they were said; what splits them is known with their list. */
function things(least: number, most = Number.POSITIVE_INFINITY, form = /^[^:,]/u): SlotType {
  return open({
    read: (words) => {
      const { length } = form.test(words) ? thingsIn(words) : [];
      return length >= least && length <= most ? words : undefined;
    },
  });
}

const URL_IN = /^["'<(]?(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])["'>).,;:!?]*$/iu;
/** Without the marks around it. */
const ADDRESS: SlotType = { most: 4, read: (words) => URL_IN.exec(words)?.[1] };
/** A whole text in quotation marks. */
const QUOTATION = /^["'“„‘](.+)["'”“’]$/su;
const FILE = /^["'“„]?((?!https?:)[^\s"”“]+\.\p{L}\p{N}{0,3}\p{L}{0,2})["'”“]?$/u;

/** By the name of the type; `name`, and `days` and `when`, which the sentence as a whole decides, are in `view.ts`. */
export const SLOT_TYPES = eachOnce(AMOUNT_SLOTS, DATE_SLOTS, {
  number: { most: 1, read: numberOf },
  hour: { most: 1, read: hourOf },
  /** "The second": its place, the last being -1. */
  ordinal: { most: 1, read: ordinalOf },
  /** "Friseurtermin": a German word that says by its end that it is a reminder. */
  appointment: written(/(?:\p{L}|-)(?:termin|erinnerung|wecker|timer)$/iu, 3),
  span: { most: 6, read: spanIn },
  lead: { most: 6, read: leadIn },
  ahead: { most: 9, read: aheadIn },
  task: open({ any: /\p{L}/u, read: taskIn }),
  url: ADDRESS,
  change: written(/^eff_\w+$/u),
  phone: written(/^\+?[\d\s()/-]{3,}$/u),
  word: open(written(/^(?!(?:an?|the|me|eine?|mir|der|die|das)$)\p{L}[\p{L}-]*$/iu, 1)),
  /** "Anna's", of what is hers. */
  owner: written(/^(?!what|that|it|who|let)\p{L}[\p{L} -]*(?:['’]s|s['’])$/iu, 4),
  /** By a name or a pronoun. */
  person: open(written(/^\p{L}[\p{L}’' -]*$/u, 4)),
  /** What something is about, without what is said of it. */
  topic: open(written(/^[^:;?!]+$/u, 6)),
  /** What is dictated behind a colon. */
  dictated: open({ read: (words) => /^:\s*(\S.*)$/su.exec(words)?.[1] }),
  /** What somebody says of themselves. */
  own: open(written(/^(?:i|we|my|our|ich|wir|mein\p{L}*|unser\p{L}*)(?:['’]\p{L}+)? .+$/isu)),
  /** What stands behind a German "dass", as a sentence of its own. */
  clause: open({ read: mainClause }),
  ownclause: open({ read: (words) => (/^(?:ich|wir|mein|unser)/iu.test(words) ? mainClause(words) : undefined) }),
  list: { most: 5, read: listOf },
  newlist: open({ most: 5, read: (words) => (words.startsWith(':') ? undefined : titleOf(words)) }),
  newlisted: open({ most: 5, read: (words) => (words.startsWith(':') ? titleOf(words) : undefined) }),
  onething: { most: 6, ...things(1, 1) },
  things: things(1),
  /** Of which is spoken as known: what somebody says of "a car" is about none that is on a list. */
  known: things(1, undefined, /^(?!(?:an?|another|eine?n?|noch eine?n?) )[^:,]/iu),
  several: things(2),
  /** Each of few words: what else stands in front of the name of a list may be a sentence. */
  goods: open({
    read: (words, spoken) =>
      thingsIn(words).every((thing) => thing.split(' ').length <= 2) ? things(1).read(words, spoken) : undefined,
  }),
  /** Behind the name of a list: ": milk, eggs". */
  listed: things(1, undefined, /^[:,]/u),
  /** "Painted the fence": what one did, with what it was done to. */
  deed: open(written(/^\p{L}+ed (?:the|my|our) .+$/iu, 8)),
  /** Word for word, in the marks that it stands in. */
  quotation: { read: (words) => QUOTATION.exec(words)?.[1] },
  /** Without quotation marks around it. */
  file: { read: (words) => FILE.exec(words)?.[1] },
});

/**
 * Whether the words of a gap are all explained by its type, as those of an amount or a day. @param slot as `who:name`.
 */
export function isExact(slot: string): boolean {
  const type = typeOf(slot);
  return type === 'days' || type === 'when' || isTyped(SLOT_TYPES[type]);
}

function isTyped(type: SlotType | undefined): boolean {
  return type !== undefined && type.isOpen !== true;
}

type SlotTypes = Readonly<Partial<Record<string, SlotType>>>;

/** @throws where two types have one name: the one would be read as the other, wherever an example has it. */
export function eachOnce(...tables: readonly SlotTypes[]): SlotTypes {
  const all = tables.flatMap((table) => Object.entries(table));
  const twice = all.find(([name], at) => all.findIndex(([other]) => other === name) !== at);
  if (twice) throw new Error(`Two types of gaps are called ${twice[0]}.`);
  return Object.fromEntries(all);
}
