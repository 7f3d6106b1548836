import { MAX_JSON_DEPTH } from '../../base/json.ts';

/** Objects and lists that one message may contain: this many are parsed in a few hundredths of a second. */
const MAX_PARTS = 100_000;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [LIST, RECORD] = [0x5b, 0x7b];
const [LIST_END, RECORD_END] = [0x5d, 0x7d];

/** Why a JSON text must not be parsed here: it is nested too deeply, or has too many parts. Undefined: it may. */
export function tooHeavy(json: Uint8Array): string | undefined {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfText(json, at);
    else if (byte === LIST || byte === RECORD) {
      parts += 1;
      depth += 1;
      if (depth > MAX_JSON_DEPTH) return `a message nested deeper than ${MAX_JSON_DEPTH} levels`;
    } else if (byte === LIST_END || byte === RECORD_END) depth -= 1;
  }
  return parts > MAX_PARTS ? `a message of more than ${MAX_PARTS} parts` : undefined;
}

/** The index of the closing quote of the string that starts at `from`. */
function endOfText(json: Uint8Array, from: number): number {
  for (let end = json.indexOf(QUOTE, from + 1); end >= 0; end = json.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (json[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
