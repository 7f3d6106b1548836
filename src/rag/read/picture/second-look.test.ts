import { expect, test } from 'vitest';
import { lookedAtAgain } from './second-look.ts';
import type { Recognise } from './tesseract-lines.ts';

const PICTURE = { width: 200, height: 100, data: new Uint8Array(200 * 100).fill(250) };
const word = (text: string, confidence: number) => ({ text, confidence, bbox: { x0: 20, y0: 30, x1: 90, y1: 50 } });
type Read = readonly [text: string, confidence: number];

/** How a word is read at last, by what is seen in it as part of a page, as a line, as a word and as a larger one. */
async function readAs(views: readonly Read[]) {
  const [page = ['', 0], ...others] = views;
  const asked: string[] = [];
  const recognise: Recognise = async ({ width, height }, as = 'page') => {
    const [text, confidence] = others[asked.length] ?? ['', 0];
    asked.push(`${as} ${width}x${height}`);
    return [{ paragraph: 0, words: text.split(' ').map((each) => word(each, confidence)) }];
  };
  const [found] = await lookedAtAgain([{ paragraph: 0, words: [word(...page)] }], PICTURE, recognise);
  return { read: found?.words.map(({ text, confidence }) => [text, confidence]), asked };
}

test.each<readonly [string, readonly Read[], Read]>([
  [
    'all others agree',
    [
      ['13475', 62],
      ['134.75', 88],
      ['134.75', 96],
      ['134.75', 90],
    ],
    ['134.75', 96],
  ],
  [
    'two agree, and outweigh the rest',
    [
      ['21037', 60],
      ['21:37', 60],
      ['21.37', 91],
      ['21.37', 79],
    ],
    ['21.37', 91],
  ],
  [
    'two agree, against one that is sure',
    [
      ['7423', 85],
      ['7,23', 96],
      ['7:23', 17],
      ['7:23', 61],
    ],
    ['7:23', 17],
  ],
  [
    'two stand against two',
    [
      ['13:95', 89],
      ['13:95', 78],
      ['13.95', 96],
      ['13.95', 95],
    ],
    ['13.95', 95],
  ],
  [
    'each is another',
    [
      ['15.21', 91],
      ['15521', 49],
      ['15:21', 90],
      ['15.2%', 40],
    ],
    ['15.21', 40],
  ],
  [
    'it is no single word',
    [
      ['15.21', 84],
      ['15 21', 90],
      ['15 21', 90],
      ['1 5', 90],
    ],
    ['15.21', 0],
  ],
])('%s', async (_what, views, expected) => {
  const { read, asked } = await readAs(views);
  expect(read).toEqual([expected]);
  expect(asked).toEqual(['line 120x60', 'word 80x40', 'word 160x80']);
});

test.each<readonly [string, Read]>([
  ['a figure that was read surely', ['134.75', 93]],
  ['a word', ['Total', 40]],
])('%s is not looked at again', async (_what, page) => {
  expect(await readAs([page])).toEqual({ read: [page], asked: [] });
});

const at = (text: string, x0: number, x1: number) => ({ text, confidence: 96, bbox: { x0, y0: 30, x1, y1: 50 } });

test.each([
  ['is one figure again where views say so', '1556,36', ['1556,36']],
  ['stays apart where they do not', '1556', ['1556,', '36']],
])('what was taken apart at its mark %s', async (_what, seen, expected) => {
  const recognise: Recognise = async () => [{ paragraph: 0, words: [word(seen, 95)] }];
  const read = async (words: readonly ReturnType<typeof at>[]) =>
    (await lookedAtAgain([{ paragraph: 0, words }], PICTURE, recognise)).flatMap((line) =>
      line.words.map(({ text }) => text),
    );
  expect(await read([at('1556,', 20, 70), at('36', 75, 95)])).toEqual(expected);
  expect(await read([at('1556,', 20, 70), at('36', 90, 110)])).toEqual(['1556,', '36']);
});
