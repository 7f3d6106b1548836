import { describe, expect, test } from 'vitest';
import type { Hit } from '../rag/types.ts';
import { rank } from './candidates.ts';
import { coverage, lacksThing, nameOf, sumOf, weightsOf } from './coverage.ts';
import { partsOf } from './extract.ts';
import { readerFor } from './reader.ts';
import { hasFormOf, hasHeadOf, hasPartOf, isHeadOf, isJoined, said } from './word-match.ts';

const [english, german] = [readerFor('what is it'), readerFor('was ist das')];
const hit = (text: string, more: Partial<Hit> = {}): Hit => ({
  ...{ text, heading: [], citation: '[a.md]', score: 1, chunkId: 1, documentId: 'a', file: 'a.md' },
  ...more,
});
const rounded = (weights: ReadonlyMap<string, number>) =>
  Object.fromEntries([...weights].map(([word, weight]) => [word, Number(weight.toFixed(3))]));

describe('words', () => {
  test.each([
    ['boat', ['boat'], english, 1],
    ['boat', ['ship'], english, 0.6],
    ['boat', ['sea'], english, 0],
    ['untermiet', ['untermietung'], german, 0.9],
    ['untermiet', ['untermietung'], english, 0],
  ])('%s is said by %j', (word, own, reader, share) => expect(said(word, new Set(own), reader)).toBe(share));

  test.each([
    ['mietung', 'mietungende', true],
    ['mietungende', 'mietung', true],
    ['mietung', 'mietungendes', false],
    ['mietun', 'mietunge', false],
    ['mietung', 'vermietung', false],
    ['mietung', 'mietung', true],
  ])('%s and %s are forms of one word: %s', (word, other, expected) => {
    expect(hasFormOf(word, new Set(['nichts', other]))).toBe(expected);
    expect(hasFormOf(word, new Set())).toBe(false);
  });

  test.each([
    ['wollprogramm', ['woll'], ['programm'], true],
    ['hochzeitsfeier', ['hochzeit'], ['feier'], true],
    ['zeckentablette', ['zeck'], ['tablette'], true],
    ['wollprogramm', ['woll'], ['gramm'], false],
    ['wollprogramm', ['seide'], ['programm'], false],
    ['woprogramm', ['wo'], ['programm'], false],
    ['abcdef', ['abc'], ['def'], true],
    ['abcdef', ['abcd'], ['ef'], false],
  ])('%s is joined of %j and %j: %s', (word, own, more, expected) => {
    expect(isJoined(word, new Set(own), new Set([...own, ...more]))).toBe(expected);
  });

  test.each([
    ['salat', 'kartoffelsalat', true],
    ['kartoffel', 'kartoffelsalat', false],
    ['salat', 'salat', false],
    ['tor', 'motor', false],
    ['rohr', 'wasserrohr', true],
  ])('%s is the head of %s: %s', (word, other, expected) => {
    expect(isHeadOf(word, new Set(['nichts', other]))).toBe(expected);
  });

  test.each([
    ['kartoffelsalat', 'salat', true],
    ['salat', 'kartoffelsalat', false],
    ['salat', 'salat', false],
    ['motor', 'tor', true],
    ['motor', 'or', false],
    ['kartoffelsalat', 'kartoffel', false],
  ])('%s has the head %s: %s', (word, other, expected) => {
    expect(hasHeadOf(word, new Set(['nichts', other]))).toBe(expected);
  });

  test.each([
    ['kündigungsfrist', 'kündigung', english, true],
    ['kündigung', 'kündigungsfrist', english, true],
    ['frist', 'kündigungsfrist', english, true],
    ['miet', 'mietvertrag', english, false],
    ['mietvertrag', 'miet', english, false],
    ['reitstund', 'stund', english, false],
    ['urlaubstag', 'erholungsurlaub', german, true],
    ['erholungsurlaub', 'urlaubstag', german, true],
    ['urlaubstag', 'erholungsurlaub', english, false],
    ['urlaubstag', 'gehaltsurla', german, false],
  ])('%s has a part of %s: %s', (word, other, reader, expected) => {
    expect(hasPartOf(word, new Set(['nichts', other]), reader)).toBe(expected);
  });
});

