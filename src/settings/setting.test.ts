import { describe, expect, test } from 'vitest';
import {
  choice,
  decimal,
  flag,
  integer,
  list,
  optionalInteger,
  postgresUrl,
  rule,
  secret,
  secretUrl,
  text,
  url,
  word,
} from './setting.ts';

const about = { key: 'a.b', env: 'A_B', about: 'What it is for.', without: 'nothing' };
const unset = { ...about, default: undefined };
const range = { min: 2, max: 4 };

/** One setting of each kind. */
const kinds = () => ({
  text: text(unset),
  word: word({ ...about, default: 'x' }),
  secret: secret(unset),
  url: url(unset),
  secretUrl: secretUrl(unset),
  postgresUrl: postgresUrl(unset),
  integer: integer({ ...about, ...range, default: 3 }),
  optionalInteger: optionalInteger({ ...unset, ...range }),
  decimal: decimal({ ...unset, ...range }),
  flag: flag({ ...about, default: false }),
  choice: choice({ ...about, values: ['C', 'Fast'], older: { metric: 'C' }, default: 'C' }),
  rule: rule(unset),
  list: list({ ...about, default: [] }),
});

type Kind = keyof ReturnType<typeof kinds>;

test('a setting says all of itself', () => {
  const { schema, ...said } = secret({ ...unset, aliases: ['OLD'] });
  expect(schema.safeParse('k').data).toBe('k');
  expect(said).toEqual({ ...unset, aliases: ['OLD'], form: 'text, secret', secret: true });
  expect(kinds().word).toMatchObject({ aliases: [], default: 'x', form: 'text', secret: false });
});

test('what may hold a password is a secret', () => {
  const names = Object.entries(kinds()).flatMap(([name, kind]) => (kind.secret ? [name] : []));
  expect(names).toEqual(['secret', 'secretUrl', 'postgresUrl']);
});

test('each kind says which values there are', () => {
  expect(Object.fromEntries(Object.entries(kinds()).map(([name, { form }]) => [name, form]))).toEqual({
    ...{ text: 'text', word: 'text', secret: 'text, secret', list: 'comma-separated list', flag: 'true or false' },
    ...{ url: 'http or https URL', secretUrl: 'http or https URL', postgresUrl: 'PostgreSQL URL, secret' },
    ...{ integer: 'whole number from 2 to 4', optionalInteger: 'whole number from 2 to 4' },
    ...{ decimal: 'number from 2 to 4', choice: 'C | Fast', rule: 'fast | thinking | provider:model' },
  });
});

describe.each<[Kind, [unknown, unknown][]]>([
  ['text', [[' two words ', 'two words']]],
  ['word', [[' x ', 'x']]],
  ['secret', [[' k ', 'k']]],
  [
    'url',
    [
      ['http://nas:8080/v1', 'http://nas:8080/v1'],
      ['https://a.example', 'https://a.example'],
    ],
  ],
  [
    'postgresUrl',
    [
      ['postgres://db/x', 'postgres://db/x'],
      ['postgresql://u:p@db/x', 'postgresql://u:p@db/x'],
    ],
  ],
  [
    'integer',
    [
      ['2', 2],
      [' 4 ', 4],
      [3, 3],
    ],
  ],
  [
    'optionalInteger',
    [
      ['2', 2],
      ['4', 4],
      [undefined, undefined],
    ],
  ],
  [
    'decimal',
    [
      ['2', 2],
      ['3.5', 3.5],
      ['4', 4],
      [undefined, undefined],
    ],
  ],
  [
    'flag',
    [
      [true, true],
      [' Yes ', true],
      ['on', true],
      ['1', true],
      [' NO ', false],
      ['off', false],
      ['0', false],
    ],
  ],
  [
    'choice',
    [
      ['C', 'C'],
      ['c', 'C'],
      ['FAST', 'Fast'],
      ['Metric', 'C'],
    ],
  ],
  [
    'rule',
    [
      ['FAST', 'fast'],
      [' thinking ', 'thinking'],
      ['Router', 'fast'],
      ['x.y-z:a/b:c', 'x.y-z:a/b:c'],
    ],
  ],
  [
    'list',
    [
      ['a, b ,,', ['a', 'b']],
      ['', []],
      [['a,b'], ['a,b']],
    ],
  ],
])('a %s', (kind, cases) => {
  test.each(cases)('%j is read as %j', (raw, value) => {
    expect(kinds()[kind].schema.safeParse(raw)).toEqual({ success: true, data: value });
  });
});

describe.each<[Kind, string, unknown[]]>([
  ['text', '', [' ', 5]],
  ['word', '', [' ', undefined]],
  ['secret', '', [' ']],
  ['url', 'must be an http or https URL', ['file:///etc', 'xhttps://a', 'httpsx://a', 'nas', '']],
  ['postgresUrl', 'must be a PostgreSQL URL', ['mysql://db/x', 'xpostgres://db', 'postgresqlx://db']],
  ['integer', '', ['1', '5', '2.5', 'two']],
  ['optionalInteger', '', ['1', '5', '2.5']],
  ['decimal', '', ['1.9', '4.1', 'two']],
  ['flag', '', ['perhaps', 1, 'y']],
  ['choice', '', ['slow', 5, null]],
  [
    'rule',
    'must be fast, thinking or provider:model',
    ['quickly', 'a b:c', 'a:b c', ':c', 'a:', 'toString', 'constructor'],
  ],
  ['list', '', [5, [5]]],
])('a %s', (kind, message, values) => {
  test.each(values)('%j is refused', (raw) => {
    const issues = kinds()[kind].schema.safeParse(raw).error?.issues ?? [];
    expect(issues[0]?.message).toMatch(message === '' ? /./u : message);
  });
});
