import type { CalendarEvent, CitedPlace, FoundData, TextPart } from '../models/message-data.ts';
import { sayings } from '../when/say.ts';
import type { Result } from './request.ts';

/** What a search in the documents gave, as data; nothing where only its text is known. */
export function foundData({ told }: Pick<Result, 'told'>): FoundData {
  const { answer, passages } = (told?.values ?? {}) as Partial<FoundData>;
  return { answer: answer ?? [], passages: passages ?? [] };
}

/** An event with its day. */
function eventInGerman(event: CalendarEvent, timeZone: string): string {
  const { title, day, time, zone, lastDay, end, where, repeats } = event;
  const inZone = zone === undefined || zone === timeZone ? '' : ` (${zone})`;
  const at = time === undefined ? '' : ` um ${time} Uhr${inZone}`;
  const last = [...(lastDay === undefined ? [] : [dayInGerman(lastDay)]), ...(end === undefined ? [] : [`${end} Uhr`])];
  const until = last.length === 0 ? '' : ` bis ${last.join(' um ')}`;
  const place = where === undefined ? '' : `, Ort: ${where}`;
  const again = repeats === undefined ? '' : `\nWiederholt sich: ${repeats}.`;
  return `${title} am ${dayInGerman(day)}${at}${until}${place}.${again}`;
}

/**
 * A text as a German reads it: its events, and where it stands; other text stays.
 *
 * @param timeZone the reader's, which is not named.
 */
export function partsInGerman(parts: readonly TextPart[], timeZone: string): string {
  return parts
    .map(({ text, event, place }) => (event ? eventInGerman(event, timeZone) : place ? placeInGerman(place) : text))
    .join('');
}

const KINDS = { line: ['Zeile', 'Zeilen'], page: ['S.', 'S.'], slide: ['Folie', 'Folien'] } as const;

function placeInGerman({ file, heading, kind, from, to }: CitedPlace): string {
  const [one, several] = KINDS[kind];
  const under = heading === undefined ? '' : `${heading}, `;
  return `[${file}, ${under}${from === to ? `${one} ${from}` : `${several} ${from}-${to}`}]`;
}

function dayInGerman(day: string): string {
  return sayings('de', { timeZone: 'UTC', now: noon(day) }).day(noon(day));
}

function noon(day: string): Date {
  return new Date(`${day}T12:00:00Z`);
}
