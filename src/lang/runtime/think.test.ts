import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { ModelHttpError } from '../../models/guard-fetch.ts';
import { scriptedHost } from '../../testing/ai-host.ts';
import { AnswerCache } from './cache.ts';
import { zodSchema } from './schema.ts';
import { collectStream, infer, judgeOf, reason, streamInfer, streamThink, think } from './think.ts';

const NUMBER = { type: 'integer' };
const WRAPPED = { type: 'object', properties: { value: NUMBER }, required: ['value'], additionalProperties: false };
const REFUSED = 'An earlier answer was refused:';

describe('a model is asked', () => {
  test('for a text, which is trimmed', async () => {
    const { host, model, picked, asked } = scriptedHost([' Hello. \n']);
    expect(await think(host, { prompt: 'Greet sk-secret', model: 'm2' })).toBe('Hello.');
    expect(asked()).toEqual([['Greet [key]']]);
    expect(model.requests[0]?.messages[0]?.text).toBe(
      'You answer for a program. Give exactly what is asked for, without any words around it.',
    );
    expect(picked).toMatchObject([
      { profile: 'TOOL_EXECUTION', mode: 'classic_tools', project: 'home', purpose: 'think', model: 'm2' },
    ]);
    expect(picked[0]).toMatchObject({ answer: undefined, signal: host.signal });
  });

  test('for a value of a type, by the name of the type', async () => {
    const { host, picked } = scriptedHost(['{"value": 4}']);
    expect(await think(host, { prompt: 'p', jsonSchema: NUMBER, schemaName: 'My Number!' })).toBe(4);
    expect(picked[0]?.answer).toEqual({ name: 'My_Number_', schema: WRAPPED, byTool: false });
    const long = scriptedHost(['4']);
    expect(await think(long.host, { prompt: 'p', jsonSchema: NUMBER, schemaName: 'x'.repeat(70) })).toBe(4);
    expect(long.picked[0]?.answer?.name).toBe('x'.repeat(60));
    const unnamed = scriptedHost(['4']);
    await think(unnamed.host, { prompt: 'p', jsonSchema: NUMBER });
    expect(unnamed.picked[0]?.answer?.name).toBe('result');
  });

  test.each([
    ['a text', 'It rains', undefined, 'Infer the answer from this value:\nIt rains'],
    ['a record', { a: [1] }, undefined, 'Infer the answer from this value:\n{\n  "a": [\n    1\n  ]\n}'],
    ['nothing', undefined, undefined, 'Infer the answer from this value:\n'],
    ['with a hint', 'It rains', 'The weather', 'The weather\n\nThe value:\nIt rains'],
  ])('about a value: %s', async (_, value, hint, text) => {
    const { host, asked, picked } = scriptedHost(['x', 'y', 'z']);
    expect(await infer(host, { value, hint })).toBe('x');
    expect(await collectStream(streamInfer(host, { value, hint, context: { a: 1 } }))).toBe('y');
    expect(asked()).toEqual([[text], [`${text}\n\nContext:\n{\n  "a": 1\n}`]]);
    expect(picked.map(({ purpose }) => purpose)).toEqual(['infer', 'infer']);
  });

  test('to go step by step', async () => {
    const { host, asked, picked } = scriptedHost(['Ada']);
    const steps = ['List ten', { description: 'Shorten' }, { number: 7, description: 'Choose' }];
    expect(await reason(host, { goal: 'Find a name', steps })).toBe('Ada');
    expect(asked()).toEqual([
      ['Goal: Find a name\n\nTake these steps, in this order:\n1. List ten\n2. Shorten\n7. Choose'],
    ]);
    expect(picked).toMatchObject([{ purpose: 'reason', profile: 'COMPLEX_REASONING' }]);
  });

  test('whether a value meets a demand', async () => {
    const verdict = { passes: false, explanation: 'rude' };
    const { host, asked, picked } = scriptedHost([JSON.stringify(verdict), JSON.stringify(verdict)]);
    expect(await judgeOf(host)('Go away', 'polite')).toEqual(verdict);
    await judgeOf(host)({ a: 1 }, 'polite');
    const question = 'Does the value meet the criteria?\n\nCriteria: polite\n\nValue:\n';
    expect(asked()).toEqual([[`${question}Go away`], [`${question}{\n  "a": 1\n}`]]);
    expect(picked[0]).toMatchObject({
      purpose: 'semantic_assert',
      answer: {
        name: 'Verdict',
        schema: {
          type: 'object',
          properties: { passes: { type: 'boolean' }, explanation: { type: 'string' } },
          required: ['passes', 'explanation'],
          additionalProperties: false,
        },
      },
    });
  });
});

