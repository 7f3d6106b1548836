import { graphemes } from '../tty/width.ts';
import { layOut, offsetAt } from './layout.ts';
import { expandPastes, labelPastes, PASTE_MARKS, type Pastes, pasteLabel, takePaste } from './pastes.ts';

/** A text and where the cursor is in it, an offset in UTF-16 units. */
interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}

/** The line being typed; a value, changed by `edit` only. */
export interface Editor extends Snapshot {
  readonly pastes: Pastes;
  /** The kill ring, newest last; Ctrl-Y yanks from it. */
  readonly cuts: readonly string[];
  readonly undo: readonly Snapshot[];
  /** What the last key did: cuts in a row are one, letters in a row are undone together, Alt-Y follows Ctrl-Y. */
  readonly last: 'type' | 'cut' | 'yank' | 'other';
  /** What Ctrl-Y or Alt-Y has inserted. */
  readonly yanked: { readonly from: number; readonly index: number } | undefined;
}

const MAX_UNDO = 200;
const MAX_CUTS = 30;

export const EMPTY_EDITOR: Editor = {
  ...{ text: '', cursor: 0, pastes: new Map(), cuts: [], undo: [], last: 'other', yanked: undefined },
};

/** The same editor with another text, the cursor at its end; Ctrl-_ brings the old one back. */
export function withText(editor: Editor, text: string, cursor = text.length): Editor {
  return { ...remember(editor), text, cursor, last: 'other', yanked: undefined };
}

/** An empty line that keeps the kill ring. */
export function cleared(editor: Editor): Editor {
  return { ...EMPTY_EDITOR, cuts: editor.cuts };
}

/** What is sent: long pastes in full. */
export function wholeText(editor: Editor): string {
  return expandPastes(editor.text, editor.pastes);
}

/** What is displayed. */
export function shownText(editor: Editor): string {
  return labelPastes(editor.text, editor.pastes);
}

/** Type or paste. Long pastes become a placeholder. */
export function insert(editor: Editor, text: string, kind: 'type' | 'paste' = 'type'): Editor {
  const clean = text.replace(/[\ufdd0-\ufdef]/gu, '');
  const { inserted, pastes } =
    kind === 'paste' ? takePaste(clean, editor.pastes) : { inserted: clean, pastes: editor.pastes };
  // Words are undone one by one.
  const joins = kind === 'type' && editor.last === 'type' && !/^\s/u.test(inserted);
  const base = joins ? editor : remember(editor);
  return {
    ...base,
    pastes,
    text: base.text.slice(0, base.cursor) + inserted + base.text.slice(base.cursor),
    cursor: base.cursor + inserted.length,
    last: kind === 'type' ? 'type' : 'other',
    yanked: undefined,
  };
}

/** Move up or down by rows as they are drawn; undefined when there is no such row. */
export function moveVertically(editor: Editor, by: 1 | -1, width: number): Editor | undefined {
  const labels = (mark: string) => pasteLabel(mark, editor.pastes);
  const { rows, cursor } = layOut(editor.text, editor.cursor, width, labels);
  const target = rows[cursor.row + by];
  return target && moved(editor, offsetAt(target, editor.text, cursor.cell, labels));
}

type Edit = (editor: Editor) => Editor;

/** What each key does to the line, as in Emacs, bash and readline. */
const EDITS: Readonly<Record<string, Edit>> = {
  left: (e) => moved(e, before(e)),
  right: (e) => moved(e, after(e)),
  home: (e) => moved(e, lineStart(e)),
  end: (e) => moved(e, lineEnd(e)),
  backspace: (e) => removed(e, before(e), e.cursor),
  delete: (e) => removed(e, e.cursor, after(e)),
  'C-left': (e) => moved(e, previousWord(e.text, e.cursor)),
  'C-right': (e) => moved(e, nextWord(e.text, e.cursor)),
  'M-<': (e) => moved(e, 0),
  'M->': (e) => moved(e, e.text.length),
  'C-k': (e) => cut(e, e.cursor, e.cursor === lineEnd(e) ? after(e) : lineEnd(e)),
  'C-u': (e) => cut(e, lineStart(e), e.cursor),
  'C-w': (e) => cut(e, blankBefore(e), e.cursor),
  'M-backspace': (e) => cut(e, previousWord(e.text, e.cursor), e.cursor),
  'M-d': (e) => cut(e, e.cursor, nextWord(e.text, e.cursor)),
  'C-y': (e) => yank(e, e.cuts.length - 1),
  'M-y': (e) => (e.last === 'yank' && e.yanked ? yank(unyanked(e), e.yanked.index - 1) : e),
  'C-_': undone,
  'C-t': transposed,
  'C-o': opened,
  'M-u': (e) => recased(e, (word) => word.toUpperCase()),
  'M-l': (e) => recased(e, (word) => word.toLowerCase()),
  'M-c': (e) => recased(e, (word) => word.replace(/\p{L}/u, (letter) => letter.toUpperCase())),
};

/** Other names of the same keys. */
const SAME: Readonly<Record<string, string>> = {
  ...{ 'C-b': 'left', 'C-f': 'right', 'C-a': 'home', 'C-e': 'end', 'C-d': 'delete', 'M-delete': 'M-d' },
  ...{ 'M-b': 'C-left', 'M-f': 'C-right', 'M-left': 'C-left', 'M-right': 'C-right', 'C-home': 'M-<', 'C-end': 'M->' },
  ...{ 'C-backspace': 'M-backspace', 'C-delete': 'M-d', 'S-backspace': 'backspace', 'C-/': 'C-_', 'C-7': 'C-_' },
};

