import { expect, test } from 'vitest';
import type { Recognise } from './recognise.ts';
import { lookedAtAgain } from './second-look.ts';

const PICTURE = { width: 200, height: 100, data: new Uint8Array(200 * 100).fill(250) };
const word = (text: string, confidence: number) => ({ text, confidence, bbox: { x0: 20, y0: 30, x1: 90, y1: 50 } });
type Read = readonly [text: string, confidence: number];

/** How a word is read at last, by what is seen in it as part of a page, as a line and as a word. */
async function readAs(page: Read, line: Read, alone: Read) {
  const asked: string[] = [];
  const recognise: Recognise = async ({ width, height }, as = 'page') => {
    asked.push(`${as} ${width}x${height}`);
    const [text, confidence] = as === 'line' ? line : alone;
    return [{ paragraph: 0, words: text.split(' ').map((each) => word(each, confidence)) }];
  };
  const [found] = await lookedAtAgain([{ paragraph: 0, words: [word(...page)] }], PICTURE, recognise);
  return { read: found?.words.map(({ text, confidence }) => [text, confidence]), asked };
}

test.each([
  ['two other views agree', ['13475', 51], ['134.75', 86], ['134.75', 96], ['134.75', 86]],
  ['one of them agrees with the page', ['134.75', 60], ['13475', 97], ['134.75', 80], ['134.75', 60]],
  ['all agree, one of them surely', ['39,12', 56], ['39,12', 89], ['39,12', 56], ['39,12', 89]],
  ['each is another', ['15.21', 84], ['15521', 49], ['15:21', 90], ['15.21', 84]],
  ['it is no single word', ['15.21', 84], ['15 21', 90], ['15 21', 90], ['15.21', 84]],
] as const)('%s', async (_what, page, line, alone, expected) => {
  const { read, asked } = await readAs(page, line, alone);
  expect(read).toEqual([expected]);
  expect(asked).toEqual(['line 120x60', 'word 80x40']);
});

test.each([
  ['a figure that was read surely', ['134.75', 90]],
  ['a word', ['Total', 40]],
] as const)('%s is not looked at again', async (_what, page) => {
  const { read, asked } = await readAs(page, ['x', 1], ['x', 1]);
  expect([read, asked]).toEqual([[page], []]);
});
