/** Control, bidirectional, zero-width, private-use, variation and tag characters. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0]|[\uFE00-\uFE0F]|[\u{E0000}-\u{E0FFF}]/gu;

/**
 * Write every character that could hide or reorder others as `<U+202E>`, so that a person approves what is really
 * there. Line breaks and tabs stay.
 *
 * @see https://trojansource.codes
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => (char === '\n' || char === '\t' ? char : `<U+${codeOf(char)}>`));
}

/** The same on one line: line breaks and tabs are escaped too, so nothing can pass for a line of our own. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
}

/** Words that mix Latin letters with Cyrillic or Greek ones that look the same: `pаypal` with a Cyrillic а. */
export function lookAlikes(text: string): string[] {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word));
}

function codeOf(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
