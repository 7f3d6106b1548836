import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Schema } from '../../tools/signature.ts';
import {
  checkJsonSchema,
  keywordValue,
  localTarget,
  pointerPath,
  shownSchema,
  withoutPatterns,
} from './json-schema.ts';
import { adaptSchema } from './schema.ts';

/** A Standard Schema with this judgement, which describes itself as any object. */
const standard = (validate: (value: unknown) => unknown) => ({
  '~standard': { version: 1, vendor: 'test', validate, jsonSchema: { input: () => ({ type: 'object' }) } },
});

describe('a schema that judges by itself', () => {
  test('hands on what it has read, or the value as it came', async () => {
    const schema = standard(() => ({ value: { read: true } }));
    expect((await adaptSchema(schema)).parse({ a: 1 })).toEqual({ read: true });
    expect((await adaptSchema(schema, { original: true })).parse({ a: 1 })).toEqual({ a: 1 });
  });

  test.each<[what: string, issues: unknown, path: string, message: string]>([
    ['a path', [{ message: 'no', path: ['a', 0] }], 'a.0', 'no'],
    ['a path of keys', [{ message: 'no', path: [{ key: 'a' }, { key: 1 }] }], 'a.1', 'no'],
    ['no path', [{ message: 'no' }], '', 'no'],
    ['no words', [{}], '', 'is not valid'],
    ['nothing', ['odd'], '', 'is not valid'],
    ['a set', new Set([{ message: 'no' }]), '', 'no'],
  ])('refuses with %s', async (_what, issues, path, message) => {
    const adapted = await adaptSchema(standard((value) => ('bad' in (value as object) ? { issues } : { value })));
    expect(adapted.safeParse({ bad: 1 }).error?.issues).toMatchObject([
      {
        code: 'custom',
        message,
        path: path === '' ? [] : path.split('.').map((step) => (step === 'a' ? step : Number(step))),
      },
    ]);
  });

  test('refuses a value at which it throws, or of which it thinks too long', async () => {
    const odd = standard((value) => {
      if ('throws' in (value as object)) throw new Error('out of cheese');
      return 'late' in (value as object) ? Promise.resolve({ value }) : { value };
    });
    for (const options of [{}, { original: true }]) {
      const adapted = await adaptSchema(odd, options);
      const said = (value: object) =>
        adapted.safeParse(value).error?.issues.map(({ message, path }) => [message, path]);
      expect(said({ throws: 1 })).toEqual([['cannot be checked: out of cheese', []]]);
      expect(said({ late: 1 })).toEqual([['its schema answers too late', []]]);
    }
  });

  test.each([
    ['gives a promise', () => Promise.resolve({ value: 1 })],
    [
      'throws',
      () => {
        throw new Error('not now');
      },
    ],
  ])('is refused when it %s at once', async (_what, validate) => {
    const wanted = new TypeError('it validates asynchronously, which is not supported');
    await expect(adaptSchema(standard(validate))).rejects.toThrow(wanted);
  });

  test('may be a function, or an older zod without a standard', async () => {
    const callable = Object.assign(
      () => 7,
      standard((value) => ({ value })),
    );
    expect((await adaptSchema(callable)).parse({ a: 1 })).toEqual({ a: 1 });
  });

  test('of a result may be of anything', async () => {
    expect((await adaptSchema({ type: 'string' }, { anyValue: true })).safeParse('a').success).toBe(true);
    const wanted = new TypeError('it takes string or null, not an object with fields');
    await expect(adaptSchema({ type: ['string', 'null'] })).rejects.toThrow(wanted);
    await expect(adaptSchema(z.string())).rejects.toThrow('it takes string, not an object with fields');
  });
});

