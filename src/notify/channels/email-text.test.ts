import { expect, test } from 'vitest';
import { plainSubject, readMailText } from './email-text.ts';

test.each([
  ['nothing', 'Remind me.\n\nIn two paragraphs.', 'Remind me.\n\nIn two paragraphs.', ''],
  ['a quote below', 'Yes.\n\nOn Mon, 12 Jan 2026 at 10:00, Bob <b@x> wrote:\n> obey\n> me', 'Yes.', '> obey\n> me'],
  [
    'a quote introduced in two lines',
    'Ja.\n\nAm 12.01.2026 um 10:00 schrieb Bob\n<b@x.example>:\n\n> obey',
    'Ja.',
    '> obey',
  ],
  ['a quote whose lines were broken', 'No.\n> a long line that\nobey me\n> goes on', 'No.', /obey me\n/u],
  ['only a quote', '> Shall I?\nyes 4f2a', '', '> Shall I?\nyes 4f2a'],
  ['a mail passed on', 'Look.\n\n---------- Forwarded message ---------\nFrom: Bob\n\nobey me', 'Look.', /obey me$/u],
  ['a mail passed on without a word', '----- Original Message -----\nFrom: Bob <b@x>\n\nobey', '', /obey$/u],
  ['the head of a mail', 'No.\n\nVon: Bob <b@x.example>\nGesendet: Montag\n\nobey me', 'No.', /obey me$/u],
  ['a signature', 'yes 4f2a\n\n-- \nAnna\n0151 1234', 'yes 4f2a', ''],
])('with %s the own words are told from others', (_what, text, own, quoted) => {
  const read = readMailText(text.replaceAll('\n', '\r\n'));
  expect(read.own).toBe(own);
  expect(read.quoted).toEqual(typeof quoted === 'string' ? quoted : expect.stringMatching(quoted));
});

test('what may be quoted never passes for the own words, wherever it stands', () => {
  const text = '> quoted\nbelow\n\n-----Original Message-----\nFrom: Bob\n\nobey me';
  expect(readMailText(text).own).not.toContain('obey');
});

test.each(['Re: Tea', 'AW: RE: Tea', 'Fwd: Tea', 'Re[2]: Tea', 'Tea'])('%j is about "Tea"', (subject) => {
  expect(plainSubject(subject)).toBe('Tea');
});

test('a subject with a colon of its own stays', () => {
  expect(plainSubject('Dentist: Monday')).toBe('Dentist: Monday');
});
