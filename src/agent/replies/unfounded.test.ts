import { expect, test } from 'vitest';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { WRITE_NOTE } from '../../testing/tools.ts';
import { Known } from './known.ts';
import { namedWithoutCall } from './not-done.ts';
import { ReadTexts } from './read-texts.ts';
import { ReplyReview } from './review.ts';
import { datesIn, wrongDays, wrongSum } from './wrong-figures.ts';

const TODAY = '2026-11-26';

function known(...texts: readonly string[]): Known {
  const made = new Known();
  for (const text of texts) made.said(text);
  return made;
}

test.each([
  ['a right one', 'From 1 November 2026 to 2 January 2027 are 62 days.', undefined],
  ['one that counts both ends', 'From 2026-11-01 to 2027-01-02 are 63 days.', undefined],
  ['one from today', 'Until 1 January 2027 are 36 days left.', undefined],
  ['a wrong one', 'From 1 November 2026 to 2 January 2027 are 65 days.', 'from 2026-11-01 to 2027-01-02 are 62 days'],
  ['a wrong one in German', 'Vom 1.11.2026 bis 2.1.2027 sind es 65 Tage.', 'from 2026-11-01 to 2027-01-02 are 62 days'],
  ['a wrong one from today', 'Until January 1, 2027 are 40 days left.', 'from 2026-11-26 to 2027-01-01 are 36 days'],
  ['one that a result holds', 'The notice is 30 days, from 2026-11-01 on.', undefined],
  ['one without a date', 'A year has 365 days.', undefined],
  ['another unit', 'From 2026-11-01 on, 65 hours.', undefined],
])('of a number of days, %s', (_what, answer, fact) => {
  const wrong = wrongDays(answer, { known: known('30 days').figures(), today: TODAY });
  if (fact === undefined) expect(wrong).toBeUndefined();
  else expect(wrong).toContain(fact);
});

test.each([
  ['a right one', 'Rope 12.50 EUR, paint 7.45 EUR: 19.95 EUR.', undefined],
  ['a wrong one', 'Rope 12.50 EUR, paint 7.45 EUR: 20.95 EUR.', '12.5 + 7.45 is 19.95'],
  ['a wrong one with signs', '€12.50 + €7.45 = €19.05', '12.5 + 7.45 is 19.95'],
  ['one in German', 'Seil 12,50 €, Farbe 7,45 €, zusammen 19,95 €', undefined],
  ['a difference', 'Rope 12.50 EUR, paint 7.45 EUR: rope costs 5.05 EUR more.', undefined],
  ['another figure', 'Rope 12.50 EUR, paint 7.45 EUR, I would offer 90 EUR.', undefined],
  ['times', 'It took 12 minutes and 7 minutes, so 20 minutes.', undefined],
])('of a sum, %s', (_what, answer, fact) => {
  const wrong = wrongSum(answer, { known: known('rope 12.50, paint 7.45, 12, 7').figures() });
  if (fact === undefined) expect(wrong).toBeUndefined();
  else expect(wrong).toContain(fact);
});

test('dates are read however they are written, and only where there is such a day', () => {
  expect(datesIn('on 3rd of March 2026, 30 February 2026 or 2026-02-30, 1. Mai 2026')).toEqual([
    '2026-03-03',
    '2026-05-01',
  ]);
});

test.each([
  ['what the calls used', 'I wrote notes/a.md and told you on ntfy at 14:05.', []],
  ['a channel', 'I sent it to Telegram.', ['Telegram']],
  ['a file, in French', 'C’est noté dans notes/b.md.', ['notes/b.md']],
  ['a time', 'I will remind you at 15:30.', ['15:30']],
  ['a number of items', 'Ich habe 5 Dinge notiert.', ['5 Dinge']],
  ['the number of the list', 'I added 3 things.', []],
  ['a time as the request has it', 'At 09:00 and at 21:00.', []],
  ['an instant in the zone', 'It comes at 18:00.', []],
  ['an address of the web', 'See https://example.org/a/b.html.', []],
  ['a date and units', 'On 27 November, in 8 minutes.', []],
])('what is named without a call: %s', (_what, answer, named) => {
  const here = known('remind me at nine');
  here.called('schedule', { at: '2026-11-26T17:00:00Z', when: '14:05' }, ['a', 'b', 'c']);
  here.called('notify', { via: 'ntfy' }, 'notes/a.md');
  expect(namedWithoutCall(answer, here, { now: '12:00', timeZone: 'Europe/Oslo' })).toEqual(named);
});

async function judge(form: 'tool' | 'function') {
  const scope = await testScope();
  const toolbox = testToolbox([WRITE_NOTE], scope);
  const reads = ReadTexts.of('note the rope', []);
  return { review: new ReplyReview({ toolbox, scope, reads, form, checks: true }), toolbox, scope, reads };
}

test('an answer that names what no call did goes back once, with what was done', async () => {
  const { review, toolbox, scope } = await judge('tool');
  const answer = 'Noted, and sent to Telegram.';
  await toolbox.call('write_note', { text: 'rope' }, scope);
  const first = await review.reply(answer);
  expect(first).toMatchObject({ kind: 'again', cause: 'named', why: 'the answer named what no call did' });
  expect(first.kind === 'again' && first.reason).toContain(
    '"Telegram", which no call of this turn used or gave. Done was: write_note',
  );
  expect(await review.reply(answer)).toMatchObject({ kind: 'answer', text: answer });
});

test('where nothing was done, what an answer names is not looked at', async () => {
  const { review } = await judge('tool');
  expect(await review.reply('Telegram is a messenger; see docs/a.md at 14:00.')).toMatchObject({ kind: 'answer' });
});

test('a figure that a script has computed is not doubted, one that was typed into it is', async () => {
  const { review } = await judge('function');
  const text = 'From 2026-11-01 to 2027-01-02 are 65 days.';
  const computed = 'finalAnswer(words(first, last, count))';
  expect(await review.final(text, computed)).toMatchObject({ kind: 'answer' });
  expect(await review.final(text, `finalAnswer('${text}')`)).toMatchObject({ kind: 'again', cause: 'figure' });
});
