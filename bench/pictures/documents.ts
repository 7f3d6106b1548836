/** The texts of 40 made-up receipts, letters and tables, in English and German, and a question to each. */

import { mulberry32 } from '../../src/base/mulberry32.ts';

export interface Made {
  readonly name: string;
  readonly kind: 'receipt' | 'letter' | 'table';
  readonly text: string;
  readonly question: string;
  /** What has to be paid, as it stands there. */
  readonly total?: string;
}

const SHOPS = [
  'Aldi Sued',
  'Corner Bakery',
  'Blumen Peters',
  'Harbour Books',
  'Rewe Markt',
  'Green Grocer',
  'Apotheke am Tor',
];
const PEOPLE = ['Anna Schmidt', 'Helen Marsh', 'Jonas Weber', 'Peter Novak', 'Maria Lopez', 'Tom Baker', 'Karin Vogel'];
const FIRMS = [
  'Stadtwerke Lindau',
  'Harbour Insurance',
  'Nordbank',
  'City Library',
  'Zahnarzt Dr. Klein',
  'Water Board',
  'Autohaus Berg',
];
const GOODS = {
  en: ['Milk', 'Brown bread', 'Butter', 'Olive oil', 'Coffee beans', 'Tomatoes', 'Pencils', 'Map of Oslo', 'Candles'],
  de: ['Milch', 'Roggenbrot', 'Butter', 'Kartoffeln', 'Kaffee', 'Tomaten', 'Bleistifte', 'Blumenerde', 'Kerzen'],
};
const MONTHS = {
  en: ['January', 'March', 'May', 'July', 'September', 'November', 'December'],
  de: ['Januar', 'März', 'Mai', 'Juli', 'September', 'November', 'Dezember'],
};

export function madeDocuments(): Made[] {
  const random = mulberry32(41);
  const of = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const number = (from: number, to: number) => from + Math.floor(random() * (to - from));
  const parts = { of, number };
  return [
    ...SHOPS.flatMap((shop, at) => [receipt(shop, at, 'en', parts), receipt(shop, at, 'de', parts)]),
    ...FIRMS.flatMap((firm, at) => [letter(firm, at, 'en', parts), letter(firm, at, 'de', parts)]),
    ...PEOPLE.slice(0, 6).flatMap((person, at) => [table(person, at, 'en', parts), table(person, at, 'de', parts)]),
  ];
}

type Language = 'en' | 'de';
interface Parts {
  of<T>(list: readonly T[]): T;
  number(from: number, to: number): number;
}

function receipt(shop: string, at: number, language: Language, { number }: Parts): Made {
  const start = number(0, 5);
  const rows = GOODS[language].slice(start, start + 4).map((good) => ({ good, cents: number(50, 2500) }));
  const [code, town] = [number(10_000, 99_999), language === 'en' ? 'Bristol' : 'Bremen'];
  const name = language === 'en' ? shop : `${shop} ${town}`;
  const total = money(
    rows.reduce((sum, { cents }) => sum + cents, 0),
    language,
  );
  const words = language === 'en' ? ['Date', 'Total', 'Thank you'] : ['Datum', 'Summe', 'Vielen Dank'];
  const [day, month] = [String(number(10, 28)), String(number(1, 12)).padStart(2, '0')];
  const date = language === 'en' ? `2026-${month}-${day}` : `${day}.${month}.2026`;
  const lines = [
    ...[name, `${code} ${town}`, `${words[0]}: ${date}`, ''],
    ...rows.map(({ good, cents }) => columns([good, money(cents, language)], [22, 8])),
    ...['', columns([`${words[1]} EUR`, total], [22, 8]), '', words[2] ?? ''],
  ];
  const question = language === 'en' ? `total paid at ${name} ${rows[0]?.good}` : `Summe bei ${name} ${rows[0]?.good}`;
  return { name: `receipt-${language}-${at}`, kind: 'receipt', text: lines.join('\n'), question, total };
}

function letter(firm: string, at: number, language: Language, { number, of }: Parts): Made {
  const person = PEOPLE[at] ?? '';
  const [day, due, month] = [number(1, 14), number(15, 28), of(MONTHS[language])];
  const [account, cents] = [number(10_000, 99_999), number(2000, 90_000)];
  const total = money(cents, language);
  const lines =
    language === 'en'
      ? [
          ...[firm, `${number(1, 90)} Quay Street`, '', `${day} ${month} 2026`, '', `Your account ${account}`, ''],
          ...[
            `Dear ${person},`,
            '',
            'thank you for your trust in the past year. We have read',
            'your meter and made up the bill for it.',
            '',
          ],
          ...[
            `Please pay ${total} EUR by ${due} ${month} 2026.`,
            'After that day we have to charge a fee.',
            '',
            'Yours sincerely',
            of(PEOPLE),
          ],
        ]
      : [
          ...[firm, `Hafenstraße ${number(1, 90)}`, '', `${day}. ${month} 2026`, '', `Ihr Konto ${account}`, ''],
          ...[
            `Guten Tag ${person},`,
            '',
            'vielen Dank für Ihr Vertrauen im letzten Jahr. Wir haben',
            'Ihren Verbrauch abgelesen und abgerechnet.',
            '',
          ],
          ...[
            `Bitte zahlen Sie ${total} EUR bis zum ${due}. ${month} 2026.`,
            'Danach müssen wir eine Gebühr erheben.',
            '',
            'Mit freundlichen Grüßen',
            of(PEOPLE),
          ],
        ];
  const question = language === 'en' ? `pay the bill of account ${account} by` : `zahlen Konto ${account} bis`;
  return { name: `letter-${language}-${at}`, kind: 'letter', text: lines.join('\n'), question, total };
}

function table(person: string, at: number, language: Language, { number }: Parts): Made {
  const words = language === 'en' ? ['Hours of', 'Month', 'Hours', 'Pay'] : ['Stunden von', 'Monat', 'Stunden', 'Lohn'];
  const rows = MONTHS[language].map((month) => [
    month,
    String(number(20, 160)),
    money(number(10_000, 250_000), language),
  ]);
  const widths = [14, 12, 12];
  const lines = [
    `${words[0]} ${person} ${2020 + at}`,
    '',
    columns(words.slice(1), widths),
    ...rows.map((row) => columns(row, widths)),
  ];
  const question = `${words[0]} ${person} ${2020 + at} ${rows[1]?.[0]}`;
  return { name: `table-${language}-${at}`, kind: 'table', text: lines.join('\n'), question };
}

/** The first to the left, the others to the right. */
function columns(cells: readonly string[], widths: readonly number[]): string {
  return cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))).join('');
}

function money(cents: number, language: Language): string {
  const text = (cents / 100).toFixed(2);
  return language === 'en' ? text : text.replace('.', ',');
}
