/** Control, direction-changing, zero-width and tag characters; a line break and a tab are ordinary. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0]|[\uFE00-\uFE0F]|[\u{E0000}-\u{E0FFF}]/gu;

/** The same text with every character that could hide or reorder others written as `<U+202E>`. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => (char === '\n' || char === '\t' ? char : `<U+${codeOf(char)}>`));
}

/** One line: line breaks and tabs are written out as well, so nothing can pass for a line of ours. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t'));
}

/** Letters that look like Latin ones but are not, when a text mixes both: `pаypal` with a Cyrillic а. */
export function lookAlikes(text: string): string[] {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.filter((word) => /\p{Script=Latin}/u.test(word) && /[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(word));
}

function codeOf(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
