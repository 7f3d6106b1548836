/** Each part ends at the next mark of its kind, so no text is read twice. A name in single quotes is written large. */
const QUOTED = /"[^"]*"|[„“][^„“”]*[“”]|«[^«»]*»|(?<!\S)'(?=[\p{Lu}\d])[^']*'(?!\p{L})/gu;

/** Quoted words are what something is called: letters of no meaning in their place, so that no other word moves. */
export function withoutQuotes(text: string): string {
  return text.replace(QUOTED, (quoted) => quoted.replace(/[\p{L}\p{N}]/gu, 'x'));
}
