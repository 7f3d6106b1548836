import { isRecord } from '../../base/json.ts';
import { findChannel } from '../../notify/channels.ts';
import { daysBetween, localDate } from '../../when/calendar.ts';
import { findDays } from '../../when/day-span.ts';
import { STOP_WORDS } from '../../words/stop-words.ts';
import { homeOf } from '../home.ts';
import { act } from '../request.ts';
import type { Handler } from '../understanding.ts';

/** Services that people name where there is no channel for them; the notifier says what there is. */
const OTHERS = new Set(['slack', 'e-mail', 'terminal', 'pushover', 'matrix']);

/**
 * A message on a channel that is named, through `notify`, or through the channel's own tool where that is not there.
 */
export const notify: Handler = ({ text, to }, { can, call }) => {
  if (to === undefined) return act(call('notify', { text }));
  const channel = String(to).toLowerCase();
  const own = `${channel}_notify`;
  if (!findChannel(channel) && !OTHERS.has(channel) && !can(own)) return undefined;
  return act(!can('notify') && can(own) ? call(own, { text }) : call('notify', { text, to: channel }));
};

/** As far ahead as forecasts go. */
const MOST_DAYS = 16;

/** The weather of some days, today's unless others are named; without a place, where the owner has said they live. */
export const weather: Handler = ({ place: named, from, to }, request) => {
  const { now, timeZone } = request;
  const today = localDate(now, timeZone);
  const [first, last] = [String(from ?? today), String(to ?? today)];
  const days = daysBetween(now, new Date(`${last}T12:00:00Z`), timeZone) + 1;
  // "For the week" names no place.
  if (named !== undefined && (STOP_WORDS.en.has(String(named)) || findDays(String(named), request))) return undefined;
  if (!request.can('weather') || first < today || days > MOST_DAYS) return undefined;
  const place = named ?? homeOf(request);
  const forecast = request.call('weather', { ...(place !== undefined && { place }), days });
  const within = (value: unknown) => (isRecord(value) ? ofDays(value, { first, last, today }) : value);
  return act({ ...forecast, say: (result) => forecast.say({ ...result, value: within(result.value) }) });
};

interface Days {
  readonly first: string;
  readonly last: string;
  readonly today: string;
}

/** A forecast of these days alone: what it is like now is news only of today. */
function ofDays({ now, days, units, ...rest }: Readonly<Record<string, unknown>>, { first, last, today }: Days) {
  const degrees = String(units).split(',')[0] ?? '';
  const asked = (Array.isArray(days) ? days.filter(isRecord) : []).filter(
    ({ date }) => String(date) >= first && String(date) <= last,
  );
  return { ...rest, ...(first === today && { now }), degrees, days: asked.map((day) => ({ ...day, degrees })) };
}