describe('the context', () => {
  test('goes along, without what is left out', async () => {
    const { host, asked, warnings } = scriptedHost(['x', 'y']);
    const options = { prompt: 'p', context: { a: 1, b: 2 }, withoutContext: ['b'] };
    await think(host, options);
    await collectStream(streamThink(host, options));
    expect(asked()).toEqual([['p\n\nContext:\n{\n  "a": 1\n}'], ['p\n\nContext:\n{\n  "a": 1\n}']]);
    expect(warnings).toEqual([]);
  });

  test('is cut with a warning where it is too long', async () => {
    const { host, warnings } = scriptedHost(['x']);
    await think(host, { prompt: 'p', context: { a: 'x'.repeat(300_000), b: 'y'.repeat(300_000), c: 1 } });
    expect(warnings).toEqual(['The context is too long; cut: a, b.']);
  });
});

describe('a refused answer', () => {
  test('of another type is put right in the same conversation', async () => {
    const { host, asked } = scriptedHost(['{"value": "four"}', '{"value": 4}']);
    expect(await think(host, { prompt: 'p', jsonSchema: NUMBER })).toBe(4);
    const [, again = []] = asked();
    expect(again.slice(0, 2)).toEqual(['p', '{"value": "four"}']);
    expect(again[2]).toMatch(/^The answer does not fit: .+; got "four"\. Send the whole answer again, corrected\.$/u);
    expect(again).toHaveLength(3);
  });

  test('that was a call is shown as its JSON', async () => {
    const call = { toolCalls: [{ name: 'answer', args: { value: 'four' } }] };
    const { host, asked } = scriptedHost([call, '4']);
    expect(await think(host, { prompt: 'p', jsonSchema: NUMBER })).toBe(4);
    expect(asked()[1]?.[1]).toBe('{"value":"four"}');
    const empty = scriptedHost(['', '4']);
    expect(await think(empty.host, { prompt: 'p', jsonSchema: NUMBER })).toBe(4);
    expect(empty.asked()[1]?.[1]).toBe('(nothing)');
  });

  test('is asked for anew where several attempts are allowed, with the reason', async () => {
    const { host, asked } = scriptedHost(['"four"', '4']);
    expect(await think(host, { prompt: 'p', jsonSchema: NUMBER, retryCount: 2 })).toBe(4);
    const [first, second] = asked();
    expect(first).toEqual(['p']);
    expect(second).toHaveLength(1);
    expect(second?.[0]).toMatch(
      /^p\n\nAn earlier answer was refused: The answer does not fit: .+ Give another one\.$/u,
    );
  });

  test('by a guard is one too, and what the caller knows of an earlier one is told at once', async () => {
    const guards = [{ name: 'length', constraint: 1, rangeEnd: 3 }];
    const { host, asked } = scriptedHost(['long', 'ok']);
    expect(await think(host, { prompt: 'p', guards, retryCount: 2 })).toBe('ok');
    expect(asked()).toEqual([
      ['p'],
      [`p\n\n${REFUSED} The guard length failed: wanted 1..3, got 4. Give another one.`],
    ]);
    const again = scriptedHost(['ok']);
    await think(again.host, { prompt: 'p', attempt: { feedback: 'Too long.', repair: false } });
    expect(again.asked()).toEqual([[`p\n\n${REFUSED} Too long. Give another one.`]]);
  });

  test('is not put right where the caller tries again by itself', async () => {
    const { host, model } = scriptedHost(['"four"', '4']);
    const asking = think(host, { prompt: 'p', jsonSchema: NUMBER, attempt: { repair: false } });
    await expect(asking).rejects.toMatchObject({ name: 'SchemaViolation', got: 'four' });
    expect(model.requests).toHaveLength(1);
  });

  test('gives way to the fallback in the end', async () => {
    const { host } = scriptedHost(['long']);
    const guards = [{ name: 'length', constraint: 9 }];
    expect(await think(host, { prompt: 'p', guards, fallback: () => 'usual' })).toBe('usual');
  });

  test('may be changed by the check of a type', async () => {
    const { host } = scriptedHost(['{"value": " x "}']);
    const options = zodSchema(z.union([z.string().trim(), z.number()]));
    expect(await think(host, { prompt: 'p', ...options })).toBe('x');
  });
});

