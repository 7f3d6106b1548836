import type { Spoken } from '../when/find.ts';

/** `{who:name}` is of the type `name`, `{days}` of its own. */
export function typeOf(slot: string): string {
  return slot.slice(slot.lastIndexOf(':') + 1);
}

export function nameOf(slot: string): string {
  return slot.split(':')[0] ?? slot;
}

/** What fills a gap `{name:TYPE}`, or `{TYPE}`, where it is more than words. */
export interface SlotType {
  /** No more tokens than these are tried. */
  readonly most?: number;
  /** Any words of this form may fill it; what they mean is read when all is known. */
  readonly any?: RegExp;
  /** It takes nearly any words: it explains no more than a gap without a type. */
  readonly isOpen?: true;
  /** The value of the words, or undefined where they are none of this type. */
  read(words: string, spoken: Spoken): unknown;
}

/** Read once, however many types of gaps and patterns a sentence is compared with. */
export function readOnce<Read>(read: (words: string, spoken: Spoken) => Read): typeof read {
  const known = new WeakMap<Spoken, Map<string, Read>>();
  return (words, spoken) => {
    const own = known.get(spoken) ?? new Map<string, Read>();
    known.set(spoken, own);
    if (!own.has(words)) own.set(words, read(words, spoken));
    return own.get(words) as Read;
  };
}
