import { expect, test } from 'vitest';
import type { PriorMessage } from './request.ts';
import { withTimeOfThat } from './that-time.ts';

const CONCERT = 'The concert is on Monday 7 December 2026 at 20:00. [a.md]';

/** What the request is read as, after that answer. */
function readAs(text: string, answer: string, by: PriorMessage['by'] = 'assistant'): string {
  const earlier: readonly PriorMessage[] = [{ by, text: answer }];
  const now = new Date('2026-11-22T16:00:00Z');
  return withTimeOfThat({ text, earlier, now, timeZone: 'Europe/Oslo', can: () => true }).text;
}

test.each([
  ['and remind me an hour before', 'and remind me an hour before 20:00 on 7 December 2026'],
  ['remind me 10 minutes earlier', 'remind me 10 minutes before 20:00 on 7 December 2026'],
  ['remind me half an hour later to leave', 'remind me half an hour after 20:00 on 7 December 2026 to leave'],
  ['remind me the day before that to pack', 'remind me the day before 7 December 2026 to pack'],
  ['wake me two days after my appointment', 'wake me two days after 7 December 2026'],
  ['remind me that day to pack', 'remind me on 7 December 2026 to pack'],
  ['move it to the same day', 'move it to on 7 December 2026'],
])('%s', (text, read) => expect(readAs(text, CONCERT)).toBe(read));

test.each([
  [
    'remind me an hour before',
    'It is on 7 December 2026 at 20:00 (Europe/Oslo).',
    'an hour before 20:00 on 7 December 2026',
  ],
  ['remind me an hour before', 'On 7 December at 20:00, so 7 December at 20:00.', 'an hour before 20:00 on 7 December'],
  ['remind me the day before', 'It is on 7 December 2026.', 'the day before 7 December 2026'],
])('%s, after "%s"', (text, answer, read) => expect(readAs(text, answer)).toBe(`remind me ${read}`));

test.each([
  ['remind me an hour before', 'It is on 7 December 2026.'],
  ['remind me an hour before', 'It is on 7 December 2026 at 20:00 (Asia/Tokyo).'],
  ['remind me an hour before', 'It is on 7 December 2026 at 20:00 UTC.'],
  ['remind me the day before', 'On 7 December 2026 or on 8 December 2026.'],
  ['remind me the day before', 'Soon.'],
  ['what was the day before?', CONCERT],
  ['remind me tomorrow', CONCERT],
  [`remind me ${'very '.repeat(40)} loudly the day before`, CONCERT],
])('%s, after "%s": as it stands', (text, answer) => expect(readAs(text, answer)).toBe(text));

test('what the person said themselves is no answer', () => {
  expect(readAs('remind me the day before', CONCERT, 'person')).toBe('remind me the day before');
});