describe('a JSON Schema', () => {
  const said = async (schema: object, value: unknown) =>
    (await adaptSchema(schema)).safeParse(value).error?.issues.map(({ message, path }) => [path.join('.'), message]);

  test('names each field that is missing or unknown', async () => {
    const schema = { type: 'object', required: ['a', 'b', 'c'], properties: { a: {}, no: false } };
    expect(await said(schema, { c: 1 })).toEqual([
      ['a', 'missing'],
      ['b', 'missing'],
    ]);
    const closed = { type: 'object', properties: { a: {} }, additionalProperties: false };
    expect(await said(closed, { a: 1, b: 2 })).toEqual([['b', 'unknown field']]);
  });

  test.each<[schema: object, why: string]>([
    [{ type: ['object', 'strin'] }, '#: unknown type "strin"'],
    [{ type: 'object', properties: 7 }, '#: "properties" must be an object'],
    [{ required: ['a', 7] }, '#: "required" must be a list of names'],
    [{ enum: 'a' }, '#: "enum" must be a list'],
    [{ $ref: '#/$defs/a' }, '#: there is no "#/$defs/a"'],
    [{ $ref: 7 }, '#: there is no 7'],
    [{ $ref: '#/title', title: 'a' }, '#: there is no "#/title"'],
    [{ properties: { a: 7 } }, '#/properties/a: this is not a schema'],
    [{ items: [{}, { pattern: '(' }] }, '#/items: "(" is not a regular expression'],
    [{ patternProperties: { '(': {} } }, '#: "(" is not a regular expression'],
    [{ $defs: { a: { not: { pattern: 7 } } } }, '#/$defs/a/not: 7 is not a regular expression'],
  ])('%j is refused with its place', (schema, why) => {
    expect(() => checkJsonSchema(schema as Schema)).toThrow(new TypeError(why));
  });

  test('may have schemas that are yes or no, and references to them', () => {
    expect(() =>
      checkJsonSchema({ properties: { a: true }, $defs: { b: false }, not: { $ref: '#/$defs/b' } }),
    ).not.toThrow();
  });

  test('nested deeper than a hundred levels is refused', () => {
    const deep = Array.from({ length: 101 }).reduce<object>((inner) => ({ not: inner }), {});
    expect(() => checkJsonSchema(deep as never)).toThrow(new TypeError('the schema is nested too deeply'));
  });

  test('loses its patterns wherever they are, and nothing else', () => {
    const schema = {
      pattern: 'a',
      type: 'object',
      items: [{ pattern: 'b', title: 'x' }],
      properties: { pattern: { pattern: 'c', type: 'string' } },
      patternProperties: { d: {} },
    };
    expect(withoutPatterns(schema)).toEqual({
      type: 'object',
      items: [{ title: 'x' }],
      properties: { pattern: { type: 'string' } },
    });
  });

  test('is shown without what names it, each reference by what it stands for', () => {
    const schema = {
      $schema: 'x',
      $id: 'y',
      id: 'z',
      title: 't',
      properties: { a: { $ref: '#/$defs/b', title: 'own' } },
      $defs: { b: { type: 'string', title: 'b' } },
    };
    expect(shownSchema(schema)).toEqual({ title: 't', properties: { a: { type: 'string', title: 'own' } } });
  });

  test('that would be shown too large is shown as it came', () => {
    const pair = (n: number) => ({ allOf: [{ $ref: `#/$defs/d${n}` }, { $ref: `#/$defs/d${n}` }] });
    const defs = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`d${n}`, pair(n + 1)]));
    const body = { type: 'object', anyOf: Array.from({ length: 200 }, () => pair(0)) };
    expect(shownSchema({ $id: 'x', ...body, $defs: defs })).toEqual({ ...body, $defs: defs });
    const older = {
      ...body,
      anyOf: JSON.parse(JSON.stringify(body.anyOf).replaceAll('$defs', 'definitions')),
      definitions: JSON.parse(JSON.stringify(defs).replaceAll('$defs', 'definitions')),
    };
    expect(shownSchema(older)).toStrictEqual(older);
  });
});

test('a pointer names a place, with its signs', () => {
  expect(pointerPath('#/a~1b/c~0d/e%20f')).toEqual(['a/b', 'c~d', 'e f']);
  const root = { a: [{ b: 1 }], $defs: { c: { required: ['x'] } }, d: { $ref: '#/$defs/c' } };
  expect(localTarget(root, '#')).toBe(root);
  expect(localTarget(root, '#/a/0/b')).toBe(1);
  expect([localTarget(root, '#/constructor'), localTarget(root, '#a'), localTarget(root, 'a/0')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(keywordValue(root, '#/d/$ref/required')).toEqual(['x']);
  expect([keywordValue(root, '#/a/0/b'), keywordValue(root, '#/a/0/b/c')]).toEqual([1, undefined]);
});
