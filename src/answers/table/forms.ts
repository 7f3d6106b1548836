import { pattern } from '../../base/pattern.ts';
import { UNCERTAIN } from '../../rag/citation.ts';
import type { PicturePassage } from '../../rag/types.ts';
import { CURRENCIES, FORM_WORDS } from '../../words/forms.ts';
import { MONTHS, monthNumber } from '../../words/months.ts';
import { fold, oneOf } from '../../words/spelling.ts';
import { anyWeekday } from '../../words/weekdays.ts';
import { type TableFigure, tableFigure } from './figure.ts';
import type { TableQuestion } from './question.ts';

/** What a receipt, a bill or a letter says about money and days, by its form. Days are `2026-12-18`. */
export interface Form {
  /** `bill`: it asks for the money, by `due` where it says so. */
  readonly kind: 'receipt' | 'bill';
  /** Who wrote it: its first line. */
  readonly from: string;
  /** Its first date. */
  readonly date: string | undefined;
  readonly due: string | undefined;
  readonly total: number;
  /** By its code; undefined where none is named. */
  readonly currency: string | undefined;
}

/** What is read of all pictures of a project is called so. */
const ALL = 'photos and scans';
const WORDS = Object.values(FORM_WORDS);
const any = (key: keyof (typeof WORDS)[number]) => WORDS.map((words) => words[key]).join('|');

const AMOUNT = String.raw`(?<!\d|\d[.,])\d{1,3}(?:(?:[.,' ]\d{3})+|\d*)[.,]\d{2}(?![\d]|[.,]\d)`;
const AMOUNTS = pattern('gu', AMOUNT);
const TOTAL = pattern('iu', String.raw`(?<!\p{L})(?:${any('total')})(?!\p{L})`);
const NOT_TOTAL = pattern('iu', String.raw`(?<!\p{L})(?:${any('notTotal')})(?!\p{L})`);
const PAY = pattern('iu', String.raw`(?<!\p{L})(?:${any('pay')})(?!\p{L})`);
const MONTH = oneOf(
  Object.values(MONTHS)
    .flat()
    .flatMap(({ names, short }) => [...names, ...short]),
);
const DATES = [
  String.raw`(?<y1>(?:19|20)\d\d)-(?<m1>\d\d)-(?<d1>\d\d)`,
  String.raw`(?<d2>\d{1,2})[./] ?(?<m2>\d{1,2})[./] ?(?<y2>(?:19|20)\d\d)`,
  String.raw`(?<d3>\d{1,2})(?:\.|st|nd|rd|th)? (?<n3>${MONTH})\.? (?<y3>(?:19|20)\d\d)`,
  String.raw`(?<n4>${MONTH})\.? (?<d4>\d{1,2})(?:st|nd|rd|th)?,? (?<y4>(?:19|20)\d\d)`,
].join('|');
const DATE = pattern('iu', String.raw`(?<!\d)(?:${DATES})(?!\d)`);
const DUE = pattern(
  'giu',
  String.raw`(?<!\p{L})(?:${fold(any('by'))})(?: the)?(?: ${anyWeekday},?(?: the| dem)?)? (?=(?<rest>[^]{6,40}))`,
);

/** @returns undefined where it says nothing about money. */
export function formIn(text: string): Form | undefined {
  const lines = text.split('\n').map((line) => line.replaceAll(' | ', ' ').trim());
  const asking = lines.find((line) => PAY.test(line) && line.match(AMOUNTS) !== null);
  const written = asking === undefined ? totalIn(lines) : asking.match(AMOUNTS)?.[0];
  const [from] = lines;
  if (written === undefined || from === undefined) return undefined;
  return {
    kind: lines.some((line) => PAY.test(line)) ? 'bill' : 'receipt',
    ...{ from, date: dayIn(text), due: dueIn(lines), total: amountOf(written), currency: currencyIn(text) },
  };
}

/** The last line of a total: above it are those of parts. */
function totalIn(lines: readonly string[]): string | undefined {
  const line = lines.findLast((each) => TOTAL.test(each) && !NOT_TOTAL.test(each) && each.match(AMOUNTS) !== null);
  return line?.match(AMOUNTS)?.at(-1);
}

/** The date behind "by", folded as it is written; undefined where a text has none. */
export function dueDateIn(text: string): string | undefined {
  const rests = [...fold(text).matchAll(DUE)].map((found) => found.groups?.rest ?? '');
  return rests.map((rest) => DATE.exec(rest)).find((found) => found?.index === 0)?.[0];
}

function dueIn(lines: readonly string[]): string | undefined {
  const written = lines.map(dueDateIn).find((each) => each !== undefined);
  return written === undefined ? undefined : dayIn(written);
}

/** The first date in a text, as `2026-12-18`. */
export function dayIn(text: string): string | undefined {
  const found = DATE.exec(fold(text))?.groups;
  if (!found) return undefined;
  const part = (name: string) =>
    ['1', '2', '3', '4'].map((form) => found[name + form]).find((each) => each !== undefined);
  const name = part('n');
  const month = name === undefined ? Number(part('m')) : (monthNumber(name) ?? 0);
  const day = Number(part('d'));
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  return `${part('y')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** The last mark is the decimal one: there are always two digits behind it. */
function amountOf(written: string): number {
  return Number(`${written.slice(0, -3).replace(/\D/gu, '')}.${written.slice(-2)}`);
}

function currencyIn(text: string): string | undefined {
  const named = Object.entries(CURRENCIES).filter(([, signs]) =>
    pattern('u', String.raw`(?<!\p{L})(?:${signs})(?!\p{L})`).test(text),
  );
  return named.length === 1 ? named[0]?.[0] : undefined;
}

/**
 * The figure that a question about money asks for, from the receipts and bills among a project's pictures: what is
 * still to be paid by its last day, what was paid by its date.
 *
 * @returns undefined where it means none of them.
 */
export function formsFigure(
  asked: TableQuestion,
  passages: readonly PicturePassage[],
): { readonly figure: TableFigure; readonly chunkId: number } | undefined {
  const forms = [...Map.groupBy(passages, ({ file }) => file).values()].flatMap((own) => {
    const form = formIn(own.map(({ text }) => text).join('\n'));
    return form && (form.kind === 'bill') === (asked.isOpen ?? false) ? [{ form, ...citedBy(own, form) }] : [];
  });
  const [first] = forms;
  if (first === undefined) return undefined;
  const rows = forms.map(({ form, citation }) =>
    [form.due ?? form.date ?? '-', form.from, form.total.toFixed(2), form.currency ?? '-', citation].join(' | '),
  );
  const texts = [['date', 'from', 'total', 'currency', 'place'].join(' | '), ...rows].join('\n');
  const file = forms.some(({ isUncertain }) => isUncertain) ? `${ALL}, ${UNCERTAIN}` : ALL;
  const isMixed = new Set(forms.map(({ form }) => form.currency)).size > 1;
  const own = isMixed ? { ...asked, by: 'currency' } : asked;
  const figure = tableFigure(own, { file, texts: [texts], isCut: false });
  return figure && { figure: isMixed ? { ...figure, value: undefined } : figure, chunkId: first.chunkId };
}

/** The passage that has the total, and whether any of them is uncertain. */
function citedBy(own: readonly PicturePassage[], { total }: Form) {
  const cents = total.toFixed(2).slice(-2);
  const place = own.find(({ text }) =>
    (text.match(AMOUNTS) ?? []).some((each) => amountOf(each) === total && each.endsWith(cents)),
  );
  const { citation = '', chunkId = 0 } = place ?? own[0] ?? {};
  return { citation, chunkId, isUncertain: place?.uncertain === true };
}
