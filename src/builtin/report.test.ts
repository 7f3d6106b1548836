import { describe, expect, test } from 'vitest';
import type { Told } from '../base/errors.ts';
import type { Outcome } from '../models/message-data.ts';
import { failureIn, report } from './report.ts';
import { type Action, act, type Result } from './request.ts';

const action: Action = {
  tool: 'list_notes',
  input: {},
  say: ({ value }) => `${Array.isArray(value) ? value.map((row) => JSON.stringify(row)).join(' ') : String(value)}.`,
};
const done = (text: string, ok = true) => ({ ok, text, input: {} });
const because = (told: Told) => ({ ok: false, text: 'Error: x', told, input: {} });
const one = (text: string) => report(act(action) as never, [done(text)], 'en');

test.each([
  ['[1,{"a":2}]', '1 {"a":2}.'],
  ['plain', 'plain.'],
  ['', '.'],
])('a result %j is told by its skill', (text, said) => expect(one(text)).toBe(said));

describe('several results', () => {
  const silent: Action = { ...action, say: () => '' };
  const both = (results: readonly Outcome[], language: 'en' | 'de' = 'en') =>
    report(act(action, silent, action) as never, results, language);

  test('are a line each, but for those with nothing to say', () => {
    expect(both([done('a'), done('b'), done('c'), done('d')])).toBe('a.\nc.\nd');
  });

  test.each([
    ['en', 'a.\nThat did not work: the disk is full'],
    ['de', 'a.\nDas hat nicht geklappt: Das Werkzeug meldet auf Englisch „the disk is full“.'],
  ] as const)('and a failure is one in %s', (language, said) => {
    const failed = because({ code: 'failed', values: { message: 'the disk is full' } });
    expect(both([done('a'), failed], language)).toBe(said);
  });

  test('are told together once all are there and none failed', () => {
    const together = (results: readonly Result[]) => results.map(({ value }) => JSON.stringify(value)).join('+');
    const intent = { ...act(action, action), together } as never;
    expect(report(intent, [done('[1]'), done('x')], 'en')).toBe('[1]+"x"');
    expect(report(intent, [done('[1]')], 'en')).toBe('1.');
    expect(report(intent, [done('[1]'), done('full', false)], 'en')).toBe('1.\nThat did not work: full');
  });
});

describe('a result that was cut', () => {
  const CUT = '[{"n":0},{"n"\n… 40 characters left out …\n":8}]';

  test('is told by its skill from the value', () => {
    const result = { ...done(CUT), value: [{ n: 0 }, { n: 8 }] };
    expect(report(act(action) as never, [result], 'en')).toBe('{"n":0} {"n":8}.');
  });

  test.each([{}, { value: 'a long text' }])(
    'is shown as it is where it is words, or only the text is known',
    (value) => {
      expect(report(act(action) as never, [{ ...done(CUT), ...value }], 'en')).toBe(CUT);
    },
  );
});

describe('a failure', () => {
  const moved = { code: 'file_there', values: { path: 'a.md', hint: 'Delete it.' } };
  test.each<['en' | 'de', Parameters<typeof failureIn>[1], string]>([
    ['en', { told: moved, text: 'x' }, 'a.md exists already. Delete it.'],
    ['de', { told: moved, text: 'x' }, 'Die Datei „a.md“ gibt es schon.'],
    ['en', { text: 'the disk is full.' }, 'the disk is full.'],
    ['de', { text: 'the disk is full.' }, 'Das Werkzeug meldet auf Englisch „the disk is full“.'],
    ['de', { text: 'Das geht nicht.' }, 'Das geht nicht.'],
    ['de', { text: '' }, ''],
  ])('in %s: %j', (language, failed, said) => {
    const lead = { en: 'That did not work', de: 'Das hat nicht geklappt' }[language];
    expect(failureIn(language, failed)).toBe(`${lead}: ${said}`);
  });
});
