import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readExamples, type Taught, taught, taughtIn } from '../base/examples.ts';
import { ownExamples } from './compute.ts';
import { meaningOf } from './intents.ts';
import { oneWay } from './patterns.ts';
import { typeOf } from './slot-type.ts';

const ROOT = join(import.meta.dirname, '../..');
const SITUATION = { now: new Date('2026-11-23T09:00:00Z'), timeZone: 'Europe/London', waking: false };

/** What fills a gap of a type, in English and German; a gap of any other is filled with a word that no example has. */
const SAMPLES: Readonly<Record<string, string | readonly [en: string, de: string]>> = {
  when: ['on Friday at 3pm', 'am Freitag um 15 Uhr'],
  days: ['on Friday', 'am Freitag'],
  amount: '12',
  amounts: '3, 4 and 8',
  appointment: 'Friseurtermin',
  ask: ['what is', 'was ist'],
  birth: ['3 May 1990', '3. Mai 1990'],
  change: 'eff_1',
  clause: 'die Heizung gewartet wurde',
  clock: ['3pm', '15 Uhr'],
  count: '3',
  date: ['3 May 2027', '3. Mai 2027'],
  daylike: ['3 May 2027', '3. Mai 2027'],
  deed: 'painted the fence',
  dictated: ': quarzin',
  event: ['dentist on 3 May 2027 at 3pm', 'Zahnarzt am 3. Mai 2027 um 15 Uhr'],
  duration: ['2 hours', '2 Stunden'],
  figures: '12 * 7',
  file: 'quarzin.txt',
  holiday: ['Easter', 'Ostern'],
  hour: '7',
  list: ['my shopping list', 'Einkaufsliste'],
  listed: ': quarzin, morfel',
  measure: '12 km',
  moment: ['3 May 2027', '3. Mai 2027'],
  money: ['12 euros', '12 Euro'],
  month: ['May', 'Mai'],
  more: ['half of that', 'die Hälfte davon'],
  newlisted: ': quarzin',
  number: '3',
  owner: "Quarzin's",
  own: ['my quarzin is blue', 'mein Quarzin ist blau'],
  ownclause: 'ich Quarzin mag',
  party: 'viert',
  percent: '20%',
  period: ['days', 'Tage'],
  phone: '0171 2223',
  place: ['Tokyo', 'Tokio'],
  quotation: '“quarzin morfel”',
  rate: ['690 euros a week', '690 Euro pro Woche'],
  several: ['quarzin and morfel', 'Quarzin und Morfel'],
  span: ['2 hours', '2 Stunden'],
  ahead: ['the day before', 'am Tag davor'],
  lead: ['2 hours', '2 Stunden'],
  sum: '12 * 7',
  thousand: '10k',
  unit: ['miles', 'Meilen'],
  word: 'ntfy',
  url: 'https://example.org/quarzin',
  weekday: ['Friday', 'Freitag'],
  year: '2027',
  'per:unit': ['month', 'Monat'],
};

const OF_TOOLS: readonly Taught[] = [
  ...taughtIn(join(ROOT, 'src/tools/builtin')),
  ...globSync('plugins/*/examples.jsonl', { cwd: ROOT }).flatMap((file) =>
    readExamples(readFileSync(join(ROOT, file), 'utf8'), file).flatMap((each) => taught(each)),
  ),
];
const EXAMPLES = [...ownExamples(), ...OF_TOOLS];

/** The first way of saying it, with something for each gap. */
function spoken(sentence: string, at: 0 | 1): string {
  return oneWay(sentence, (slot) => {
    const sample = SAMPLES[slot] ?? SAMPLES[typeOf(slot)] ?? 'quarzin';
    return typeof sample === 'string' ? sample : sample[at];
  });
}

const TOOLS: ReadonlySet<string> = new Set(EXAMPLES.map(({ tool }) => tool));

/** An example that stands by itself: no follow-up, and not for want of a better tool. */
function isAlone({ follows, unless }: Taught): boolean {
  return follows === undefined && (unless === undefined || !TOOLS.has(unless));
}

const can = (tool: string) => TOOLS.has(tool) || tool === 'remember';

/** The intents that it may be, as in a program where all plugins are on and nothing was said before. */
function intentsOf(said: string): readonly string[] {
  const found = meaningOf({ ...SITUATION, text: said, earlier: [], examples: OF_TOOLS, can });
  if (found.kind === 'none') return [];
  return (found.kind === 'unclear' ? found.between : [found]).map(({ taught: it }) => `${it.tool}: ${it.intent}`);
}

test('examples are understood as what they are examples of', () => {
  const rows = EXAMPLES.filter(isAlone).flatMap((each) =>
    ([each.en, each.de] as const).flatMap((sentences, at) =>
      sentences.map((sentence) => {
        const said = spoken(sentence, at === 0 ? 0 : 1);
        return { own: `${each.tool}: ${each.intent}`, said, found: intentsOf(said) };
      }),
    ),
  );
  const wrong = rows.filter(({ own, found }) => found.length !== 1 || found[0] !== own);
  expect(wrong.map(({ own, said, found }) => `${own} | ${said} | ${found.join(' or ')}`)).toEqual([]);
}, 300_000);
