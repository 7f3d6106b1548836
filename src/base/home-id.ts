/** Letters, digits, `_`, `-`, `.` and `@`: names that are safe in settings, file names and logs. */
const ALLOWED = /^[\p{L}\p{N}][\p{L}\p{N}_.@-]{0,63}$/u;
/** File systems count bytes, and names of files are made from it. */
const MOST_BYTES = 200;

/** What to use instead, for hints. */
export const HOME_ID_FORM = 'up to 64 letters, digits, "-", "_", "." or "@", beginning with a letter or digit';

/**
 * Whether a home may have this name. Forms of letters that look like others (full width, ligatures, letters put
 * together from several signs) are not allowed, since some file systems take them for the same name.
 */
export function isHomeId(id: string): boolean {
  return ALLOWED.test(id) && id === id.normalize('NFKC') && Buffer.byteLength(id) <= MOST_BYTES;
}

/** The same for names that a file system without upper and lower case could confuse. */
export function folded(id: string): string {
  return id.toLowerCase().normalize('NFKC');
}
