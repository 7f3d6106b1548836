import { expect, test } from 'vitest';
import type { Provenance } from '../../base/turn.ts';
import { CLEAN, Labels, mergeSources } from './labels.ts';

const PAGE = { untrusted: true, private: false };
const DIARY = { untrusted: false, private: true };
const CLOCK = { untrusted: false, private: false };

function kept(start: Provenance = CLEAN) {
  const saved: Provenance[] = [];
  const labels = new Labels(start, async (each) => {
    saved.push(each);
  });
  return { labels, saved };
}

test('a conversation begins with what it had read before', () => {
  const start = { untrusted: true, private: false, sources: ['fetch_text https://a.example'] };
  expect(kept(start).labels.provenance()).toEqual(start);
  expect(kept().labels.provenance()).toEqual(CLEAN);
});

test('each flag is set by its own text alone, stays, and is kept with the source', async () => {
  const { labels, saved } = kept();
  await labels.read(PAGE, 'page');
  expect([labels.untrusted, labels.private]).toEqual([true, false]);
  await labels.read(DIARY, 'diary');
  await labels.read(CLOCK, 'clock');
  expect([labels.untrusted, labels.private]).toEqual([true, true]);
  expect(saved).toEqual([
    { untrusted: true, private: false, sources: ['page'] },
    { untrusted: true, private: true, sources: ['page', 'diary'] },
  ]);
});

test('text without labels is neither named nor kept, nor is a source that is known', async () => {
  const { labels, saved } = kept();
  await labels.read(CLOCK, 'clock');
  expect(labels.provenance()).toEqual(CLEAN);
  await labels.read(PAGE, 'page');
  await labels.read(PAGE, 'page');
  expect(labels.provenance().sources).toEqual(['page']);
  expect(saved).toHaveLength(1);
});

test('each further source of untrusted or private text is named', async () => {
  const { labels } = kept();
  for (const [index, text] of [PAGE, PAGE, DIARY, DIARY].entries()) await labels.read(text, `source ${index}`);
  expect(labels.provenance().sources).toEqual(['source 0', 'source 1', 'source 2', 'source 3']);
});

test.each([
  ['private', PAGE],
  ['untrusted', DIARY],
])('a known source whose text is now %s as well sets that flag', async (flag, before) => {
  const { labels } = kept();
  await labels.read(before, 'mail');
  await labels.read({ untrusted: true, private: true }, 'mail');
  expect(labels.provenance()).toMatchObject({ [flag]: true });
});

test('of many sources the newest twelve are named', async () => {
  const { labels } = kept();
  for (let n = 1; n <= 14; n++) await labels.read(PAGE, `page ${n}`);
  expect(labels.provenance().sources).toEqual(Array.from({ length: 12 }, (_, index) => `page ${index + 3}`));
  expect(mergeSources(['a', 'b'], ['c', 'a'])).toEqual(['b', 'c', 'a']);
  expect(
    mergeSources(
      ['old'],
      Array.from({ length: 12 }, (_, n) => `${n}`),
    ),
  ).not.toContain('old');
});

test('a save that failed is made again with the next text, also one that tells nothing new', async () => {
  let failures = 1;
  const saved: Provenance[] = [];
  const labels = new Labels(CLEAN, async (each) => {
    if (failures-- > 0) throw new Error('disk full');
    saved.push(each);
  });
  await expect(labels.read(PAGE, 'page')).rejects.toThrow('disk full');
  await labels.read(PAGE, 'page');
  expect(saved).toEqual([{ untrusted: true, private: false, sources: ['page'] }]);
});

test('the flags are there at once, and the caller waits for the save', async () => {
  let done = false;
  const labels = new Labels(CLEAN, async () => {
    await new Promise((later) => setTimeout(later, 5));
    done = true;
  });
  const reading = labels.read(PAGE, 'page');
  expect(labels.untrusted).toBe(true);
  expect(done).toBe(false);
  await reading;
  expect(done).toBe(true);
});
