import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FoundTime, findTime } from './find.ts';
import { readSentence } from './grammar/read.ts';
import { understand } from './understand.ts';

const NOW = new Date('2026-11-20T11:27:00Z');
const ZONE = 'Europe/Oslo';
const ROUNDS = 4000;

/** A seeded generator, so that a failure can be reproduced. */
function dice(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

const pick = <Item>(roll: (count: number) => number, items: readonly Item[]): Item => items[roll(items.length)] as Item;

/** The phrases of the tables, without the time at which they are said. */
const phrases = ['en.csv', 'de.csv'].map((name) => [
  ...new Set(
    readFileSync(join(import.meta.dirname, 'tables', name), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(';')[0] ?? ''),
  ),
]);
const [english = [], german = []] = phrases;

const WORDS = [
  ...[
    'tomorrow',
    'today',
    'monday',
    'friday',
    'at',
    'on',
    'in',
    'every',
    'the',
    'second',
    'last',
    'next',
    'half',
    'hour',
  ],
  ...['minutes', 'an', 'and', 'a', '9', '10', '5pm', '18:00', 'noon', 'midnight', 'before', 'after', 'past', 'quarter'],
  ...[
    'to',
    'of',
    'month',
    'week',
    'day',
    'evening',
    'morning',
    'december',
    '24th',
    'other',
    'until',
    'between',
    'tonight',
  ],
  ...['call', 'Ingrid', 'the', 'dentist', 'buy', 'milk', 'two', 'twenty', 'days', 'weekday', '4/5', '01.02.2027', 'am'],
];

const find = (sentence: string) => findTime(sentence, { timeZone: ZONE, now: NOW });

/** Whether it would be saved as it stands. */
function isSaved(found: FoundTime | undefined): found is FoundTime & { kind: 'once' | 'repeats' } {
  return found?.kind === 'repeats' || (found?.kind === 'once' && found.at > NOW);
}

/** When it would go off. */
function firstOf(found: FoundTime): string {
  if (found.kind === 'once') return found.at.toISOString();
  const [next] = understand(found.words, { timeZone: ZONE, from: NOW, count: 1 }).next;
  return `every ${next?.toISOString()}`;
}

/** Words of time that are still in a text. */
function timeIn(text: string): readonly string[] {
  const { unused, pieces } = readSentence(text);
  return [...unused, ...pieces.map(({ is }) => is)];
}

describe('a reminder is saved only if every word of time was used', () => {
  test('no word of time is left in its text, whatever is said', () => {
    const roll = dice(15);
    for (let round = 0; round < ROUNDS; round++) {
      const sentence = `remind me ${Array.from({ length: 2 + roll(9) }, () => pick(roll, WORDS)).join(' ')}`;
      const found = find(sentence);
      if (isSaved(found)) expect(timeIn(found.rest), `${sentence} -> ${found.rest}`).toEqual([]);
    }
  });

  test('every word of the sentence is in the time or in the text', () => {
    const roll = dice(16);
    const filler = /^(?:at|on|by|in|for|from|around|before|this|and|the|of|to)$/iu;
    for (let round = 0; round < ROUNDS; round++) {
      const words = Array.from({ length: 2 + roll(9) }, () => pick(roll, WORDS));
      const found = find(`remind me ${words.join(' ')}`);
      if (!isSaved(found)) continue;
      const kept = `${found.words} ${found.rest}`.split(' ');
      expect(words.filter((word) => !kept.includes(word) && !filler.test(word))).toEqual([]);
    }
  });

  test.each([
    ['en', english, 'to call Ingrid', 'remind me'],
    ['de', german, 'an den Zahnarzt', 'erinnere mich'],
  ] as const)(
    '%s: a phrase that stands with a task is the same time as alone, or asked about',
    (_name, said, task, lead) => {
      const different = said.flatMap((phrase) => {
        const alone = find(phrase);
        const among = find(`${lead} ${phrase} ${task}`);
        const same =
          alone && among && alone.kind === among.kind && (!isSaved(among) || firstOf(alone) === firstOf(among));
        return same && among.rest === `${lead} ${task}` ? [] : [`${phrase}: ${JSON.stringify(among)}`];
      });
      expect(different).toEqual([]);
    },
  );

  test.each([
    [
      'en',
      english,
      ['tomorrow', 'on monday', 'at 5pm', 'in 20 minutes', 'every friday', 'the week after'],
      'remind me',
    ],
    ['de', german, ['morgen', 'am Montag', 'um 17 Uhr', 'in 20 Minuten', 'jeden Freitag'], 'erinnere mich'],
  ] as const)(
    '%s: a second time in the sentence changes what is saved, or is asked about',
    (_name, said, more, lead) => {
      const ignored = said.flatMap((phrase) =>
        more.flatMap((extra) => {
          const both = find(`${lead} ${phrase} ${extra} anzurufen`);
          return isSaved(both) && timeIn(both.rest).length > 0 ? [`${phrase} ${extra}`] : [];
        }),
      );
      expect(ignored).toEqual([]);
    },
  );
});

describe('a slip of one letter', () => {
  const TIME_WORD = /^\p{L}{5,}$/u;
  const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

  function slipped(word: string, roll: (count: number) => number): string {
    const at = roll(word.length);
    const letter = LETTERS[roll(LETTERS.length)] ?? 'x';
    return pick(roll, [
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + letter + word.slice(at),
      word.slice(0, at) + letter + word.slice(at + 1),
      word.slice(0, at) + (word[at + 1] ?? '') + (word[at] ?? '') + word.slice(at + 2),
    ]);
  }

  test.each([
    ['en', english, 'remind me', 'to call Ingrid', /^(?:monday|sunday|fourth|ninety|forty|sixty|month|months)$/iu],
    ['de', german, 'erinnere mich', 'an den Zahnarzt', /^(?:montag|sonntag)$/iu],
  ] as const)('%s: it never gives another time', (_name, said, lead, task, twins) => {
    const roll = dice(17);
    const wrong = said.flatMap((phrase) => {
      const words = phrase.split(' ');
      const index = words.findIndex(
        (word) => TIME_WORD.test(word) && readSentence(word).pieces.length + readSentence(word).unused.length > 0,
      );
      const word = words[index];
      if (word === undefined) return [];
      const typo = slipped(word, roll);
      if (twins.test(typo)) return [];
      const right = find(`${lead} ${phrase} ${task}`);
      const found = find(`${lead} ${words.with(index, typo).join(' ')} ${task}`);
      return right && isSaved(found) && firstOf(found) !== firstOf(right) ? [`${word} -> ${typo}: ${phrase}`] : [];
    });
    expect(wrong).toEqual([]);
  });
});
