import { isRecord } from '../../base/json.ts';
import { daysBetween } from '../../when/calendar.ts';
import { findDate } from '../../when/find.ts';
import { month } from '../../words/months.ts';
import { act, type Intent, type UserRequest } from '../request.ts';
import { count } from './date-counts.ts';
import { search } from './documents.ts';

/** A date of a sentence, with or without its year. */
const DATE =
  /\b(?:\d{1,2}(?:st|nd|rd|th)? (?:of )?MONTH|MONTH \d{1,2}(?:st|nd|rd|th)?)(?:,? \d{4})?\b/u.source.replaceAll(
    'MONTH',
    month('en'),
  );

/** "How many days until the concert?": the documents know when it is, if anything does. */
export function untilEvent(what: string, unit: string | undefined, request: UserRequest): Intent | undefined {
  if (request.language === 'de' || !request.can('query_rag') || !/\p{L}{3}/u.test(what)) return undefined;
  const found = search(`when is ${what}`, request);
  return act({
    ...found,
    say: (result) => {
      const answer = isRecord(result.value) ? String(result.value.answer ?? '') : '';
      const dates = answer.match(new RegExp(DATE, 'gu')) ?? [];
      const at = dates.length === 1 ? findDate(dates[0] ?? '', request)?.at : undefined;
      const said = found.say(result);
      if (!at || daysBetween(request.now, at, request.timeZone) < 0) return said;
      return `It is ${count(request.now, at, unit, request)} until ${request.saying.day(at)}:\n${said}`;
    },
  });
}
