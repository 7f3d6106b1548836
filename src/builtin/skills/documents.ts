import { isRecord } from '../../base/json.ts';
import { pattern } from '../../base/pattern.ts';
import { preview } from '../../base/text.ts';
import type { FoundData, TextPart } from '../../models/message-data.ts';
import { foundData, partsInGerman } from '../found.ts';
import { lineElsewhere } from '../language.ts';
import { phrases } from '../phrases.ts';
import { readable } from '../readable.ts';
import { type Action, act, ask, type Result, type Skill, type UserRequest } from '../request.ts';
import { askMemoryToo } from './memory.ts';
import { givesFigures, nearestPart, sharedShare, sharesAny, unknownNoun, unmetIn } from './passage-words.ts';

const PLACE = [
  '[my|the|our|these|those|all] [own] (document|documents|docs|files|library|papers|project|notes and',
  'documents|knowledge base|archive|manual|manuals|pdf|pdfs|ingested files|sources)',
].join(' ');
const ORT = [
  '[meine|meinen|meiner|den|die|der|unseren|unserer]',
  '(dokument|dokumente|dokumenten|unterlagen|dateien|bibliothek|projekt|archiv|handbuch|handbüchern|pdfs)',
].join(' ');

/** Ways of naming the documents; what is left is the question. */
const EXPLICIT = phrases({
  en: [
    `(search|look|check|query|browse|scan|go) [in|through|into|at] ${PLACE} (for|about|on|to find) {question}`,
    `(search|look|check|query|browse|scan|go) [in|through|into|at] ${PLACE} {question:maybe}`,
    `(find|look up|look for|search for|search|show me|get me|look) {question} (in|from|within|among) ${PLACE}`,
    `what (do|does|did|is written|is said|can you find) [in] ${PLACE} [say|says|tell|mention|contain|have] [me]
      (about|on|regarding|for) {question}`,
    `(according to|based on|from|in|using|per|as per) ${PLACE} {question}`,
    `(is|are) there (anything|something|a passage) (about|on) {question} (in|from) ${PLACE}`,
    `(is|are) there (anything|something|a passage) [in ${PLACE}] (about|on) {question}`,
    `{question} (according to|based on|in|from) ${PLACE}`,
    `(do|does|did) ${PLACE} (say|mention|contain|have|talk|know) [anything|something] [about|on] {question}`,
    '(ask the documents|ask my documents|rag|query|lookup|find|look up|search for|search) {question}',
  ],
  de: [
    `(such[e]|schau[e]|durchsuch[e]|sieh) [in] ${ORT} [nach] {question:maybe}`,
    `(find[e]|such[e]) {question} in ${ORT}`,
    `was (steht|sagen|sagt|steht alles) [in] ${ORT} (über|zu|zum|zur|von|vom) {question}`,
    `(laut|gemäß|nach|aus|in) ${ORT} {question}`,
    `(gibt es|steht) [etwas|was] [in ${ORT}] (über|zu|zum|zur) {question}`,
    `(such[e]|find[e]) [nach] {question}`,
  ],
});
/** How questions begin. A follow-up counts as one, too: "and its author". */
const QUESTION = pattern(
  'iu',
  '^(?:what|who|whom|whose|where|when|why|which|how|is|are|was|were|does|do|did|has|have|can',
  '|could|should|will|would|may|must|explain|describe|define|summari[sz]e|tell me (?:about|more)',
  '|give me (?:an? )?(?:summary|overview|details)|and (?:what|who|where|when|why|how|its|his|her',
  '|their|the)|wer|wen|wem|wessen|was|wo|wohin|woher|wann|warum|wieso|welche[rsnm]?|wie|wozu',
  '|wie ?viele?|womit|worum|worauf|woran|wofür|wovon|ist|sind|hat|haben|gibt es|darf|muss|kann|erkläre?',
  '|beschreibe?|und (?:was|wer|wo|wann|wie|warum)',
  '|(?:bei|in|ab|bis|seit|mit|für|um|an|auf|von|zu|unter|gegen)',
  String.raw` (?:was|wem|wann|wie ?viel\p{L}*|welche\p{L}?))\b`,
);
/** "The washing machine says E18, what do I do?" */
const WHAT_TO_DO = pattern(
  'iu',
  '(?:what (?:do|should|can) (?:i|we) do(?: now| about it)?|what does (?:that|it|this) mean|what now|why(?: is that)?',
  '|what (?:is|could be) wrong)$',
);
const ABOUT = phrases({
  en: ['(tell me about|tell me more about|describe|explain|define) {question}'],
  de: ['(erzähl mir [etwas|mehr] (über|von)|beschreib[e]|erklär[e] [mir]) {question}'],
});
/** Passages that are shown where no sentence answers, */
const CANDIDATES = 2;
/** as far as they have this share of what the question says. */
const LEAST_SHARED = 0.5;
/** A noun that stands nowhere may be said in another word where a sentence covers this share of the question. */
const LEAST_KNOWN = 0.2;
/** Behind the best one, what the search ranks lower than this share of it is about something else. */
const LEAST_LIKELY = 0.25;
const MAX_PASSAGE_CHARS = 400;
const MAX_SOURCES = 4;

