const LETTER = /[\p{L}\p{N}\p{M}_]/u;

/** Where the word before the cursor starts. */
export function previousWord(text: string, cursor: number): number {
  let at = cursor;
  while (at > 0 && !LETTER.test(charBefore(text, at))) at -= charBefore(text, at).length;
  while (at > 0 && LETTER.test(charBefore(text, at))) at -= charBefore(text, at).length;
  return at;
}

/** Where the word at or behind the cursor ends. */
export function nextWord(text: string, cursor: number): number {
  let at = cursor;
  while (at < text.length && !LETTER.test(charAt(text, at))) at += charAt(text, at).length;
  while (at < text.length && LETTER.test(charAt(text, at))) at += charAt(text, at).length;
  return at;
}

function charAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

/** Two code units for a surrogate pair. */
function charBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return text.slice(low >= 0xdc00 && low <= 0xdfff && at > 1 ? at - 2 : at - 1, at);
}
