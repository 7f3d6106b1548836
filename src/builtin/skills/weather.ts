import { isRecord } from '../../base/json.ts';
import { daysBetween } from '../../when/calendar.ts';
import { findDate } from '../../when/find.ts';
import { phrases } from '../phrases.ts';
import { act, bare, type Skill, type UserRequest } from '../request.ts';
import { homeOf } from './memory.ts';

const ASKED = phrases({
  en: [
    "(what's|what is|how is|how's|what will|how will) [the] weather [be] [like] [going to be] {rest:maybe}",
    '[the] weather [forecast] {rest:maybe}',
    '(is it|will it|does it) [going to|be] (rain|snow|raining|snowing) {rest:maybe}',
    'do i need an umbrella {rest:maybe}',
  ],
  de: [
    '(wie wird|wie ist|was macht) [denn] das wetter {rest:maybe}',
    '[das] wetter {rest:maybe}',
    '(regnet|schneit) es {rest:maybe}',
    'wird es {rest} (regnen|schneien)',
    'brauche ich (einen schirm|einen regenschirm) {rest:maybe}',
  ],
});
const SEVERAL = /\b(?:week|next (?:few )?days|woche|nächsten tage)\b/iu;
const AT_HOME = /\b(?:here|at home|where (?:i|we) live|hier|zu hause|zuhause|daheim|bei (?:mir|uns)|wo ich wohne)\b/iu;
const PLACE = /(?:^|\s)(?:in|for|at|für) (?!(?:the|this|next|a|der|die|den|dieser?|nächste)\b|\d)(\p{L}.*)$/iu;
/** Words of time that may stand behind a place. */
const TIME_AFTER = /(?<!\s)\s+(?:today|tomorrow|now|tonight|on \w+|this \w+|next \w+|heute|morgen|jetzt|am \w+)$/iu;

const WEEK = 7;
/** As far ahead as forecasts go. */
const MOST_DAYS = 16;

/** Where a plugin knows the weather; without a place, where the owner said they live. */
export const weather: Skill = {
  name: 'weather',
  examples: { en: [], de: [] },
  recognize: (request) => {
    const slots = request.can('weather') ? ASKED(request.plain) : undefined;
    if (!slots) return undefined;
    const rest = slots.rest ?? '';
    const place = placeIn(rest) ?? homeOf(request);
    const day = dayIn(rest, request);
    const isWeek = SEVERAL.test(rest);
    if (day < 0 || day >= MOST_DAYS) return undefined;
    const input = { ...(place !== undefined && { place }), days: isWeek ? WEEK : day + 1 };
    const say = ({ value }: { readonly value: unknown }) => sayWeather(value, isWeek ? undefined : day, request);
    return act({ tool: 'weather', input, say });
  },
};

function placeIn(rest: string): string | undefined {
  if (AT_HOME.test(rest)) return undefined;
  const place = PLACE.exec(rest)?.[1]?.replace(TIME_AFTER, '');
  return place === undefined ? undefined : bare(place);
}

/** How many days ahead. */
function dayIn(rest: string, { now, timeZone }: UserRequest): number {
  const found = findDate(rest, { now, timeZone });
  return found ? daysBetween(now, found.at, timeZone) : 0;
}

/** @param day undefined: all of them. */
function sayWeather(value: unknown, day: number | undefined, request: UserRequest): string {
  if (!isRecord(value) || !Array.isArray(value.days)) return String(value);
  const degrees = String(value.units).split(',')[0] ?? '';
  const days = value.days.filter(isRecord);
  const place = String(value.place);
  if (day === undefined) return [`${place}:`, ...days.map((each) => `- ${dayLine(each, degrees, request)}`)].join('\n');
  const asked = days[day];
  if (!asked) return request.in('The forecast does not go that far.', 'So weit reicht die Vorhersage nicht.');
  const now = day === 0 && isRecord(value.now) ? value.now : undefined;
  const current = now && `${request.in('now', 'jetzt')} ${String(now.sky)}, ${String(now.temperature)} ${degrees}`;
  return `${place}: ${[current, dayLine(asked, degrees, request)].filter(Boolean).join('; ')}.`;
}

function dayLine(day: Record<string, unknown>, degrees: string, { in: either }: UserRequest): string {
  const rain = typeof day.rainChancePercent === 'number' ? `, ${day.rainChancePercent} % ` : undefined;
  const chance = rain === undefined ? '' : `${rain}${either('chance of rain', 'Regenwahrscheinlichkeit')}`;
  const range = `${String(day.low)} ${either('to', 'bis')} ${String(day.high)} ${degrees}`;
  return `${String(day.date)} ${String(day.sky)}, ${range}${chance}`;
}
