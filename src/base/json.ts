import { hash } from 'node:crypto';

/**
 * JSON with sorted object keys, so that equal values give equal text: for hashes and keys. Fields that are `undefined`
 * are left out, as in `JSON.stringify`; `undefined` itself gives `null`.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isRecord(inner) ? sortKeys(inner) : inner)) ?? 'null';
}

/** The value of a JSON text; undefined if it is not JSON, which is unambiguous because JSON has no `undefined`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The deepest nesting accepted: recursive code, ours and that of libraries, has enough stack for it. */
export const MAX_JSON_DEPTH = 100;

/** Whether a value has more levels of lists and objects than that. Cycles count as endless. */
export function isDeeperThan(value: unknown, levels: number = MAX_JSON_DEPTH): boolean {
  let level = new Set([value].filter(isNested));
  for (let depth = 0; level.size > 0; depth++) {
    if (depth >= levels) return true;
    level = new Set([...level].flatMap((each) => Object.values(each)).filter(isNested));
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** SHA-256 in lower-case hex. */
export function sha256(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex');
}

/** A JSON object, as opposed to a list, null or a plain value. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sortKeys(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
