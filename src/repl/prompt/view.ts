import { layOut } from '../edit/layout.ts';
import { pasteLabel } from '../edit/pastes.ts';
import type { Frame } from '../tty/live.ts';
import { cellsOf, clip } from '../tty/width.ts';
import { type Ink, inkRow, wrapText } from '../tty/wrap.ts';
import { editWidth, type Menu, type OpenChoice, type PromptState, type Sent } from './state.ts';

/** What is drawn around the prompt. */
export interface Surroundings {
  /** The drawn rows of the part of the answer that is still streaming. */
  readonly draft: readonly string[];
  /** The current activity, and how long it has taken. */
  readonly activity: string | undefined;
  /** Parts of the status line, the most important first. */
  readonly status: readonly string[];
  readonly ink: Ink;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Rows, and where the cursor is in them. */
type Block = Frame;

const DIM = '2';
const SELECTED = '7';
/** In lower windows there is only the line. */
const TINY: Size = { columns: 20, rows: 6 };
const MAX_QUEUED_ROWS = 3;
/** In narrower windows the status line is shortened. */
const WIDE = 60;
const NARROW_PARTS = 3;

/**
 * The rows at the bottom of the terminal: open answer, activity, what waits, the line with what belongs to it, status.
 * At most one row less than the window; what does not fit is cut from the top, but the line stays.
 */
export function viewOf(state: PromptState, around: Surroundings, size: Size): Frame {
  const { ink } = around;
  const tiny = size.columns < TINY.columns || size.rows < TINY.rows;
  const max = Math.max(1, size.rows - 1);
  const line = state.choice ? choiceBlock(state.choice, ink, { ...size, rows: max }) : lineBlock(state, size, tiny);
  const under = state.hint === undefined ? around.status : [state.hint];
  const status = state.choice || (tiny && state.hint === undefined) ? [] : statusRow(under, ink, size.columns);
  const menu = tiny || !state.menu ? [] : menuRows(state.menu, ink, size);
  const above = [
    ...around.draft,
    ...(around.activity === undefined ? [] : [styled(clip(around.activity, size.columns - 1), DIM, ink)]),
    ...queueRows(state, ink, size.columns),
  ];
  const below = [...menu, ...status].slice(0, Math.max(0, max - line.rows.length));
  const room = Math.max(0, max - line.rows.length - below.length);
  const visible = room === 0 ? [] : above.slice(-room);
  return {
    rows: [...visible, ...line.rows, ...below],
    cursor: { row: visible.length + line.cursor.row, cell: line.cursor.cell },
  };
}

function styled(text: string, style: string, ink: Ink): string {
  return inkRow([{ text, style }], ink);
}

/** The line being typed, a question with its answer, or a search. */
function lineBlock(state: PromptState, { columns, rows }: Size, tiny: boolean): Block {
  if (state.search) return searchBlock(state.search, columns);
  const asked = state.question === undefined ? [] : wrapText(state.question.text.trimEnd(), columns - 1);
  const lead = asked.at(-1) ?? '';
  const inline = asked.length > 0 && cellsOf(lead) + 1 <= columns / 2;
  const prefix = inline ? `${lead} ` : '> ';
  const indent = cellsOf(prefix);
  const { editor } = state;
  const width = inline ? Math.max(4, columns - 1 - indent) : editWidth(columns);
  const layout = layOut(editor.text, editor.cursor, width, (mark) => clip(pasteLabel(mark, editor.pastes), width));
  const max = tiny ? 1 : Math.max(1, Math.floor(rows / 2));
  // The window follows the cursor.
  const from = Math.max(0, Math.min(layout.cursor.row - max + 1, layout.rows.length - max));
  const first = layout.cursor.row < from ? layout.cursor.row : from;
  const drawn = layout.rows.slice(first, first + max).map(({ text }, row) => {
    return (first + row === 0 ? prefix : ' '.repeat(indent)) + text;
  });
  const questions = inline ? asked.slice(0, -1) : asked;
  return {
    rows: [...questions, ...drawn],
    cursor: { row: questions.length + layout.cursor.row - first, cell: indent + layout.cursor.cell },
  };
}

function searchBlock({ query, texts, at }: NonNullable<PromptState['search']>, columns: number): Block {
  const hit = texts[at]?.replace(/\s+/gu, ' ');
  const nothing =
    query === '' ? 'type a part of an earlier line; Enter takes it, Ctrl-R looks further' : 'nothing found';
  const lead = 'search: ';
  const typed = clip(query, columns - 2 - lead.length);
  return {
    rows: [clip(hit === undefined ? `  (${nothing})` : `  ${hit}`, columns - 1), lead + typed],
    cursor: { row: 1, cell: lead.length + cellsOf(typed) },
  };
}

function queueRows({ queue }: PromptState, ink: Ink, columns: number): string[] {
  const shown = queue.slice(0, MAX_QUEUED_ROWS).map(({ shown: text }) => {
    return styled(clip(`next: ${text.replace(/\s+/gu, ' ').trim()}`, columns - 1), DIM, ink);
  });
  const more = queue.length - shown.length;
  return more > 0 ? [...shown, styled(`next: … and ${more} more`, DIM, ink)] : shown;
}

/** The part of the menu around the selection, with notes where there is room. */
function menuRows({ items, selected }: Menu, ink: Ink, { columns, rows }: Size): string[] {
  const max = rows < 20 ? 4 : 8;
  const first = Math.max(0, Math.min(Math.max(0, selected) - max + 1, items.length - max));
  const shown = items.slice(first, first + max);
  const names = Math.min(Math.floor(columns / 2), Math.max(...shown.map(({ value }) => cellsOf(value.trimEnd()))));
  return shown.map(({ value, note = '' }, row) => {
    const isSelected = first + row === selected;
    const name = clip(value.trimEnd(), names);
    const text = clip(
      `${isSelected ? '>' : ' '} ${name}${' '.repeat(names - cellsOf(name))}  ${note}`.trimEnd(),
      columns - 1,
    );
    return styled(text, isSelected ? SELECTED : DIM, ink);
  });
}

/** The options stay visible; a long text is cut, and says so. */
function choiceBlock(choice: OpenChoice, ink: Ink, { columns, rows }: Size): Block {
  const many = choice.open > 1 ? ` (1 of ${choice.open})` : '';
  const question = clip(choice.question + many, columns - 1);
  const options = choice.options.map(({ key, label }, index) => {
    const isSelected = index === choice.selected;
    return styled(clip(`${isSelected ? '>' : ' '} ${key}  ${label}`, columns - 1), isSelected ? SELECTED : '', ink);
  });
  const letters = choice.offered ? 'a letter or arrows, then Enter' : 'arrows and Enter, or a letter';
  const safe = choice.options.find(({ key }) => key === choice.safe)?.label.split(/[:,]/u, 1)[0] ?? 'no';
  const help = styled(clip(`  ${letters}; Esc = ${safe}`, columns - 1), DIM, ink);
  const fixed = [question, ...options, ...(rows > options.length + 4 ? [help] : [])];
  const shown = fixed.slice(0, rows);
  return { rows: shown, cursor: { row: Math.min(shown.length - 1, 1 + choice.selected), cell: 0 } };
}

function statusRow(parts: readonly string[], ink: Ink, columns: number): string[] {
  if (parts.length === 0) return [];
  let shown = columns < WIDE ? parts.slice(0, NARROW_PARTS) : parts;
  while (shown.length > 1 && cellsOf(shown.join(' | ')) > columns - 1) shown = shown.slice(0, -1);
  return [styled(clip(shown.join(' | '), columns - 1), DIM, ink)];
}

/** A sent line, as it stays above its answer. */
export function echoRows({ shown }: Sent, columns: number): string[] {
  const lines = shown.trim().split('\n');
  const rows = lines.flatMap((line) => (line === '' ? [''] : wrapText(line, columns - 3)));
  return rows.map((row, index) => (index === 0 ? `> ${row}` : `  ${row}`.trimEnd()));
}
