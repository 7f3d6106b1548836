import { isRecord } from '../base/json.ts';
import { preview } from '../base/text.ts';
import type { FoundData, TextPart } from '../models/message-data.ts';
import { foundData, partsInGerman } from './found.ts';
import { lineElsewhere } from './language.ts';
import { givesFigures, nearestPart, sharedShare, sharesAny, unknownNoun, unmetIn } from './passage-words.ts';
import { readable } from './readable.ts';
import type { Result, UserRequest } from './request.ts';

/** Passages that are shown where no sentence answers, */
const CANDIDATES = 2;
/** as far as they have this share of what the question says. */
const LEAST_SHARED = 0.5;
/** A noun that stands nowhere may be said in another word where a sentence covers this share of the question. */
const LEAST_KNOWN = 0.2;
const MAX_PASSAGE_CHARS = 400;
const MAX_SOURCES = 4;

/** The sentences that answer, else the two nearest passages, else that nothing was found. */
export function sayFound({ value, told }: Pick<Result, 'value' | 'told'>, request: UserRequest): string {
  if (!isRecord(value)) return typeof value === 'string' && value !== '' ? value : nothing(request);
  const all = Array.isArray(value.passages) ? value.passages.filter(isRecord) : [];
  const known = foundData({ told });
  const passages = all
    .map((passage, at): Found => ({ ...passage, parts: known.passages[at] }))
    .filter(({ citation }) => !/^\[lists\//u.test(String(citation)));
  if (isRecord(value.table)) return sayFigure(value.table, request);
  const elsewhere = lineElsewhere(request.text);
  const answer = answerIn({ value, told }, request);
  const reckons = elsewhere === undefined && givesFigures(request, passages);
  if (answer !== '' && !reckons) return withSources(answer, passages, request);
  if (passages.length === 0) return nothing(request);
  if (reckons) return request.tell('not reckoned');
  const near = passages.slice(0, CANDIDATES).flatMap(({ text, citation, parts }) => {
    const [passage, place] = [readable(String(text)), String(citation)];
    const whole = `${passage} ${place}`;
    const isNear =
      request.language === 'de' ? sharedShare(request.plain, whole) >= LEAST_SHARED : sharesAny(request.plain, whole);
    if (!isNear || value.confidence === 0) return [];
    const part = nearestPart(readable(inOwn(String(text), parts?.text, request)), request.plain);
    return [`${preview(part, MAX_PASSAGE_CHARS)} ${inOwn(place, parts?.citation, request)}`];
  });
  const unknown = unknownNoun(passages, request);
  const isElsewhere = unknown !== undefined && (request.language === 'en' || Number(value.confidence) < LEAST_KNOWN);
  if (near.length === 0 || isElsewhere) return unknown ? request.tell('nothing about', { unknown }) : nothing(request);
  if (elsewhere !== undefined) return elsewhere;
  // What no passage speaks of is said: what follows may be about something else, then.
  const unmet = unmetIn(request.plain, passages).map((word) => `"${word}"`);
  const [isMet, isOne] = [unmet.length === 0, near.length === 1];
  return request.tell('near passages', { near, unmet: unmet.join(' or '), met: isMet, one: isOne, several: !isOne });
}

/** The sentences that answer, with where each stands; empty where none does. */
export function answerIn({ value, told }: Pick<Result, 'value' | 'told'>, request: UserRequest): string {
  const answer = isRecord(value) && typeof value.answer === 'string' ? value.answer.trim() : '';
  return readable(inOwn(answer, foundData({ told }).answer, request));
}

/** A text in the reader's language, as far as its parts are known. */
function inOwn(text: string, parts: readonly TextPart[] | undefined, request: UserRequest): string {
  return request.language === 'de' && parts?.length ? partsInGerman(parts, request.timeZone) : text;
}

/** A passage, and its text and citation as data. */
type Found = Readonly<Record<string, unknown>> & { readonly parts?: FoundData['passages'][number] | undefined };

const MOST_SHOWN = 5;

/** The figure first, then of what it is, and the rows where they are few. */
function sayFigure(table: Readonly<Record<string, unknown>>, { tell }: UserRequest): string {
  const { operation, value, column, file, rows, whole } = table;
  const shown = Array.isArray(table.shown) ? table.shown.map(String) : [];
  const among = tell('rows counted', { ...table, readable: whole !== true });
  const values = { ...table, shown, among, figure: tell('figure of', table) };
  if (value !== undefined && operation === 'sum' && rows === 1 && shown.length > 0)
    return `${value} (${column}; ${shown[0]}) [${file}]`;
  if (Array.isArray(table.groups)) return tell('figure by group', values);
  if (value === undefined) return tell('rows that speak', values);
  if (operation === 'count') return `${among}.`;
  const isFew = Number(rows) <= MOST_SHOWN || operation === 'highest' || operation === 'lowest';
  return tell('figure', { ...values, few: isFew && shown.length <= MOST_SHOWN ? shown : [] });
}

/** The answer, then the sources that it does not name itself. */
function withSources(answer: string, passages: readonly Found[], request: UserRequest): string {
  if (/\[[^[\]]+\]/u.test(answer)) return answer;
  const missing = [
    ...new Set(passages.map(({ citation, parts }) => inOwn(String(citation), parts?.citation, request))),
  ].slice(0, MAX_SOURCES);
  return missing.length === 0 ? answer : request.tell('sources', { answer, sources: missing.join(' ') });
}

function nothing({ text, handed, tell }: UserRequest): string {
  return lineElsewhere(text) ?? tell(handed === undefined ? 'nothing found' : 'nothing handed', { handed });
}
