import { z } from 'zod';
import { localDate, localTime, sayDate, sayWeekday } from '../../when/calendar.ts';
import { dateAfter } from '../../when/days.ts';
import { defineTool, type Tool } from '../tool.ts';

/** `current_time`: models cannot know the time. It is said in the zone of the turn. */
export function createCurrentTimeTool(): Tool {
  return defineTool({
    name: 'current_time',
    positional: ['days'],
    description: "The user's date and time now.",
    input: z.object({
      days: z.int().min(-36_500).max(36_500).default(0).describe('moves `day`; -1: yesterday').meta({ seldom: true }),
    }),
    output: z.object({
      ...{ iso: z.string(), local: z.string(), weekday: z.string(), timeZone: z.string() },
      day: z.string().meta({ seldom: true }),
    }),
    policy: { effect: 'none' },
    provenance: { readsFrom: [] },
    // Prompts say it, and scripts have `Date`.
    presentation: { untold: true },
    timeoutMs: 1000,
    execute: ({ days }, { now, timeZone }) => {
      const date = now();
      return {
        iso: date.toISOString(),
        local: `${sayDate(date, timeZone)} at ${localTime(date, timeZone).slice(11, 16)}`,
        weekday: sayWeekday(date, timeZone),
        timeZone,
        day: dateAfter(localDate(date, timeZone), days),
      };
    },
  });
}
