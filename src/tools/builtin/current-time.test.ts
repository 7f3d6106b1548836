import { expect, test } from 'vitest';
import type { ToolContext } from '../tool.ts';
import { createCurrentTimeTool } from './current-time.ts';

test.each([
  ['Pacific/Kiritimati', 'Friday', '16 January 2026 at 12:30', '2026-01-16', '2026-02-15'],
  ['Europe/Oslo', 'Thursday', '15 January 2026 at 23:30', '2026-01-15', '2026-02-14'],
  ['America/Los_Angeles', 'Thursday', '15 January 2026 at 14:30', '2026-01-15', '2026-02-14'],
])("the time is the user's, in %s, whatever the machine's zone", async (timeZone, weekday, local, day, later) => {
  const context = { timeZone, now: () => new Date('2026-01-15T22:30:00.000Z') } as ToolContext;
  const { execute, input } = createCurrentTimeTool();
  const now = { iso: '2026-01-15T22:30:00.000Z', local, weekday, timeZone };
  expect(await execute(input.parse({}), context)).toEqual({ ...now, day });
  expect(await execute(input.parse({ days: 30 }), context)).toEqual({ ...now, day: later });
});
