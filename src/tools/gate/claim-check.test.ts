import { describe, expect, test, vi } from 'vitest';
import type { EffectRow } from '../../store/schema.ts';
import { claimsWithoutDeeds, unsupportedClaims } from './claim-check.ts';

const effect = (rest: Partial<EffectRow>): EffectRow =>
  ({ state: 'done', effect: 'local', change: 'append', result: '""', ...rest }) as EffectRow;
const SENT = effect({ effect: 'outbound', change: null, result: '"Sent to discord."' });
const QUEUED = effect({ effect: 'outbound', change: null, result: '"Not sent yet: queued for discord."' });
const SAVED = effect({});
const SCHEDULED = effect({ change: 'schedule' });
const DELETED = effect({ change: 'delete' });
const none = { turn: [], conversation: [] };

describe('a claim without an effect is marked', () => {
  test.each([
    "I've sent the summary to Discord.",
    'I have just notified you on Signal.',
    'Done! Sent to Bob.',
    'Your message has been sent.',
    'The notification was delivered.',
    'Okay, I emailed Anna about it.',
    'I saved it in your journal.',
    'I have noted that milk is out.',
    'Noted.',
    'The file has been created.',
    'Done — saved to notes.',
    "I've added eggs to the list.",
    "I've set a reminder for 8 am.",
    "I'll remind you tomorrow at nine.",
    'Your reminder is set.',
    'I scheduled the report for every Monday.',
    'I deleted the old file.',
    'The reminder was cancelled.',
    'Removed.',
    'I moved the reminder to call Bea to 07:00.',
    'The reminder is now on Thursday, 14 January 2027.',
    'I changed the boiler firm to Oakes in lease.md.',
    'Done: the rent in lease.md is now 1,190.',
    'Moved: Thursday at nine.',
    'Moved to 07:00.',
    'Okay, renamed to tea/green.md.',
    'I will remember that you like tea.',
    'Ich habe die Erinnerung verschoben.',
    '✅ Sent to Discord',
    'I’ve posted it.',
    'Ich habe die Nachricht gesendet.',
    'Ich habe das notiert.',
    'With a score > 3 I saved it.',
    'Bo said "hello" and I saved it.',
    'Die Erinnerung wurde für morgen gesetzt.',
    'Ich habe die Datei gelöscht.',
  ])('%s', (answer) => expect(unsupportedClaims(answer, none)).toHaveLength(1));
});

describe('what is no claim is not marked', () => {
  test.each([
    'I changed my mind about the colour.',
    'The rent is now 940 euros.',
    'Changed documents: tea',
    '- Moved to Berlin in 2019.',
    'Sure, the rent is now 940 euros.',
    'You moved the reminder, as you said.',
    'I could not send the message.',
    'The message was not sent: no channel is configured.',
    'Shall I save it?',
    'Once saved, the file can be opened.',
    'I can send it to Discord if you like.',
    'The parcel was sent on Monday.',
    'According to the page, the company posted a loss.',
    'The author wrote three books.',
    '> I have sent the money.',
    'The mail says “I have sent the money”.',
    'Use `git commit` once the file was saved.',
    'Nothing was deleted.',
    'Would you like me to schedule it?',
    'Low tide is at 14:05.',
    'The note dates from 1995.',
    "I won't remind you again.",
    'Ich konnte die Nachricht nicht senden.',
    'Soll ich das notieren?',
    '```\nI have sent it.\n```',
    'Sending needs a webhook.',
    'I saved it, right?',
    'Type `I have sent it` to end.',
    'The script says:\n```\nI have sent it.',
    '  > I have sent the money.',
  ])('%s', (answer) => expect(unsupportedClaims(answer, none)).toEqual([]));
});

