import { addToDate, fromWallClock, localDate, type Occurrence, type Span } from '#plugin';

export interface FreeTimeQuestion {
  readonly minutes: number;
  /** `09:00`: when the owner's day begins and ends. */
  readonly dayStart: string;
  readonly dayEnd: string;
  readonly weekends: boolean;
}

const MINUTE_MS = 60_000;

/** Gaps of at least that length between the events of each day's working hours. All-day events leave the day free. */
export function freeTimes(
  busy: readonly Occurrence[],
  span: Span,
  { minutes, dayStart, dayEnd, weekends, timeZone }: FreeTimeQuestion & { readonly timeZone: string },
): Span[] {
  const taken = busy.filter(({ allDay }) => !allDay);
  return daysOf(span, timeZone).flatMap((day) => {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    if (!weekends && weekday % 6 === 0) return [];
    const hours = {
      from: later(fromWallClock(`${day}T${dayStart}:00Z`, timeZone), span.from),
      to: earlier(fromWallClock(`${day}T${dayEnd}:00Z`, timeZone), span.to),
    };
    return gaps(taken, hours).filter(({ from, to }) => to.getTime() - from.getTime() >= minutes * MINUTE_MS);
  });
}

/** @param taken by start. */
function gaps(taken: readonly Occurrence[], { from, to }: Span): Span[] {
  const found: Span[] = [];
  let free = from;
  for (const { start, end } of taken) {
    if (end <= free || start >= to) continue;
    if (start > free) found.push({ from: free, to: start });
    free = later(free, end);
  }
  if (free < to) found.push({ from: free, to });
  return found;
}

function daysOf({ from, to }: Span, timeZone: string): string[] {
  const days: string[] = [];
  for (let at = from; at < to; at = addToDate(at, 1, { unit: 'day', timeZone })) days.push(localDate(at, timeZone));
  const last = localDate(new Date(to.getTime() - 1), timeZone);
  return [...new Set([...days, last])];
}

function later(a: Date, b: Date): Date {
  return a > b ? a : b;
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b;
}