/** Apply an editing key. @returns undefined for any other key. */
export function edit(editor: Editor, name: string): Editor | undefined {
  return EDITS[SAME[name] ?? name]?.(editor);
}

function remember(editor: Editor): Editor {
  const { text, cursor, undo } = editor;
  if (undo.at(-1)?.text === text) return editor;
  return { ...editor, undo: [...undo.slice(1 - MAX_UNDO), { text, cursor }] };
}

function moved(editor: Editor, cursor: number): Editor {
  return { ...editor, cursor, last: 'other', yanked: undefined };
}

function removed(editor: Editor, from: number, to: number): Editor {
  if (from === to) return editor;
  const text = editor.text.slice(0, from) + editor.text.slice(to);
  return { ...remember(editor), text, cursor: from, last: 'other', yanked: undefined };
}

/** Cuts in a row come back together. */
function cut(editor: Editor, from: number, to: number): Editor {
  if (from === to) return editor;
  const piece = editor.text.slice(from, to);
  const { cuts } = editor;
  const last = cuts.at(-1) ?? '';
  const joined = from < editor.cursor ? piece + last : last + piece;
  const all = editor.last === 'cut' ? [...cuts.slice(0, -1), joined] : [...cuts.slice(1 - MAX_CUTS), piece];
  return { ...removed(editor, from, to), cuts: all, last: 'cut' };
}

/** @param index  which cut; counts round. */
function yank(editor: Editor, index: number): Editor {
  const count = editor.cuts.length;
  if (count === 0) return editor;
  const at = (index + count) % count;
  const from = editor.cursor;
  const base = remember(editor);
  const piece = editor.cuts[at] ?? '';
  const text = base.text.slice(0, from) + piece + base.text.slice(from);
  return { ...base, text, cursor: from + piece.length, last: 'yank', yanked: { from, index: at } };
}

function unyanked(editor: Editor): Editor {
  const from = editor.yanked?.from ?? editor.cursor;
  return { ...editor, text: editor.text.slice(0, from) + editor.text.slice(editor.cursor), cursor: from };
}

function undone(editor: Editor): Editor {
  const earlier = editor.undo.at(-1);
  if (!earlier) return editor;
  return { ...editor, ...earlier, undo: editor.undo.slice(0, -1), last: 'other', yanked: undefined };
}

/** Swap the characters on both sides of the cursor; at the end, the last two. */
function transposed(editor: Editor): Editor {
  const to = editor.cursor === lineEnd(editor) ? editor.cursor : after(editor);
  const letters = graphemes(editor.text.slice(lineStart(editor), to));
  const [b, a] = [letters.pop(), letters.pop()];
  if (a === undefined || b === undefined) return editor;
  const from = to - a.length - b.length;
  const text = editor.text.slice(0, from) + b + a + editor.text.slice(to);
  return { ...remember(editor), text, cursor: to, last: 'other', yanked: undefined };
}

/** Put a long paste into the line in full: the one at the cursor, else the nearest before it, else the first. */
function opened(editor: Editor): Editor {
  const { text, cursor, pastes } = editor;
  const before = text
    .slice(0, cursor + 1)
    .split('')
    .findLastIndex((unit) => PASTE_MARKS.test(unit));
  const at = before >= 0 ? before : text.search(PASTE_MARKS);
  if (at < 0) return editor;
  const paste = pastes.get(text[at] ?? '') ?? '';
  return withText(
    editor,
    text.slice(0, at) + paste + text.slice(at + 1),
    cursor > at + 1 ? cursor + paste.length - 1 : at + paste.length,
  );
}

function recased(editor: Editor, change: (word: string) => string): Editor {
  const to = nextWord(editor.text, editor.cursor);
  const word = change(editor.text.slice(editor.cursor, to));
  const text = editor.text.slice(0, editor.cursor) + word + editor.text.slice(to);
  return { ...remember(editor), text, cursor: editor.cursor + word.length, last: 'other', yanked: undefined };
}

function before({ text, cursor }: Snapshot): number {
  // The segmenter needs the whole cluster; this is longer than any.
  const near = text.slice(Math.max(0, cursor - 64), cursor);
  return cursor - (graphemes(near).at(-1) ?? '').length;
}

function after({ text, cursor }: Snapshot): number {
  return cursor + (graphemes(text.slice(cursor, cursor + 64))[0] ?? '').length;
}

function lineStart({ text, cursor }: Snapshot): number {
  return text.lastIndexOf('\n', cursor - 1) + 1;
}

function lineEnd({ text, cursor }: Snapshot): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
}

/** Ctrl-W: back to the blank before the word. */
function blankBefore({ text, cursor }: Snapshot): number {
  return cursor - (/\S*\s*$/u.exec(text.slice(0, cursor))?.[0].length ?? 0);
}

const LETTER = /[\p{L}\p{N}\p{M}_]/u;

/** Where the word before the cursor starts. */
function previousWord(text: string, cursor: number): number {
  let at = cursor;
  while (at > 0 && !LETTER.test(charBefore(text, at))) at -= charBefore(text, at).length;
  while (at > 0 && LETTER.test(charBefore(text, at))) at -= charBefore(text, at).length;
  return at;
}

/** Where the word at or behind the cursor ends. */
function nextWord(text: string, cursor: number): number {
  let at = cursor;
  while (at < text.length && !LETTER.test(charAt(text, at))) at += charAt(text, at).length;
  while (at < text.length && LETTER.test(charAt(text, at))) at += charAt(text, at).length;
  return at;
}

function charAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

/** Two code units for a surrogate pair. */
function charBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  return text.slice(low >= 0xdc00 && low <= 0xdfff && at > 1 ? at - 2 : at - 1, at);
}
