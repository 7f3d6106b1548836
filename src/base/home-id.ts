/** Letters, digits, `_`, `-`, `.` and `@`: names that are safe in settings, file names and logs. */
const ALLOWED = /^[\p{L}\p{N}][\p{L}\p{N}_.@-]{0,63}$/u;
/** File names are made from it, and file systems limit them in bytes. */
const MOST_BYTES = 200;

/** What to use instead, for hints. */
export const HOME_ID_FORM = 'up to 64 letters, digits, "-", "_", "." or "@", beginning with a letter or digit';

/**
 * Whether a home may have this name. Compatibility and decomposed forms of letters (full width, ligatures, combining
 * marks) are not allowed, since some file systems treat them as the same name.
 */
export function isHomeId(id: string): boolean {
  return ALLOWED.test(id) && id === id.normalize('NFKC') && Buffer.byteLength(id) <= MOST_BYTES;
}

/** The same, and also refuses names that a case-insensitive file system could confuse. */
export function folded(id: string): string {
  return id.toLowerCase().normalize('NFKC');
}
