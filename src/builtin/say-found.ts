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
  if (reckons) return notReckoned(request);
  const near = passages.slice(0, CANDIDATES).flatMap(({ text, citation, parts }) => {
    const [passage, place] = [readable(String(text)), String(citation)];
    const whole = `${passage} ${place}`;
    const isNear =
      request.language === 'de' ? sharedShare(request.plain, whole) >= LEAST_SHARED : sharesAny(request.plain, whole);
    if (!isNear || value.confidence === 0) return [];
    const part = nearestPart(readable(inOwn(String(text), parts?.text, request)), request.plain);
    return [`- ${preview(part, MAX_PASSAGE_CHARS)} ${inOwn(place, parts?.citation, request)}`];
  });
  const unknown = unknownNoun(passages, request);
  const isElsewhere = unknown !== undefined && (request.language === 'en' || Number(value.confidence) < LEAST_KNOWN);
  return near.length === 0 || isElsewhere
    ? nothingOf(unknown, request)
    : [elsewhere ?? unsure(passages, near.length, request), ...near].join('\n');
}

/** The sentences that answer, with where each stands; empty where none does. */
export function answerIn({ value, told }: Pick<Result, 'value' | 'told'>, request: UserRequest): string {
  const answer = isRecord(value) && typeof value.answer === 'string' ? value.answer.trim() : '';
  return readable(inOwn(answer, foundData({ told }).answer, request));
}

/** A text in the reader's language, as far as its parts are known. */
function inOwn(text: string, parts: readonly TextPart[] | undefined, request: UserRequest): string {
  return request.in(text, parts?.length ? partsInGerman(parts, request.timeZone) : text);
}

/** A passage, and its text and citation as data. */
type Found = Readonly<Record<string, unknown>> & { readonly parts?: FoundData['passages'][number] | undefined };

function notReckoned(request: UserRequest): string {
  return request.in(
    'I could not make out what to work out, and your documents have nothing on it. Try "what is 19% of 340".',
    [
      'Ich verstehe nicht, was ich ausrechnen soll, und in deinen Unterlagen steht nichts dazu.',
      'Versuch es etwa mit „was sind 19 % von 340“.',
    ].join(' '),
  );
}

/** A noun of the question that stands nowhere is said. */
function nothingOf(unknown: string | undefined, request: UserRequest): string {
  if (unknown === undefined) return nothing(request);
  return request.in(
    `I found nothing about ${unknown} in your documents and notes.`,
    `Von „${unknown}“ steht in deinen Unterlagen und Notizen nichts, das ich finde.`,
  );
}

/** What no passage speaks of is said: what follows may be about something else, then. */
function unsure(passages: readonly Record<string, unknown>[], shown: number, request: UserRequest): string {
  const unmet = unmetIn(request.plain, passages).map((word) => `"${word}"`);
  return request.in(
    unmet.length === 0
      ? 'I am not sure. The nearest passages are:'
      : `I found nothing about ${unmet.join(' or ')}. The nearest passages are:`,
    shown > 1 ? 'Da bin ich nicht sicher. Am nächsten kommen diese Stellen:' : 'Da bin ich nicht sicher. Am ehesten:',
  );
}

/** What is called so in each language. */
const FIGURES: Readonly<Record<string, readonly [en: string, de: string]>> = {
  sum: ['sum', 'Summe'],
  average: ['average', 'Durchschnitt'],
  highest: ['highest', 'höchster Wert'],
  lowest: ['lowest', 'niedrigster Wert'],
};
const MOST_SHOWN = 5;

/** The figure first, then of what it is, and the rows where they are few. */
function sayFigure(table: Readonly<Record<string, unknown>>, request: UserRequest): string {
  const { operation, value, column, file, rows, of, whole } = table;
  const shown = Array.isArray(table.shown) ? table.shown.map((row) => `- ${String(row)}`) : [];
  const all = whole === true ? request.in('the', 'den') : request.in('the readable', 'den lesbaren');
  const among = request.in(`${rows} of ${all} ${of} rows in ${file}`, `${rows} von ${all} ${of} Zeilen in ${file}`);
  const [row] = shown;
  if (value !== undefined && operation === 'sum' && rows === 1 && row !== undefined)
    return `${value} (${column}; ${row.slice(2)}) [${file}]`;
  if (Array.isArray(table.groups)) {
    const lines = table.groups.filter(isRecord).map((group) => `- ${String(group.of)}: ${String(group.value)}`);
    const [en, de] = FIGURES[String(operation)] ?? ['', ''];
    return [
      request.in(`The ${en} of "${column}" over ${among}:`, `${de} von „${column}“ über ${among}:`),
      ...lines,
    ].join('\n');
  }
  if (value === undefined)
    return [request.in(`These speak of it, ${among}:`, `Davon sprechen ${among}:`), ...shown].join('\n');
  if (operation === 'count') return `${among}.`;
  const [en, de] = FIGURES[String(operation)] ?? ['', ''];
  const lead = request.in(
    `${value}: the ${en} of "${column}" over ${among}.`,
    `${value}: ${de} von „${column}“ über ${among}.`,
  );
  const few =
    shown.length <= MOST_SHOWN && (Number(rows) <= MOST_SHOWN || operation === 'highest' || operation === 'lowest');
  return [lead, ...(few ? shown : [])].join('\n');
}

/** The answer, then the sources that it does not name itself. */
function withSources(answer: string, passages: readonly Found[], request: UserRequest): string {
  if (/\[[^[\]]+\]/u.test(answer)) return answer;
  const missing = [
    ...new Set(passages.map(({ citation, parts }) => inOwn(String(citation), parts?.citation, request))),
  ].slice(0, MAX_SOURCES);
  return missing.length === 0 ? answer : `${answer}\n\n${request.in('Sources', 'Quellen')}: ${missing.join(' ')}`;
}

function nothing(request: UserRequest): string {
  const elsewhere = lineElsewhere(request.text);
  if (elsewhere !== undefined) return elsewhere;
  const { handed } = request;
  if (handed !== undefined)
    return request.in(`I found nothing about that in ${handed}.`, `Dazu habe ich in ${handed} nichts gefunden.`);
  return request.in(
    [
      'I found nothing about that in your documents and notes. `wooster ingest PATH` adds documents;',
      'as the built-in model I know nothing beyond them.',
    ].join(' '),
    [
      'Dazu habe ich in deinen Unterlagen und Notizen nichts gefunden. `wooster ingest PFAD` nimmt Unterlagen auf;',
      'mehr als sie weiß ich als eingebautes Modell nicht.',
    ].join(' '),
  );
}
