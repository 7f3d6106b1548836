import { Unreadable } from './parsed.ts';

const LOOKED_AT_BYTES = 8192;

/**
 * Decode a file's text: UTF-16 with a byte order mark, UTF-8, or else Windows-1252.
 *
 * @throws Unreadable `unsupported` for binary content.
 */
export function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  if (bytes.subarray(0, LOOKED_AT_BYTES).includes(0)) throw new Unreadable('binary file', 'unsupported');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const text = new TextDecoder('windows-1252').decode(bytes);
    if (hasControls(text)) throw new Unreadable('binary file', 'unsupported');
    return text;
  }
}

function hasControls(text: string): boolean {
  const controls = text.slice(0, LOOKED_AT_BYTES).match(/[\u0001-\u0008\u000e-\u001a\u001c-\u001f]/gu)?.length ?? 0;
  return controls > Math.min(text.length, LOOKED_AT_BYTES) / 100;
}
