import { domainToASCII } from 'node:url';
import { pattern } from './pattern.ts';

/** Control, bidirectional, zero-width, private-use, variation and tag characters, and lone surrogates. */
const HIDDEN = pattern(
  'gu',
  String.raw`[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164`,
  String.raw`\uFE00-\uFE0F\uFFA0\u{E0000}-\u{E0FFF}]`,
);
/** Blanks other than the ordinary space. */
const ODD_BLANK = /(?! )\p{Zs}/gu;
/** Marks that pile up on one letter until they cover the lines around it. */
const PILED_MARK = /(?<=\p{M}{4})\p{M}/gu;
const MANY_BLANKS = / {8,}/gu;
const LATIN = /\p{Script=Latin}/u;
const LIKE_LATIN = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;

/**
 * Write every character that could hide or reorder others in the form `<U+202E>`, so that a person approves what is
 * really there. Line breaks and tabs stay.
 *
 * @see https://trojansource.codes
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => (char === '\n' || char === '\t' ? char : written(char)));
}

/**
 * The same on one line: line breaks and tabs are escaped too, so nothing can pass for a line of our own; unusual or
 * repeated blanks and stacked marks are spelled out, so nothing can be pushed out of sight.
 */
export function visibleLine(text: string): string {
  return visible(text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t'))
    .replace(ODD_BLANK, written)
    .replace(PILED_MARK, written)
    .replace(MANY_BLANKS, (blanks) => ` <${blanks.length} blanks> `);
}

/** Words that mix Latin letters with ones of another alphabet that look the same: `pаypal` with a Cyrillic а. */
export function lookAlikes(text: string): string[] {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => LATIN.test(word) && LIKE_LATIN.test(word));
}

/** A word in the form used by name servers, which reveals look-alike letters: `pаypal` is `xn--pypal-4ve`. */
export function punycode(word: string): string {
  return domainToASCII(word);
}

function written(char: string): string {
  return `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}