test('the name of a file is read with umlauts that it may have written out', () => {
  expect(nameOf(hit('', { file: 'ruegen_reise-plaene.quelle.md' }))).toBe(
    'ruegen reise-plaene quelle md rugen reise-plane quelle md',
  );
});

describe('weights', () => {
  test('what nothing speaks of weighs more, verbs of everything less, and what is said twice twice', () => {
    const hits = [hit('The tyre is new.', { heading: ['Bike'] }), hit('Nothing.')];
    const [found, unmet] = [Math.log(1 + 3 / 1.5), Math.log(1 + 3 / 0.5)];
    expect(rounded(weightsOf("bike's tyre get tyre tyre pump's", hits, english))).toEqual(
      rounded(
        new Map([
          ['bike', found],
          ['tyre', 2 * found],
          ['get', 0.3 * unmet],
          ['pump', 1.5 * unmet],
        ]),
      ),
    );
  });

  test('of two things that are asked about one is lacking', () => {
    const asked = { question: '', resolved: 'Was kostet das Auto in der Werkstatt?' };
    expect(lacksThing(asked, [hit('Das Auto ist neu.')])).toBe(true);
    expect(lacksThing(asked, [hit('Das Auto ist neu.'), hit('', { file: 'werkstatt.md' })])).toBe(false);
    expect(lacksThing(asked, [hit('Das Auto ist in der Autowerkstatt.')])).toBe(false);
    expect(lacksThing({ question: '', resolved: 'Was kostet das Auto?' }, [hit('Nichts.')])).toBe(false);
    expect(lacksThing({ question: '', resolved: 'what is the car and the tyre' }, [hit('None.')])).toBe(false);
  });

  test('numbers are added up', () => expect(sumOf(new Set([1, 2, 4]))).toBe(7));
});

describe('a sentence covers', () => {
  const covered = (word: string, text: string, more: Partial<Hit> & { header?: string; german?: boolean } = {}) => {
    const reader = more.german ? german : english;
    const sentence = { text, shown: text, header: more.header ?? '', isFragment: false };
    return coverage(sentence, hit(text, more), { weights: new Map([[word, 1]]), total: 2, reader }).get(word);
  };
  test.each<[string, string, string, Parameters<typeof covered>[2], number | undefined]>([
    ['its own words', 'tyre', 'A tyre', {}, 0.5],
    ['words of the same meaning', 'boat', 'A ship', {}, 0.3],
    ['half of what stands above it', 'tyre', 'New', { heading: ['Tyre', 'Bike'] }, 0.25],
    ['half of the header of its table', 'tyre', 'New', { header: 'tyre' }, 0.25],
    ['all of a question above it', 'tyre', 'New', { heading: ['What of the tyre? '] }, 0.5],
    ['half of a question further above', 'tyre', 'New', { heading: ['What of the tyre?', 'Bike'] }, 0.25],
    ['half of the name of its file', 'tyre', 'New', { file: 'tyre.md' }, 0.25],
    ['half of a part of the name', 'tyres', 'New', { file: 'tyresize.md' }, 0.25],
    ['half of a word that has it', 'press', 'An espressopress', {}, 0.25],
    ['nothing of parts above it', 'press', 'New', { heading: ['Espressopress'] }, undefined],
    ['nothing else', 'tyre', 'A wheel', {}, undefined],
    ['nothing without a word of its own', 'tyre', '?', { heading: ['Tyre'] }, undefined],
    ['in German more of what stands above it', 'reif', 'Neu', { heading: ['Reif'], german: true }, 0.35],
    ['in German what its head stands for', 'lastenrad', 'Ein Rad', { heading: ['Lastenrad'], german: true }, 0.35],
    ['in German what it joins', 'wollprogramm', 'Woll', { heading: ['Programm'], german: true }, 0.45],
    ['in German the head of a word above it', 'supp', 'Neu', { heading: ['Kartoffelsuppe'], german: true }, 0.35],
    ['in German a part of a word above it', 'kartoffel', 'Neu', { heading: ['Kartoffelauflauf'], german: true }, 0.125],
  ])('%s', (_what, word, text, more, share) => expect(covered(word, text, more)).toBe(share));
});