describe('answers are remembered', () => {
  test('for a request that is the same in every respect', async () => {
    const { host, model } = scriptedHost(['1', '2', '3', '4'], { cache: new AnswerCache() });
    const ask = (own: object = {}) => think(host, { prompt: 'p', ...own });
    expect([await ask(), await ask(), await ask({ context: { a: 1 } }), await ask({ model: 'n' })]).toEqual([
      ...['1', '1', '2', '3'],
    ]);
    expect(await ask({ jsonSchema: NUMBER })).toBe(4);
    expect(await ask()).toBe('1');
    expect(model.requests).toHaveLength(4);
  });

  test('not for a second attempt', async () => {
    const { host } = scriptedHost(['1', '2'], { cache: new AnswerCache() });
    const attempt = { feedback: 'No.', repair: true };
    expect([await think(host, { prompt: 'p', attempt }), await think(host, { prompt: 'p', attempt })]).toEqual([
      ...['1', '2'],
    ]);
  });
});

test('a server that refuses schemas is asked by a tool, from then on', async () => {
  const error = new ModelHttpError('status', { status: 400 });
  const { host, picked } = scriptedHost([{ error }, '4', '5'], {}, 'takes-no-schemas');
  expect(await think(host, { prompt: 'p', jsonSchema: NUMBER })).toBe(4);
  expect(await think(host, { prompt: 'q', jsonSchema: NUMBER })).toBe(5);
  expect(picked.map(({ answer }) => answer?.byTool)).toEqual([false, true, false, true]);
  const still = scriptedHost([{ error }, '4'], {}, 'takes-no-schemas');
  await expect(think(still.host, { prompt: 'p', jsonSchema: NUMBER })).rejects.toBe(error);
});

describe('a stream', () => {
  test('gives the words as they arrive, for the same request', async () => {
    const { host, asked, picked } = scriptedHost(['One two three']);
    const words: string[] = [];
    const options = { prompt: 'Count sk-secret', jsonSchema: NUMBER, schemaName: 'N', model: 'm2' };
    for await (const word of streamThink(host, options)) words.push(word);
    expect(words).toEqual(['One', ' two', ' three']);
    expect(asked()).toEqual([['Count [key]']]);
    expect(picked).toMatchObject([
      { purpose: 'think', model: 'm2', answer: { name: 'N', schema: WRAPPED, byTool: false } },
    ]);
  });
});

describe('a failure', () => {
  const unreachable = new AssistantError('model_rejected', 'The key is wrong.', { hint: 'Set another.' });

  test.each(['asked', 'streamed'] as const)('of the model is one of a program: %s', async (how) => {
    const { host } = scriptedHost([{ error: unreachable }]);
    const options = { prompt: 'p', model: 'm2' };
    const asking = how === 'asked' ? think(host, options) : collectStream(streamThink(host, options));
    await expect(asking).rejects.toMatchObject({
      ...{ name: 'ModelUnavailable', message: 'The key is wrong.', model: 'm2', code: 'model_rejected' },
      ...{ hint: 'Set another.', cause: unreachable },
    });
  });

  test.each(['asked', 'streamed'] as const)('after an abort is its reason: %s', async (how) => {
    for (const whose of ['caller', 'host'] as const) {
      const control = new AbortController();
      const aborts = () => {
        control.abort('enough');
        return { error: unreachable };
      };
      const { host } = scriptedHost([aborts], whose === 'host' ? { signal: control.signal } : {});
      const options = { prompt: 'p', ...(whose === 'caller' && { abortSignal: control.signal }) };
      const asking = how === 'asked' ? think(host, options) : collectStream(streamThink(host, options));
      await expect(asking).rejects.toBe('enough');
    }
  });
});

test('what it costs is noted, and what the person should know is told', async () => {
  const { host, picked, warnings } = scriptedHost(['x']);
  await think(host, { prompt: 'p' });
  const tokens = { inputTokens: 10, outputTokens: 5, costUsd: 0.25 };
  picked[0]?.onUsage?.({ model: 'scripted:m', ...tokens, cachedTokens: 0, calls: 1 });
  picked[0]?.onNotice?.('The budget is used up.');
  expect(host.costs.records).toEqual([{ operation: 'think', model: 'scripted:m', ...tokens }]);
  expect(warnings).toEqual(['The budget is used up.']);
});
