import { expect, test } from 'vitest';
import { sayAtPrompt } from './say-notices.ts';
import type { ShownNotice } from './types.ts';

const NOW = new Date('2026-11-22T12:05:30Z');

function notice(text: string, more: Partial<ShownNotice> = {}): ShownNotice {
  const marks = { urgent: false, again: false, repeated: false, why: undefined };
  return { key: text, number: 7, text, at: NOW, ofJob: true, ...marks, ...more };
}

test.each<[string, ShownNotice[], string]>([
  ['what is due has its time', [notice('eat')], 'Due 13:05: eat'],
  ['what is told again has it too', [notice('eat', { again: true })], 'Due 13:05: (again) eat'],
  ['what no job says stands as it is', [notice('The backup failed.', { ofJob: false })], 'The backup failed.'],
  [
    'what was waiting comes first, as a list',
    [notice('eat'), notice('water', { at: new Date('2026-11-21T08:00:00Z') })],
    'While you were away:\n- 2026-11-21 09:00  water\nDue 13:05: eat',
  ],
])('%s', (_name, notices, said) => {
  expect(sayAtPrompt(notices, { now: NOW, timeZone: 'Europe/Berlin' })).toBe(said);
});