describe('a sentence is worth', () => {
  /** What a sentence scores relative to its plainest form. */
  const worth = (question: string, text: string, more: Partial<Hit> = {}) => {
    const [found] = rank({ question, resolved: question }, [hit(text, more)]);
    return found && Number((found.worth / found.share).toFixed(3));
  };
  test.each<[string, string, string, Partial<Hit>, number | undefined]>([
    ['all it covers', 'the boiler service', 'The boiler is new.', {}, 1],
    ['less in a passage of half the score', 'the boiler service', 'The boiler is new.', { score: 0.5 }, 0.7],
    ['half when it asks', 'the boiler service', 'Is the boiler new?', {}, 0.5],
    ['less when it goes on', 'the boiler service', 'Then the boiler is new.', {}, 0.6],
    ['half when what must not be is asked', 'what must the boiler not do', 'The boiler is new.', {}, 0.5],
    ['all when it says so', 'what must the boiler not do', 'The boiler is not new.', {}, 1],
    ['more below a heading of it', 'the boiler', 'It is new.', { heading: ['A', 'Boiler'] }, 1.5],
    ['no more below a title', 'the boiler', 'It is new.', { heading: ['Boiler'] }, 1],
    ['nor below a heading that says more', 'the boiler', 'It is new.', { heading: ['A', 'Boiler of steel'] }, 1],
    ['less of what the other side does', 'can I move', 'The landlord can move.', {}, 0.8],
  ])('%s', (_what, question, text, more, expected) => expect(worth(question, text, more)).toBe(expected));

  test('nothing where it quotes the question, or says nothing of it; each is told once, better passages first', () => {
    const found = rank({ question: 'where is the boiler key', resolved: 'where is the boiler key' }, [
      hit('Ask: where is the boiler key? The key hangs here.', { score: 0.5 }),
      hit('The key hangs here. The boiler key hangs there. Bye.'),
    ]);
    expect(found.map(({ text, order }) => [text, order])).toEqual([
      ['The boiler key hangs there.', 1],
      ['The key hangs here.', 0],
      ['Bye.', 1],
    ]);
    expect(rank({ question: '?', resolved: '?' }, [hit('It is here.')])).toEqual([]);
  });
});

describe('of several questions', () => {
  const parts = (question: string, more = '') =>
    partsOf({ question, resolved: `${question}${more}` }).map((part) => [part.question, part.resolved]);
  test.each<[string, string, readonly (readonly string[])[]]>([
    ['when is choir?', '', [['when is choir?', 'when is choir?']]],
    ['tea and how it is made', '', [['tea and how it is made', 'tea and how it is made']]],
    [
      'when is the party and who brings the cake?',
      ' birthday',
      [
        ['when is the party', 'when is the party birthday'],
        ['who brings the cake?', 'who brings the cake? who brings the cake? party birthday'],
      ],
    ],
    [
      'how much is the rent? And who gets it?',
      '',
      [
        ['how much is the rent', 'how much is the rent'],
        ['who gets it?', 'who gets it? who gets it? rent'],
      ],
    ],
    [
      'wann ist das Fest, und wer bringt Kuchen mit',
      '',
      [
        ['wann ist das Fest', 'wann ist das Fest'],
        ['wer bringt Kuchen mit', 'wer bringt Kuchen mit wer bringt Kuchen mit Fest'],
      ],
    ],
  ])('%s', (question, more, expected) => expect(parts(question, more)).toEqual(expected));
});
