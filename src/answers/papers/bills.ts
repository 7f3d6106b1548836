import { UNCERTAIN } from '../../rag/citation.ts';
import type { Paper } from '../../rag/types.ts';
import { fold } from '../../words/spelling.ts';
import { type TableFigure, tableFigure } from '../table/figure.ts';
import type { TableQuestion } from '../table/question.ts';
import { fieldsOf, onOneLine, type PaperFields, passageWith, textOf } from './paper.ts';
import { amountOf, amountsIn, currencyIn, dayIn, dueDateIn, dueDayIn } from './values.ts';

/** What a receipt or a bill says about money and days. Days are `2026-12-18`. */
export interface Bill {
  /** `bill`: it asks for the money, by `due` where it says so. */
  readonly kind: 'receipt' | 'bill';
  readonly from: string;
  readonly date: string | undefined;
  readonly due: string | undefined;
  readonly total: number;
  /** By its code; undefined where none is named. */
  readonly currency: string | undefined;
}

/** What is read of all bills and receipts of a project is called so. */
const ALL = 'bills and receipts';
const NO_DAY = '-';

/** @returns undefined where it says nothing about money. */
export function billIn(text: string, { kind, sender, date, deadline, total }: PaperFields): Bill | undefined {
  if (kind === 'letter' || total === undefined || sender === undefined) return undefined;
  const written = dayIn(date ?? text);
  const by = dueDateIn(deadline ?? text);
  const due = by === undefined ? deadline && dayIn(deadline) : dueDayIn(by, written);
  return {
    ...{ kind, from: sender, date: written, due },
    ...{ total: amountOf(total), currency: currencyIn(text) },
  };
}

/** A bill, the passage that says what it comes to, and whether that or its last day may have been misread. */
interface Found {
  readonly bill: Bill;
  readonly place: Paper[number];
  readonly isUncertain: boolean;
}

/** The bills and receipts among a project's papers. One of which there are two copies is to be paid once. */
export function billsIn(papers: readonly Paper[]): readonly Found[] {
  const found = new Map<string, Found>();
  for (const each of papers.flatMap(foundIn)) {
    const { kind, from, total, currency } = each.bill;
    const isOnce = kind === 'bill' && dayOf(each) !== NO_DAY;
    const key = isOnce ? [fold(from), dayOf(each), total, currency].join('|') : String(each.place.chunkId);
    if (found.get(key)?.isUncertain ?? true) found.set(key, each);
  }
  return [...found.values()];
}

function dayOf({ bill }: Pick<Found, 'bill'>): string {
  return bill.due ?? bill.date ?? NO_DAY;
}

function foundIn(paper: Paper): readonly Found[] {
  const text = textOf(paper);
  const fields = fieldsOf(paper);
  const bill = billIn(text, fields);
  if (!bill || fields.total === undefined) return [];
  const { total } = fields;
  const has = paper.filter((passage) => amountsIn(onOneLine(passage.text)).includes(total));
  const day = fields.deadline === undefined ? undefined : dueDateIn(fields.deadline);
  const dated = day === undefined ? undefined : passageWith(paper, day);
  const place = has.find(({ uncertain }) => uncertain) ?? has[0] ?? paper[0];
  return place ? [{ bill, place, isUncertain: place.uncertain === true || dated?.uncertain === true }] : [];
}

/**
 * The figure that a question about money asks for, from bills and receipts: what is still to be paid by its last day,
 * what was paid by its date.
 *
 * @param isCut  there are more than these.
 * @returns undefined where it means none of them.
 */
export function billsFigure(
  asked: TableQuestion,
  found: readonly Found[],
  isCut = false,
): { readonly figure: TableFigure; readonly chunkIds: readonly number[] } | undefined {
  const meant = found
    .filter(({ bill }) => (bill.kind === 'bill') === (asked.isOpen ?? false))
    .sort((a, b) => dayOf(a).localeCompare(dayOf(b)));
  if (meant.length === 0) return undefined;
  const rows = meant.map(({ bill, place }) =>
    [dayOf({ bill }), bill.from, bill.total.toFixed(2), bill.currency ?? '-', place.citation].join(' | '),
  );
  const texts = [['date', 'from', 'total', 'currency', 'place'].join(' | '), ...rows].join('\n');
  const file = meant.some(({ isUncertain }) => isUncertain) ? `${ALL}, ${UNCERTAIN}` : ALL;
  const isMixed = new Set(meant.map(({ bill }) => bill.currency)).size > 1;
  const own = isMixed ? { ...asked, by: 'currency' } : asked;
  const figure = tableFigure(own, { file, texts: [texts], isCut });
  const chunkIds = meant.map(({ place }) => place.chunkId);
  return figure && { figure: isMixed ? { ...figure, value: undefined } : figure, chunkIds };
}
