import { pattern } from '../../base/pattern.ts';
import { MONTHS } from '../../words/months.ts';
import { oneOf } from '../../words/spelling.ts';

/** A sentence, and the header of the table that it is a row of. */
export interface Sentence {
  readonly text: string;
  /** As a person reads it: a row's cells behind the names of their columns. */
  readonly shown: string;
  readonly header: string;
  /** A line among sentences that is none, as of a letterhead. */
  readonly isFragment: boolean;
}

const SENTENCE_END = /(?<=[.!?…。！？]["'”’)\]]{0,8})\s+|\n{2,}|\n(?=[ \t]{0,40}(?:[-*+]|\d+[.)])[\s\ue000])/u;
/** The dot of a German date ends no sentence: `am 12. März`. */
const DATE_DOT = pattern(
  'gu',
  String.raw`(?<=\b\d{1,2}\.)\s(?=(?:bis |und |oder |${oneOf(MONTHS.de.map(({ name }) => name.slice(0, 3)))})\p{L}*)`,
);
/** Nor that of an ordinal: `im 3. Obergeschoss`. */
const ORDINAL_DOT = /(?<=\b(?:im|am|vom|zum|zur|der|dem|den|das|des|die|ab|seit|jede[rnms]?) \d{1,2}\.)\s(?=\p{Lu})/gu;
/** Nor does that of a title, an initial, or a short form before what it belongs to: `Mrs. Walsh`, `No. 7`. */
const SHORT_DOT = /(?<=\b(?:Mrs?|Ms|Dr|Prof|St|Hr|Fr|Rev|\p{Lu}|e\.g|i\.e|approx|ca|vs|z\. ?B|bzw|inkl)\.)\s(?=\S)/gu;
const NUMBER_DOT = /(?<=\b(?:[Nn]os?|Nr|pp?|vol|fig|Art|Abs|Kap)\.)\s(?=\d)/gu;
/** Nor that of a numbered item, at the beginning of its line: `2. Remove the cover`. */
const ITEM_DOT = /(?<=^[ \t]{0,40}\d{1,3}\.)[ \t](?=\S)/gmu;
/** For private use: no text has it, so no sentence ends there. */
const NO_END = '\ue000';
const FENCE = /^\s*(?:```|~~~)/u;
/** The line between the header of a table and its rows. */
const RULE = /^[\s|:-]+$/u;

/** The sentences of a passage: of prose, the rows of its tables below their header, and the lines of its code. */
export function sentencesOf(passage: string): Sentence[] {
  return parts(passage).flatMap(({ kind, lines }) => {
    if (kind === 'table') return rowsOf(lines);
    if (kind === 'code') return lines.flatMap((line) => sentenceOf(readable(line)));
    return proseOf(lines.join('\n'));
  });
}

const ENDED = /[.!?…。！？:]["'”’)\]]*$/u;
const ITEM = /^\s*(?:[-*+]|\d+[.)])[\s\ue000]/u;

/** What a paragraph is about, in front of it: `**Heating.** Report faults to ...`. */
const RUN_IN = /^\s*(\*\*|__)([^*_\n]{2,60})\1/u;

/** Under a line that is no sentence, what follows is about what it says: "Your account 0417". */
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
  return prose
    .replace(ITEM_DOT, NO_END)
    .replace(DATE_DOT, NO_END)
    .replace(ORDINAL_DOT, NO_END)
    .replace(SHORT_DOT, NO_END)
    .replace(NUMBER_DOT, NO_END);
}

interface Part {
  readonly kind: 'prose' | 'table' | 'code';
  readonly lines: string[];
}

/** Neighbouring lines of a kind; the fences around code are left out. */
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

/** Of a table in Markdown, or of one that was read from cells. */
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

/** Of several short columns a figure says nothing without its name; the first cell needs none. */
function named(cells: readonly string[], names: readonly string[]): string[] {
  if (cells.length !== names.length || names.some((name) => name === '' || /\d/u.test(name))) return [...cells];
  return cells.map((cell, at) => (at === 0 || cell === '' || names.length < 3 ? cell : `${names[at]} ${cell}`));
}

function said(cells: readonly string[]): string {
  const [first = '', ...rest] = cells.filter((cell) => cell !== '');
  return rest.length === 0 ? first : `${first}: ${rest.join('; ')}`;
}

/** On one line, without list marks and marks of emphasis. */
function readable(text: string): string {
  return text
    .replace(/[\s\ue000]+/gu, ' ')
    .trim()
    .replace(/^(?:[-*+]|\d+[.)])\s+/u, '')
    .replace(/(\*\*|__)(?=\S)([^*_]+)(?<=\S)\1/gu, '$2')
    .trim();
}
