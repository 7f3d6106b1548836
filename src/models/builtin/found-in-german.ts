import { pattern } from '../../base/pattern.ts';
import { sayings } from '../../when/say.ts';
import { weekday } from '../../words/weekdays.ts';

/** How an event of a calendar file stands in the index: "on Thursday 3 December 2026 at 14:30 (Europe/Berlin)". */
const EVENT = pattern(
  'gu',
  String.raw`\bon ${weekday('en')} (?<date>\d{1,2} \p{Lu}\p{Ll}+ \d{4})`,
  String.raw`(?: at (?<time>\d\d:\d\d))?`,
  String.raw`(?<zone> UTC| \([\w/+-]+\))?(?: until (?<end>\d\d:\d\d))?(?<place>, at )?`,
);

/** Where something stands: `[lease.md, lines 3-9]`. */
const CITED = /(?<=\[[^[\]\n]{1,300}, )(lines?|pp?\.|slide) (?=\d+(?:-\d+)?\])/gu;
const CITED_AS: Readonly<Record<string, string>> = {
  ...{ line: 'Zeile', lines: 'Zeilen', 'p.': 'S.', 'pp.': 'S.', slide: 'Folie' },
};

/** What was found as a German reads it: the events of a calendar file, and where it stands. Other text stays. */
export function foundInGerman(text: string): string {
  return eventsInGerman(text).replace(CITED, (whole, place: string) => `${CITED_AS[place] ?? whole} `);
}

function eventsInGerman(text: string): string {
  return text.replace(EVENT, (whole, ...rest) => {
    const { date, time, zone, end, place } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const at = new Date(`${date} 12:00 +00:00`);
    if (Number.isNaN(at.getTime())) return whole;
    const day = sayings('de', { timeZone: 'UTC', now: at }).day(at);
    const hours = time === undefined ? '' : ` um ${time} Uhr`;
    const until = end === undefined ? '' : ` bis ${end} Uhr`;
    return `am ${day}${hours}${zone ?? ''}${until}${place === undefined ? '' : ', Ort: '}`;
  });
}
