import { randomInt } from 'node:crypto';
import { sha256 } from './json.ts';

/** Without letters and digits that are misread. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const CODE_CHARS = 8;
const PAIR_MS = 10 * 60_000;
/** Wrong codes, from whoever they come, before every open one is closed. */
const TRIES = 5;

/** A code that lets somebody in once, within ten minutes, and what is kept of it. */
export function newPairing(now: Date) {
  const code = Array.from({ length: CODE_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const expiresAt = new Date(now.getTime() + PAIR_MS).toISOString();
  const row = { code_hash: pairingHash(code), tries_left: TRIES, expires_at: expiresAt, used_at: null };
  return { code, expiresAt, row };
}

/** By which a code is found, however it was typed. */
export function pairingHash(given: string): string {
  return sha256(given.toUpperCase().replace(/[^A-Z0-9]/gu, ''));
}
