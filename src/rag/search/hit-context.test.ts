import { expect, test } from 'vitest';
import type { StoredChunk } from './corpus.ts';
import { hitContext } from './hit-context.ts';

const chunk = (id: number, text: string, more: Partial<StoredChunk> = {}): StoredChunk => ({
  ...{ id, text, heading: ['Log'], title: null, file: 'log.md', documentId: 'log', sourceId: 1, ordinal: id, sha: '' },
  ...{ place: undefined, pages: undefined, lines: undefined, metadata: undefined, changedAt: new Date(0) },
  ...more,
});

test('what stands before and after a hit is told apart, and cited with it by its lines', () => {
  const around = [
    chunk(1, 'one', { heading: ['Log', 'May', 'First'], lines: [3, 4] }),
    chunk(2, 'two', { heading: ['Log', 'May', 'Second'], lines: [5, 9] }),
    chunk(3, 'three', { heading: ['Log', 'May'], lines: [10, 10] }),
    chunk(4, 'four', { heading: ['Log', 'May', 'Second'], lines: [11, 12] }),
  ];
  expect(hitContext(3, around)).toEqual({
    file: 'log.md',
    heading: ['Log', 'May'],
    pages: undefined,
    lines: [3, 12],
    place: undefined,
    before: 'one\n\ntwo',
    after: 'four',
    citation: '[log.md, May, lines 3-12]',
  });
});

test.each<[string, readonly Partial<StoredChunk>[], object]>([
  ['pages, of those that have them', [{ pages: [2, 3] }, {}, { pages: [5, 6] }], { pages: [2, 6] }],
  ['in any order', [{ lines: [8, 9] }, { lines: [1, 2] }], { lines: [1, 9] }],
  ['one place', [{ place: 'slide 2' }, { place: 'slide 2' }, {}], { place: 'slide 2' }],
  ['places', [{}, { place: 'slide 2' }, { place: 'slide 3' }, { place: 'slide 4' }], { place: 'slide 2 to slide 4' }],
  ['headings alike', [{ heading: ['A', 'B'] }, { heading: ['A', 'B'] }], { heading: ['A', 'B'] }],
  ['nothing in common', [{ heading: ['A', 'B'] }, { heading: ['C', 'B'] }], { heading: [] }],
])('%s', (_what, chunks, expected) => {
  const around = chunks.map((more, at) => chunk(at + 1, `${at + 1}`, more));
  const { pages, lines, place, heading } = hitContext(1, around);
  const none = { pages: undefined, lines: undefined, place: undefined, heading: ['Log'] };
  expect({ pages, lines, place, heading }).toEqual({ ...none, ...expected });
});

test('a hit alone has nothing around it', () => {
  expect(hitContext(1, [chunk(1, 'one')])).toMatchObject({ before: '', after: '', citation: '[log.md]' });
});
