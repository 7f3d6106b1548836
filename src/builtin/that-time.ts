import { pattern } from '../base/pattern.ts';
import { month } from '../words/months.ts';
import { numberWord } from '../words/numbers.ts';
import type { RawRequest } from './request.ts';

/** As our answers name it: "It comes on Monday 23 November 2026 at 16:30". */
const TIMES = pattern(
  'gu',
  String.raw`\b(?<date>\d{1,2} ${month('en')}(?: \d{4})?)`,
  String.raw`(?: at (?<time>\d\d:\d\d)(?: \((?<zone>[\w/+-]+)\)| (?<utc>UTC)\b)?)?`,
);
const ASKS = /^.{0,30}\b(?:remind|alert|nudge|ping|wake|reminder|alarm|move)\b/iu;
const BEFORE = pattern(
  'iu',
  String.raw`\b(?<span>(?:an?|the|half an|\d+|${numberWord('en', 2, 12)})`,
  ' (?:hour|day|night|evening|morning|week|minutes?|hours|days',
  String.raw`|weeks) (?:before|after|earlier|later))\b(?: (?:that|it|this|then|my appointment))?`,
  String.raw`(?= (?:to|at|um)\b|[\s.!]*$)`,
  String.raw`|\b(?:on )?(?:that|the same) day\b`,
);

/** The day before at what time is another question. */
const SHORT = /hour|minute/iu;

/** "And remind me an hour before that": the one time that the answer before named, unless it is of another zone. */
export function withTimeOfThat(raw: RawRequest): RawRequest {
  const answer = raw.earlier.at(-1);
  if (answer?.by !== 'assistant' || raw.text.length > 200 || !ASKS.test(raw.text) || !BEFORE.test(raw.text)) return raw;
  const named = new Map([...answer.text.matchAll(TIMES)].map(({ 0: all, groups }) => [all, groups]));
  const [only, ...others] = named.values();
  if (!only || others.length > 0 || (only.zone ?? only.utc ?? raw.timeZone) !== raw.timeZone) return raw;
  const text = raw.text.replace(BEFORE, (all, span: string | undefined) => {
    if (span === undefined) return `on ${only.date}`;
    if (only.time === undefined && SHORT.test(span)) return all;
    const words = span.replace('earlier', 'before').replace('later', 'after');
    return SHORT.test(span) ? `${words} ${only.time} on ${only.date}` : `${words} ${only.date}`;
  });
  return { ...raw, text };
}
