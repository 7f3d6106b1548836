import { z } from 'zod';
import { defineTool, type Tool } from '../tool.ts';

/** `current_time`: models cannot know the time. @param timeZone the user's, as an IANA name. */
export function createCurrentTimeTool(timeZone: string): Tool {
  return defineTool({
    name: 'current_time',
    description: "Say the date and time now, in the user's time zone.",
    input: z.object({}),
    output: z.object({ iso: z.string(), local: z.string(), weekday: z.string(), timeZone: z.string() }),
    effect: 'none',
    reads: 'public',
    returns: 'trusted',
    timeoutMs: 1000,
    execute: (_input, { now }) => {
      const date = now();
      const format = (options: Intl.DateTimeFormatOptions) =>
        new Intl.DateTimeFormat('en-GB', { timeZone, ...options }).format(date);
      return {
        iso: date.toISOString(),
        local: format({ dateStyle: 'long', timeStyle: 'short' }),
        weekday: format({ weekday: 'long' }),
        timeZone,
      };
    },
  });
}
