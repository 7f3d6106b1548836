import { randomBytes } from 'node:crypto';

/** Crockford's base 32: without i, l, o and u, so nothing is misread. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A new identifier: `prefix_` and 16 characters, of which 9 are the time in ms and 7 are random (35 bits).
 *
 * Ids with the same prefix sort by creation time.
 */
export function newId(prefix: string, now: Date = new Date()): string {
  let time = '';
  for (let rest = now.getTime(); time.length < 9; rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time;
  const random = [...randomBytes(7)].map((byte) => ALPHABET[byte % 32]).join('');
  return `${prefix}_${time}${random}`;
}

const ID = /^[a-z]+_[0-9a-hjkmnp-tv-z]{16}$/u;

/** Whether a text is an identifier as `newId` makes them. */
export function isId(text: string): boolean {
  return ID.test(text);
}
