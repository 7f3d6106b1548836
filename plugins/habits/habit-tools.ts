import { addToDate, defineTool, fromWallClock, localDate, type Tool, type ToolContext, z } from '#plugin';
import { type Book, type Habit, named, refuseTaken } from './book.ts';

/** Errors name what is there already, or what may be meant. */
export const reading = ({ source }: Book) =>
  ({ policy: { effect: 'none' }, provenance: { readsFrom: [source] }, timeoutMs: 5000 }) as const;
export const changing = ({ source }: Book) =>
  ({ provenance: { readsFrom: [source], writesTo: () => source }, timeoutMs: 5000 }) as const;
export const NAME = z.string().trim().min(1).max(200);

export function habitTools(book: Book): Tool[] {
  return [createHabit(book), checkIn(book), listHabits(book), deleteHabit(book)];
}

function createHabit(book: Book): Tool {
  return defineTool({
    name: 'create_habit',
    positional: ['name'],
    description: 'Begin a habit of the user: daily, or so many `times` a week.',
    input: z.object({
      name: NAME,
      every: z.enum(['day', 'week']).default('day'),
      times: z.number().int().min(1).max(7).default(1),
    }),
    ...changing(book),
    policy: { effect: 'local', change: 'append' },
    execute: ({ name, every, times }, context) =>
      book.change(({ habits }) => {
        refuseTaken(habits, name, 'habit');
        habits.push({ name, every, times, since: today(context), done: [] });
        return `Begun: ${name}, ${every === 'day' ? 'every day' : `${times} times a week`}.`;
      }),
  });
}

function checkIn(book: Book): Tool {
  return defineTool({
    name: 'habit_checkin',
    positional: ['habit', 'date'],
    aliases: { habit: ['name', 'id'] },
    description: 'Note that the user kept a habit today, or on `date` (2026-12-24); `undo` takes it back.',
    input: z.object({ habit: NAME, date: z.iso.date().optional(), undo: z.boolean().default(false) }),
    ...changing(book),
    policy: { effect: 'local', change: 'append' },
    execute: ({ habit, date, undo }, context) =>
      book.change(({ habits }) => {
        const found = named(habits, habit, 'habit');
        const day = date ?? today(context);
        if (day > today(context)) throw new Error(`${day} has not come yet.`);
        const others = found.done.filter((each) => each !== day);
        found.done = undo ? others : [...others, day].sort();
        return {
          habit: found.name,
          ...(undo ? { undone: day } : { done: day }),
          ...streakOf(found.done, found, today(context)),
        };
      }),
  });
}

function listHabits(book: Book): Tool {
  return defineTool({
    name: 'list_habits',
    description: "List the user's habits with their streaks, in days or weeks, and whether they are done today.",
    input: z.object({}),
    ...reading(book),
    execute: async (_input, context) =>
      (await book.read()).habits.map((habit) => rowOf(habit, today(context), context.timeZone)),
  });
}

/** A habit as people read it. */
export function rowOf(habit: Habit, day: string, timeZone: string) {
  const { current, longest } = streakOf(habit.done, habit, day);
  const last30 = fromDate(day, -29, timeZone);
  return {
    habit: habit.name,
    every: habit.every === 'day' ? 'day' : `${habit.times} times a week`,
    doneToday: habit.done.includes(day),
    streak: current,
    longest,
    last30Days: habit.done.filter((each) => each >= last30 && each <= day).length,
  };
}

function fromDate(day: string, days: number, timeZone: string): string {
  return localDate(addToDate(fromWallClock(`${day}T12:00:00Z`, timeZone), days, { unit: 'day', timeZone }), timeZone);
}

function deleteHabit(book: Book): Tool {
  return defineTool({
    name: 'delete_habit',
    positional: ['habit'],
    description: 'Delete a habit with all its days.',
    input: z.object({ habit: NAME }),
    ...changing(book),
    policy: { effect: 'local', change: 'delete' },
    durability: { versioned: book.versioned },
    execute: ({ habit }) =>
      book.change((content) => {
        const found = named(content.habits, habit, 'habit');
        content.habits = content.habits.filter((each) => each !== found);
        return `Deleted: ${found.name} (${found.done.length} days).`;
      }),
  });
}

/** The owner's date. */
export function today({ now, timeZone }: Pick<ToolContext, 'now' | 'timeZone'>): string {
  return localDate(now(), timeZone);
}

/** A habit that is due every day, or a number of times a week. */
export interface Rhythm {
  readonly every: 'day' | 'week';
  /** Per week; ignored for a daily habit. */
  readonly times: number;
}

export interface Streak {
  /** Consecutive days or weeks up to now. The current one does not break the streak. */
  readonly current: number;
  readonly longest: number;
}

const DAY_MS = 86_400_000;

/** @param done dates such as `2026-12-24`, in any order. @param today the owner's. */
export function streakOf(done: readonly string[], { every, times }: Rhythm, today: string): Streak {
  const days = new Set(done.map(dayNumber));
  const now = every === 'day' ? dayNumber(today) : weekNumber(dayNumber(today));
  const kept = every === 'day' ? days : fullWeeks(days, times);
  let longest = 0;
  let run = 0;
  for (const period of [...kept].sort((a, b) => a - b)) {
    run = kept.has(period - 1) ? run + 1 : 1;
    longest = Math.max(longest, run);
  }
  let current = 0;
  for (let period = kept.has(now) ? now : now - 1; kept.has(period); period--) current++;
  return { current, longest };
}

function fullWeeks(days: ReadonlySet<number>, times: number): Set<number> {
  const weeks = Map.groupBy(days, weekNumber);
  return new Set([...weeks].filter(([, each]) => each.length >= times).map(([week]) => week));
}

function dayNumber(date: string): number {
  return Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}

/** Weeks begin on Monday; the first day that is counted was a Thursday. */
function weekNumber(day: number): number {
  return Math.floor((day + 3) / 7);
}