/** `query_rag` takes no longer question. */
const LONGEST_QUESTION = 10_000;

/** A question that nothing else understood goes to the documents; saying where to look makes it one in any case. */
export const documents: Skill = {
  name: 'documents',
  anyLength: true,
  examples: {
    en: ['what do my documents say about the boiler?', 'when does the lease end?'],
    de: ['was steht in meinen Unterlagen über die Heizung?', 'wann endet der Mietvertrag?'],
  },
  recognize: (request) => {
    const { plain, text } = request;
    if (text.length > LONGEST_QUESTION) return undefined;
    const explicit = EXPLICIT(plain);
    if (explicit && (explicit.question ?? '') === '')
      return ask(
        request.in('What should I look for in your documents?', 'Wonach soll ich in deinen Unterlagen suchen?'),
        (answer) => `${plain} ${answer}`,
      );
    if (explicit?.question !== undefined) return act(search(explicit.question, request));
    const about = ABOUT(plain)?.question;
    if (about !== undefined) return askMemoryToo(search(about, request), request);
    return QUESTION.test(plain) || WHAT_TO_DO.test(plain) || text.trim().endsWith('?')
      ? askMemoryToo(search(text, request), request)
      : undefined;
  },
};

/** Ask the documents, and say what they answer. */
export function search(query: string, request: UserRequest): Action {
  return { tool: 'query_rag', input: { query: query.trim() }, say: (result) => sayFound(result, request) };
}

/** The sentences that answer, else the two nearest passages, else that nothing was found. */
function sayFound({ value, told }: Pick<Result, 'value' | 'told'>, request: UserRequest): string {
  if (!isRecord(value)) return typeof value === 'string' && value !== '' ? value : nothing(request);
  const all = Array.isArray(value.passages) ? value.passages.filter(isRecord) : [];
  const known = foundData({ told });
  const passages = all
    .map((passage, at): Found => ({ ...passage, parts: known.passages[at] }))
    .filter(({ citation }) => !/^\[lists\//u.test(String(citation)));
  if (isRecord(value.table)) return sayFigure(value.table, request);
  const elsewhere = lineElsewhere(request.text);
  const answer = typeof value.answer === 'string' ? value.answer.trim() : '';
  const inOwn = (text: string, parts: readonly TextPart[] = []) =>
    request.in(text, parts.length === 0 ? text : partsInGerman(parts));
  const reckons = elsewhere === undefined && givesFigures(request, passages);
  if (answer !== '' && !reckons) return withSources(readable(inOwn(answer, known.answer)), passages, request);
  if (passages.length === 0) return nothing(request);
  if (reckons) return notReckoned(request);
  const best = scoreOf(passages[0]);
  const likely = passages.filter((passage) => scoreOf(passage) >= LEAST_LIKELY * best);
  const near = likely.slice(0, CANDIDATES).flatMap(({ text, citation, parts }) => {
    const [passage, place] = [readable(String(text)), String(citation)];
    const whole = `${passage} ${place}`;
    const isNear =
      request.language === 'de'
        ? sharedShare(request.plain, whole) >= LEAST_SHARED
        : sharesAny(request.plain, whole) && value.confidence !== 0;
    if (!isNear) return [];
    const part = nearestPart(readable(inOwn(String(text), parts?.text)), request.plain);
    return [`- ${preview(part, MAX_PASSAGE_CHARS)} ${inOwn(place, parts?.citation)}`];
  });
  const unknown = request.language === 'de' ? unknownNoun(passages, request.plain) : undefined;
  const isElsewhere = unknown !== undefined && Number(value.confidence) < LEAST_KNOWN;
  return near.length === 0 || isElsewhere
    ? nothingOf(unknown, request)
    : [elsewhere ?? unsure(passages, near.length, request), ...near].join('\n');
}

/** A passage, and its text and citation as data. */
type Found = Readonly<Record<string, unknown>> & { readonly parts?: FoundData['passages'][number] | undefined };

function scoreOf(passage: Readonly<Record<string, unknown>> | undefined): number {
  return typeof passage?.score === 'number' ? passage.score : 1;
}

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
  return `Von „${unknown}“ steht in deinen Unterlagen und Notizen nichts, das ich finde.`;
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
    ...new Set(
      passages.map(({ citation, parts }) =>
        request.in(String(citation), partsInGerman(parts?.citation ?? [{ text: String(citation) }])),
      ),
    ),
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
