import { describe, expect, test } from 'vitest';
import { failureIn, report } from './report.ts';
import { type Action, act, type Result } from './request.ts';

const action: Action = {
  tool: 'list_notes',
  input: {},
  say: ({ value }) => `${Array.isArray(value) ? value.map((row) => JSON.stringify(row)).join(' ') : String(value)}.`,
};
const done = (text: string, ok = true) => ({ ok, text, input: {} });
const one = (text: string) => report(act(action) as never, [done(text)], 'en');

test.each([
  ['[1,{"a":2}]', '1 {"a":2}.'],
  ['plain', 'plain.'],
  ['', '.'],
])('a result %j is told by its skill', (text, said) => expect(one(text)).toBe(said));

describe('several results', () => {
  const silent: Action = { ...action, say: () => '' };
  const both = (results: readonly ReturnType<typeof done>[], language: 'en' | 'de' = 'en') =>
    report(act(action, silent, action) as never, results, language);

  test('are a line each, but for those with nothing to say', () => {
    expect(both([done('a'), done('b'), done('c'), done('d')])).toBe('a.\nc.\nd');
  });

  test.each([
    ['en', 'a.\nThat did not work: the disk is full'],
    ['de', 'a.\nDas hat nicht geklappt: Das Werkzeug meldet auf Englisch „the disk is full“.'],
  ] as const)('and a failure is one in %s', (language, said) => {
    const failed = 'Error: write_note failed: the disk is full Do not try it again; say what you could not do. ';
    expect(both([done('a'), done(failed, false)], language)).toBe(said);
  });

  test('are told together once all are there and none failed', () => {
    const together = (results: readonly Result[]) => results.map(({ value }) => JSON.stringify(value)).join('+');
    const intent = { ...act(action, action), together } as never;
    expect(report(intent, [done('[1]'), done('x')], 'en')).toBe('[1]+"x"');
    expect(report(intent, [done('[1]')], 'en')).toBe('1.');
    expect(report(intent, [done('[1]'), done('full', false)], 'en')).toBe('1.\nThat did not work: full');
  });
});

describe('a list that was cut in the middle', () => {
  const CUT = '[{"n":0},{"n":1},{"n"\n… 40 characters left out …\n":6},{"n":7},{"n":8}]';
  const ROWS = '{"n":0} {"n":1} {"n":7} {"n":8}.';

  test.each([
    ['', ROWS],
    ['\nThe whole is in [a.txt].', ROWS],
  ])('is told by the rows that are whole, with %j behind it', (behind, said) => {
    expect(one(CUT + behind)).toBe(`${said}\n(There is more than fits here.)`);
  });

  test('is said to be cut in the language of the request', () => {
    expect(report(act(action) as never, [done(CUT)], 'de')).toBe(`${ROWS}\n(Es gibt mehr, als hier Platz hat.)`);
  });

  test.each([
    '[{"text":"a\n… 40 characters left out …\nb"}]',
    'word word\n… 40 characters left out …\nword {"n":1},{"n":2}]',
  ])('is shown as it is where no row is whole or it is no list: %j', (text) => expect(one(text)).toBe(text));
});

test.each([
  ['Error: the disk is full', 'the disk is full'],
  ['write_note failed: the disk is full', 'the disk is full'],
  ['the error: stays', 'the error: stays'],
])('%s', (text, said) => expect(failureIn('en', text)).toBe(said));
