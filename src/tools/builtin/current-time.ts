import { z } from 'zod';
import { localTime, sayDate, sayWeekday } from '../../when/calendar.ts';
import { defineTool, type Tool } from '../tool.ts';

/** `current_time`: models cannot know the time. It is said in the zone of the turn. */
export function createCurrentTimeTool(): Tool {
  return defineTool({
    name: 'current_time',
    description: "The user's date and time now.",
    input: z.object({}),
    output: z.object({ iso: z.string(), local: z.string(), weekday: z.string(), timeZone: z.string() }),
    policy: { effect: 'none' },
    provenance: { readsFrom: [] },
    // Prompts say it, and scripts have `Date`.
    presentation: { untold: true },
    timeoutMs: 1000,
    execute: (_input, { now, timeZone }) => {
      const date = now();
      return {
        iso: date.toISOString(),
        local: `${sayDate(date, timeZone)} at ${localTime(date, timeZone).slice(11, 16)}`,
        weekday: sayWeekday(date, timeZone),
        timeZone,
      };
    },
  });
}
