import type { Spoken } from '../when/find.ts';
import { wordsToDigits } from '../words/numbers.ts';
import { AMOUNT_SLOTS } from './amount-slots.ts';
import { DATE_SLOTS } from './date-slots.ts';
import { spanIn } from './span.ts';
import { taskIn } from './task.ts';

/** What fills a gap `{name:TYPE}`, or `{TYPE}`, where it is more than words. */
export interface SlotType {
  /** No more tokens than these are tried. */
  readonly most?: number;
  /** Any words may fill it; what they mean is read when all is known. */
  readonly any?: true;
  /** It takes any words but some: it explains no more than a gap without a type. */
  readonly isWords?: true;
  /** The value of the words, or undefined where they are none of this type. */
  read(words: string, spoken: Spoken): unknown;
}

/** Words that have this form, as they stand. */
function written(form: RegExp, most?: number): SlotType {
  return { ...(most !== undefined && { most }), read: (words) => (form.test(words) ? words : undefined) };
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

/** By the name of the type; `days` and `when`, which the sentence as a whole decides, are in `understand`. */
export const SLOT_TYPES: Readonly<Partial<Record<string, SlotType>>> = {
  ...AMOUNT_SLOTS,
  ...DATE_SLOTS,
  number: { most: 1, read: numberOf },
  hour: { most: 1, read: hourOf },
  /** "Friseurtermin": a German word that says by its end that it is a reminder. */
  appointment: written(/(?:\p{L}|-)(?:termin|erinnerung|wecker|timer)$/iu, 3),
  span: { most: 6, read: spanIn },
  task: { any: true, read: taskIn },
  url: written(/^<?https?:\/\/\S+$/iu),
  change: written(/^eff_\w+$/u),
  phone: written(/^\+?[\d\s()/-]{3,}$/u),
  file: written(/^["'“„]?[^\s"]+\.\p{L}\p{N}{0,3}\p{L}{0,2}["'”“]?$/u),
};

/** Whether a gap takes words of a form only. */
export function isTyped(slot: string): boolean {
  const type = SLOT_TYPES[slot.split(':').at(-1) ?? ''];
  return type !== undefined && !type.any && !type.isWords;
}
