import { describe, expect, test } from 'vitest';
import { scriptedHost } from '../../testing/ai-host.ts';
import { mapThink, reduceThink } from './map-think.ts';

describe('every item is asked about', () => {
  test('with the same words', async () => {
    const { host, asked, picked } = scriptedHost(['a', 'b', 'c']);
    const found = await mapThink(host, {
      items: ['Oslo', { city: 'Rome' }, undefined],
      prompt: 'Where?',
      maxConcurrency: 1,
    });
    expect(found).toMatchObject({ results: ['a', 'b', 'c'], errors: [] });
    expect(asked()).toEqual([
      ['Where?\n\nItem:\nOslo'],
      ['Where?\n\nItem:\n{"city":"Rome"}'],
      ['Where?\n\nItem:\nundefined'],
    ]);
    expect(picked.map(({ purpose }) => purpose)).toEqual(['map_think', 'map_think', 'map_think']);
  });

  test('with words of its own', async () => {
    const { host, asked } = scriptedHost(['a', 'b']);
    const promptTemplate = (item: string, index: number) => `${index}: ${item}?`;
    await mapThink(host, { items: ['x', 'y'], promptTemplate, maxConcurrency: 1, context: { a: 1 } });
    expect(asked().map(([text]) => text?.split('\n')[0])).toEqual(['0: x?', '1: y?']);
    expect(asked()[1]?.[0]).toContain('"a": 1');
  });

  test('alone where there are no words', async () => {
    const { host, asked } = scriptedHost(['a']);
    await mapThink(host, { items: ['x'] });
    expect(asked()).toEqual([['\n\nItem:\nx']]);
  });

  test('until what it costs is used up', async () => {
    const { host } = scriptedHost(['a', 'b', 'c']);
    host.costs.record({ operation: 'think', model: 'm', inputTokens: 1, outputTokens: 1, costUsd: 9 });
    const onItemComplete = () =>
      host.costs.record({ operation: 'map_think', model: 'm', inputTokens: 1, outputTokens: 1, costUsd: 0.5 });
    const options = { items: ['x', 'y', 'z'], prompt: 'p', maxConcurrency: 1, costBudget: 1, onItemComplete };
    expect(await mapThink(host, options)).toMatchObject({
      results: ['a', 'b'],
      stopped: { budgetUsd: 1, spentUsd: 1 },
    });
  });
});

describe('one answer is made of many', () => {
  test('group by group, until one is left', async () => {
    const { host, asked, picked } = scriptedHost(['ab', 'cd', 'e', 'abcd', 'e', 'all']);
    const options = { items: ['a', 'b', { c: 1 }, 'd', 'e'], prompt: 'Join', batchSize: 2, maxConcurrency: 1 };
    expect(await reduceThink(host, options)).toBe('all');
    expect(asked().map(([text]) => text?.replace('Join\n\nItems:\n', ''))).toEqual([
      ...['1. a\n2. b', '1. {"c":1}\n2. d', '1. e', '1. ab\n2. cd', '1. e', '1. abcd\n2. e'],
    ]);
    expect(new Set(picked.map(({ purpose }) => purpose))).toEqual(new Set(['reduce_think']));
  });

  test.each([
    [10, 1],
    [11, 3],
  ])('ten at a time: %i items take %i requests', async (count, requests) => {
    const { host, model } = scriptedHost(Array.from({ length: requests }, () => 'x'));
    await reduceThink(host, { items: Array.from({ length: count }, String), prompt: 'p' });
    expect(model.requests).toHaveLength(requests);
  });

  test('of a single one, and of none', async () => {
    const one = scriptedHost(['x']);
    expect(await reduceThink(one.host, { items: ['a'], prompt: 'Join' })).toBe('x');
    expect(one.asked()).toEqual([['Join\n\nItems:\n1. a']]);
    const none = scriptedHost(['y']);
    expect(await reduceThink(none.host, { items: [], prompt: 'Join' })).toBe('y');
    expect(none.asked()).toEqual([['Join\n\nItems:\n(none)']]);
    expect(none.picked[0]?.purpose).toBe('reduce_think');
  });

  test('three groups at once', async () => {
    let [running, most] = [0, 0];
    const slow = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
      return 'x';
    };
    const { host } = scriptedHost(Array.from({ length: 8 }, () => slow));
    await reduceThink(host, { items: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], prompt: 'p', batchSize: 2 });
    expect(most).toBe(3);
  });

  test('not of a group that fails, nor in groups of one', async () => {
    const { host, model } = scriptedHost(['{}', 'x']);
    const items = ['a', 'b', 'c'];
    const failing = reduceThink(host, {
      items,
      prompt: 'p',
      batchSize: 2,
      maxConcurrency: 1,
      guards: [{ name: 'length', constraint: 3 }],
    });
    await expect(failing).rejects.toMatchObject({ name: 'GuardFailed' });
    expect(model.requests).toHaveLength(1);
    await expect(reduceThink(host, { items, prompt: 'p', batchSize: 1 })).rejects.toThrow(
      'batchSize must be a whole number of at least 2, not 1.',
    );
  });

  test('not after an abort', async () => {
    const { host, model } = scriptedHost([]);
    const aborted = reduceThink(host, { items: ['a'], prompt: 'p', abortSignal: AbortSignal.abort('enough') });
    await expect(aborted).rejects.toMatchObject({ name: 'BatchAbortedError', cause: 'enough' });
    expect(model.requests).toEqual([]);
  });
});
