import { pattern } from '../base/pattern.ts';
import { MONTHS } from '../words/months.ts';
import { oneOf } from '../words/spelling.ts';

/** A sentence of a passage, or a row of a table. */
export interface Sentence {
  readonly text: string;
  /** The text as shown: each cell of a row with the name of its column. */
  readonly shown: string;
  /** The header of its table, or the line that introduces its paragraph. */
  readonly header: string;
  /** A line that is not a sentence although it stands among sentences, such as a letterhead. */
  readonly isFragment: boolean;
}

const SENTENCE_END = /(?<=[.!?…。！？]["'”’)\]]{0,8})\s+|\n{2,}|\n(?=[ \t]{0,40}(?:[-*+]|\d+[.)])[\s\ue000])/u;
/** Dots that do not end a sentence: in a German date, `am 12. März`, */
const DATE_DOT = pattern(
  'gu',
  String.raw`(?<=\b\d{1,2}\.)\s(?=(?:bis |und |oder |${oneOf(MONTHS.de.map(({ name }) => name.slice(0, 3)))})\p{L}*)`,
);
/** after an ordinal, `im 3. Obergeschoss`, */
const ORDINAL_DOT = /(?<=\b(?:im|am|vom|zum|zur|der|dem|den|das|des|die|ab|seit|jede[rnms]?) \d{1,2}\.)\s(?=\p{Lu})/gu;
/** after a title, an initial or an abbreviation, `Mrs. Walsh`, `No. 7`, */
const SHORT_DOT = /(?<=\b(?:Mrs?|Ms|Dr|Prof|St|Hr|Fr|Rev|\p{Lu}|e\.g|i\.e|approx|ca|vs|z\. ?B|bzw|inkl)\.)\s(?=\S)/gu;
const NUMBER_DOT = /(?<=\b(?:[Nn]os?|Nr|pp?|vol|fig|Art|Abs|Kap)\.)\s(?=\d)/gu;
/** and after the number of a list item, `2. Remove the cover`. */
const ITEM_DOT = /(?<=^[ \t]{0,40}\d{1,3}\.)[ \t](?=\S)/gmu;
/** Replaces a space that does not end a sentence. It is a private-use character, so no text contains it. */
const NO_END = '\ue000';
const FENCE = /^\s*(?:```|~~~)/u;
/** The line between the header of a table and its rows. */
const RULE = /^[\s|:-]+$/u;

/** The sentences of a passage, the rows of its tables and the lines of its code. */
export function sentencesOf(passage: string): Sentence[] {
  return parts(passage).flatMap(({ kind, lines }) => {
    if (kind === 'table') return rowsOf(lines);
    if (kind === 'code') return lines.flatMap((line) => sentenceOf(readable(line)));
    return proseOf(lines.join('\n'));
  });
}

const ENDED = /[.!?…。！？:]["'”’)\]]*$/u;
const ITEM = /^\s*(?:[-*+]|\d+[.)])[\s\ue000]/u;

/** A bold run-in heading at the start of a paragraph: `**Heating.** Report faults to ...`. */
const RUN_IN = /^\s*(\*\*|__)([^*_\n]{2,60})\1/u;

/** A line that is not a sentence, such as "Your account 0417", is the header of what follows it. */
function proseOf(prose: string): Sentence[] {
  const texts = unbroken(prose).split(SENTENCE_END);
  const hasSentences = texts.some((text) => ENDED.test(text.trim()));
  let header = '';
  return texts.flatMap((text) => {
    const runIn = RUN_IN.exec(text)?.[2];
    if (runIn !== undefined) header = readable(runIn);
    const isFragment = hasSentences && !ENDED.test(text.trim()) && !ITEM.test(text) && !text.includes(': ');
    const found = sentenceOf(readable(text), { header: isFragment ? '' : header, isFragment });
    if (isFragment) header = readable(text);
    return found;
  });
}

function sentenceOf(text: string, { header = '', isFragment = false } = {}): Sentence[] {
  return text === '' ? [] : [{ text, shown: text, header, isFragment }];
}

function unbroken(prose: string): string {
  const dots = [ITEM_DOT, DATE_DOT, ORDINAL_DOT, SHORT_DOT, NUMBER_DOT];
  return dots.reduce((text, dot) => text.replace(dot, NO_END), prose);
}

interface Part {
  readonly kind: 'prose' | 'table' | 'code';
  readonly lines: string[];
}

/** Consecutive lines of one kind, without the fences around code. */
function parts(passage: string): Part[] {
  const found: Part[] = [];
  let inCode = false;
  for (const line of passage.split('\n')) {
    if (FENCE.test(line)) {
      inCode = !inCode;
      continue;
    }
    const kind = inCode ? 'code' : isRow(line.trim()) ? 'table' : 'prose';
    const last = found.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else found.push({ kind, lines: [line] });
  }
  return found;
}

/** A row of a Markdown table, or of a table read from a spreadsheet. */
function isRow(line: string): boolean {
  return (line.length > 1 && line.startsWith('|') && line.endsWith('|')) || line.includes(' | ');
}

/** `name: what it is; what to do`. A passage repeats the header of its table as the first line. */
function rowsOf(lines: readonly string[]): Sentence[] {
  const [head = '', ...rows] = lines;
  const header = said(cellsOf(head));
  if (rows.length === 0) return sentenceOf(header);
  const names = cellsOf(head);
  return rows
    .filter((row) => !RULE.test(row))
    .map((row) => {
      const cells = cellsOf(row);
      return { text: said(cells), shown: said(named(cells, names)), header, isFragment: false };
    });
}

function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\||\|$/gu, '')
    .split(/(?<!\\)\|/u)
    .map((cell) => readable(cell));
}

/** Cells with their column names, without which a figure means little. The first cell needs no name. */
function named(cells: readonly string[], names: readonly string[]): string[] {
  if (cells.length !== names.length || names.some((name) => name === '' || /\d/u.test(name))) return [...cells];
  return cells.map((cell, at) => (at === 0 || cell === '' || names.length < 3 ? cell : `${names[at]} ${cell}`));
}

function said(cells: readonly string[]): string {
  const [first = '', ...rest] = cells.filter((cell) => cell !== '');
  return rest.length === 0 ? first : `${first}: ${rest.join('; ')}`;
}

/** On one line, without list markers and emphasis. */
export function readable(text: string): string {
  return text
    .replace(/[\s\ue000]+/gu, ' ')
    .trim()
    .replace(/^(?:[-*+]|\d+[.)])\s+/u, '')
    .replace(/(\*\*|__)(?=\S)([^*_]+)(?<=\S)\1/gu, '$2')
    .trim();
}
