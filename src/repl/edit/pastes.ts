import { counted } from '../../base/text.ts';

/**
 * Stands for a long paste in the text being edited: one of the 32 code points that never are characters, so it moves
 * and is deleted like one letter.
 */
export const PASTE_MARKS = /[\ufdd0-\ufdef]/u;
const FIRST_MARK = 0xfdd0;
const MARK_COUNT = 32;
/** Longer pastes are shown as a placeholder. */
const MAX_LINES = 10;
const MAX_CHARS = 1000;

/** The long pastes of one text, by their marks. */
export type Pastes = ReadonlyMap<string, string>;

/** What to insert for a paste: itself, or a mark when it is long. */
export function takePaste(text: string, pastes: Pastes): { inserted: string; pastes: Pastes } {
  const long = text.length > MAX_CHARS || text.split('\n', MAX_LINES + 1).length > MAX_LINES;
  if (!long || pastes.size >= MARK_COUNT) return { inserted: text, pastes };
  const mark = String.fromCharCode(FIRST_MARK + pastes.size);
  return { inserted: mark, pastes: new Map(pastes).set(mark, text) };
}

/** `[pasted #1, 120 lines]` */
export function pasteLabel(mark: string, pastes: Pastes): string {
  const text = pastes.get(mark) ?? '';
  const lines = text.split('\n').length;
  const size = lines > 1 ? counted(lines, 'line') : counted(text.length, 'character');
  return `[pasted #${mark.charCodeAt(0) - FIRST_MARK + 1}, ${size}]`;
}

/** The whole text, as it is sent. One pass: what a paste contains is not looked at again. */
export function expandPastes(text: string, pastes: Pastes): string {
  return pastes.size === 0 ? text : text.replace(/[\ufdd0-\ufdef]/gu, (mark) => pastes.get(mark) ?? '');
}

/** The text as it is shown, with labels for long pastes. */
export function labelPastes(text: string, pastes: Pastes): string {
  return pastes.size === 0 ? text : text.replace(/[\ufdd0-\ufdef]/gu, (mark) => pasteLabel(mark, pastes));
}
