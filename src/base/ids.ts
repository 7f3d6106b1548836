import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A new identifier `prefix_` + 16 characters (Crockford base 32): 9 of time in ms, 7 random.
 * Sorts by creation time within a prefix.
 */
export function newId(prefix: string, now: Date = new Date()): string {
  let time = '';
  for (let rest = now.getTime(); time.length < 9; rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time;
  const random = [...randomBytes(7)].map((byte) => ALPHABET[byte % 32]).join('');
  return `${prefix}_${time}${random}`;
}
