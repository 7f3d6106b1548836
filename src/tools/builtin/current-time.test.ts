import { expect, test } from 'vitest';
import type { ToolContext } from '../tool.ts';
import { createCurrentTimeTool } from './current-time.ts';

test.each([
  ['Pacific/Kiritimati', 'Friday', '16 January 2026 at 12:30'],
  ['Europe/Oslo', 'Thursday', '15 January 2026 at 23:30'],
  ['America/Los_Angeles', 'Thursday', '15 January 2026 at 14:30'],
])("the time is the user's, in %s, whatever the machine's zone", async (timeZone, weekday, local) => {
  const context = { timeZone, now: () => new Date('2026-01-15T22:30:00.000Z') } as ToolContext;
  expect(await createCurrentTimeTool().execute({}, context)).toEqual({
    iso: '2026-01-15T22:30:00.000Z',
    local,
    weekday,
    timeZone,
  });
});
