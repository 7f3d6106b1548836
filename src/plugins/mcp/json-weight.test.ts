import { expect, test } from 'vitest';
import { tooHeavy } from './json-weight.ts';

const DEEP = 'a message nested deeper than 100 levels';
const LARGE = 'a message of more than 100000 parts';
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test.each<[what: string, json: string, why: string | undefined]>([
  ['nothing', '', undefined],
  ['a message', '{"a": [1, {"b": "c"}]}', undefined],
  ['lists on 100 levels', nested(100), undefined],
  ['lists on 101', nested(101), DEEP],
  ['objects on 100 levels', '{"a":'.repeat(100), undefined],
  ['objects on 101', '{"a":'.repeat(101), DEEP],
  ['lists and objects together', '[{"a":'.repeat(51), DEEP],
  ['lists side by side', `[${'[],'.repeat(500)}[]]`, undefined],
  ['objects side by side', `[${'{},'.repeat(500)}{}]`, undefined],
  ['brackets in a text', `["${'[{'.repeat(200)}"]`, undefined],
  ['brackets after a text', `["a",${nested(100)}]`, DEEP],
  ['ends in a text', `${'["]}",'.repeat(101)}`, DEEP],
  ['a quote in a text', `["\\"${'['.repeat(200)}"]`, undefined],
  ['a backslash at the end of a text', `["\\\\",${nested(100)}]`, DEEP],
  ['a backslash and a quote in a text', `["\\\\\\"${'['.repeat(200)}"]`, undefined],
  ['an empty text', `["",${nested(100)}]`, DEEP],
  ['a text without end', `"${'['.repeat(200)}`, undefined],
  ['a text whose end is escaped', `"${'['.repeat(200)}\\"`, undefined],
  ['100,000 parts', `[${'{},'.repeat(99_998)}{}]`, undefined],
  ['100,001 parts', `[${'{},'.repeat(99_999)}[]]`, LARGE],
])('%s', (_what, json, why) => {
  expect(tooHeavy(Buffer.from(json))).toBe(why);
});