describe('an effect supports its own kind of claim', () => {
  test.each([
    ["I've sent it to Discord.", SENT],
    ['I saved it.', SAVED],
    ["I've set a reminder for 8.", SCHEDULED],
    ["I'll remind you tomorrow.", SCHEDULED],
    ['I deleted the file.', DELETED],
  ])('%s', (answer, done) => {
    expect(unsupportedClaims(answer, { turn: [done], conversation: [] })).toEqual([]);
    expect(unsupportedClaims(answer, { turn: [{ ...done, state: 'failed' }], conversation: [] })).toEqual([answer]);
    expect(unsupportedClaims(answer, { turn: [{ ...done, state: 'intent' }], conversation: [] })).toEqual([answer]);
  });

  test.each([
    ['I saved it.', SENT],
    ["I've set a reminder for 8.", SENT],
    ['I deleted the file.', SENT],
    ['I added it to the list.', SCHEDULED],
    ['I updated the list.', DELETED],
    ['I sent it.', { ...SENT, result: null }],
    ['I saved the note, and I deleted the old one.', SAVED],
  ])('%s, since a call may have done so', (answer, done) => {
    expect(unsupportedClaims(answer, { turn: [done], conversation: [] })).toEqual([]);
  });

  test('a note is no message, and a queued message is not sent', () => {
    expect(unsupportedClaims('I sent it.', { turn: [SAVED], conversation: [] })).toHaveLength(1);
    expect(unsupportedClaims('I sent it.', { turn: [QUEUED], conversation: [] })).toHaveLength(1);
  });

  test('only what is called earlier may rest on an earlier turn', () => {
    const deeds = { turn: [], conversation: [SAVED] };
    expect(unsupportedClaims('I already saved that earlier.', deeds)).toEqual([]);
    expect(unsupportedClaims('I saved that.', deeds)).toHaveLength(1);
  });

  test('how a reminder is now may rest on an earlier turn that made it so', () => {
    const result = '{"next":"2027-01-14T09:00:00Z","runs":"Thursday 14 January 2027 at 09:00 (UTC)"}';
    const deeds = { turn: [], conversation: [{ ...SCHEDULED, result }] };
    expect(unsupportedClaims('Yes, the reminder is now on Thursday, 14 January 2027, at 9:00.', deeds)).toEqual([]);
    expect(unsupportedClaims('The reminder is now on Friday, 15 January 2027.', deeds)).toHaveLength(1);
    expect(unsupportedClaims('The reminder is now on its new day.', deeds)).toHaveLength(1);
    expect(unsupportedClaims('The reminder is now on Thursday at 19:00.', deeds)).toHaveLength(1);
    expect(unsupportedClaims('The reminder is now on Thursday, 14 June 2027.', deeds)).toHaveLength(1);
    expect(
      unsupportedClaims('The reminder is now on Thursday.', {
        ...deeds,
        conversation: [{ ...SCHEDULED, result: null }],
      }),
    ).toHaveLength(1);
    expect(unsupportedClaims('I moved the reminder to Thursday.', deeds)).toHaveLength(1);
  });

  test('a number is the same with a zero before it alone', () => {
    const deeds = { turn: [], conversation: [{ ...SCHEDULED, result: 'room 105, at 09:00' }] };
    expect(unsupportedClaims('The reminder is now at 9:00.', deeds)).toEqual([]);
    expect(unsupportedClaims('The reminder is now at 15:00.', deeds)).toHaveLength(1);
  });

  test('months that begin alike are two', () => {
    const deeds = { turn: [], conversation: [{ ...SCHEDULED, result: 'Thursday 14 July' }] };
    expect(unsupportedClaims('The reminder is now on Thursday, 14 July.', deeds)).toEqual([]);
    expect(unsupportedClaims('The reminder is now on Thursday, 14 June.', deeds)).toHaveLength(1);
  });

  test('each sentence is judged by itself', () => {
    expect(unsupportedClaims('I saved the note. I sent it to Bob. Bye!', { turn: [SAVED], conversation: [] })).toEqual([
      'I sent it to Bob.',
    ]);
  });
});

test.each([
  ['I saved it \nBye', ['I saved it']],
  ['I saved it as "notes".', ['I saved it as  … .']],
  ['Here it is.```js\nrun()\n```I saved it.', ['I saved it.']],
  ['# Done\n\n\n1. I saved it.   I sent it.\n- ✅ I deleted it.', ['I saved it.', 'I sent it.', 'I deleted it.']],
])('of %j the sentences are told without marks and quotations', (answer, sentences) => {
  expect(unsupportedClaims(answer, none)).toEqual(sentences);
});

test('the ledger is read only where something is claimed', async () => {
  const [list, earlier] = [vi.fn(async () => [SAVED]), vi.fn(async () => [])];
  expect(await claimsWithoutDeeds('The rent is 940 euros.', { list, earlier })).toEqual([]);
  expect(list).not.toHaveBeenCalled();
  expect(await claimsWithoutDeeds('I saved it. I deleted the old file.', { list, earlier })).toEqual([
    'I deleted the old file.',
  ]);
  expect(earlier).toHaveBeenCalledOnce();
});
