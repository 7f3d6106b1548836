import { expect, test } from 'vitest';
import { StoredValues } from './stored-values.ts';

const MOST = 4_000_000;

/** A journal that remembers what it was given to save. */
function journal(stored: Record<string, unknown> = {}, lastData?: unknown) {
  const saved: [string, unknown][] = [];
  return {
    saved,
    store: async (key: string, value: unknown) => void saved.push([key, value]),
    stored: async () => new Map(Object.entries(stored)),
    lastData: async () => lastData,
  };
}

test('a script gets what earlier ones stored, and stores more', () => {
  const values = new StoredValues();
  values.set('list', [1, 2]);
  const { initial, set } = values.forScript();
  expect(initial).toEqual({ list: [1, 2] });
  set('day', 'Friday');
  set('list', []);
  set('nothing', undefined);
  expect([...values.sizes()]).toEqual([
    ['list', 2],
    ['day', 8],
    ['nothing', 0],
  ]);
  expect(values.forScript().initial).toEqual({ list: [], day: 'Friday', nothing: undefined });
});

test('a turn that goes on has its values, and what the turn before kept', async () => {
  const kept = journal({ a: 1, b: [2] }, { n: 5 });
  const values = await StoredValues.load(kept);
  expect(values.forScript().initial).toEqual({ _lastData: { n: 5 }, a: 1, b: [2] });
  await values.saved();
  expect(kept.saved).toEqual([]);
});

test.each([undefined, null])('where the turn before kept %s, there is nothing', async (lastData) => {
  expect((await StoredValues.load(journal({}, lastData))).forScript().initial).toStrictEqual({});
});

test('values are saved by themselves, the newest of a key once', async () => {
  const kept = journal();
  const values = new StoredValues(kept);
  values.set('a', 1);
  values.set('b', 2);
  values.set('a', 3);
  await values.saved();
  expect(kept.saved).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
  values.set('b', 4);
  await new Promise((done) => setImmediate(done));
  expect(kept.saved.at(-1)).toEqual(['b', 4]);
});

test('without a journal nothing has to be saved', async () => {
  const values = new StoredValues();
  values.set('a', 1);
  expect(await values.saved()).toBeUndefined();
});

test('four million characters can be stored in one turn, and what does not fit is ignored', async () => {
  const kept = journal();
  const values = new StoredValues(kept);
  // With its quotes a text is two characters longer.
  values.set('whole', 'x'.repeat(MOST - 2));
  values.set('more', 1);
  expect([...values.sizes()]).toEqual([['whole', MOST]]);
  values.set('whole', 'x'.repeat(MOST - 1));
  expect([...values.sizes()]).toEqual([['whole', MOST]]);
  values.set('whole', 'x'.repeat(MOST - 12));
  values.set('more', 'y'.repeat(8));
  values.set('most', 1);
  expect([...values.sizes()]).toEqual([
    ['whole', MOST - 10],
    ['more', 10],
  ]);
  await values.saved();
  expect(kept.saved.map(([key]) => key)).toEqual(['whole', 'more']);
});

test('a value that could not be saved is saved with the next one, and what cannot be saved is reported', async () => {
  const saved = new Map<string, unknown>();
  let failures = 1;
  const values = new StoredValues({
    store: async (key, value) => {
      if (failures-- > 0) throw new Error('the database is away');
      saved.set(key, value);
    },
    stored: async () => saved,
  });
  values.set('a', 1);
  values.set('b', 2);
  await values.saved();
  expect(Object.fromEntries(saved)).toEqual({ a: 1, b: 2 });
  failures = Number.POSITIVE_INFINITY;
  values.set('a', 3);
  await expect(values.saved()).rejects.toThrow('the database is away');
});
