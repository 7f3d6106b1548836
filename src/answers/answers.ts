import { LISTS_FOLDER } from '../rag/project-file-names.ts';
import { parseQuery } from '../rag/search/query.ts';
import type { Documents, Hit, HitContext, PassageSources, SearchOptions } from '../rag/types.ts';
import { type Conflict, conflictsIn } from './conflicts.ts';
import { extractAnswer } from './extract.ts';
import { resolveQuery } from './follow-up/follow-up.ts';
import { nearPassages } from './near-passages.ts';
import { withNextDays } from './next-event.ts';
import { letterFrom } from './papers/letters.ts';
import { relatedWords } from './reader.ts';
import { referencesOf } from './references.ts';
import type { TableFigure } from './table/figure.ts';
import { recordFrom } from './table/record.ts';
import { eldestFrom, figureFrom, type TableDocuments } from './table/tables.ts';

/** How many hits contribute sentences to an answer. */
const ANSWER_DEPTH = 8;
/** When an answer covers less of its question than this, related words are searched as well. */
const UNSURE = 0.4;

/** How a question is answered. */
export interface AnswerOptions extends SearchOptions {
  /** Earlier questions of the conversation, oldest first: they resolve follow-ups such as "and its author?". */
  readonly history?: readonly string[];
  /** The asker's date, `YYYY-MM-DD`, which "this month" counts from. */
  readonly today?: string;
}

/** An answer in the documents' own sentences, with the documents that the passages come from. */
export interface ExtractiveAnswer extends PassageSources {
  /** Empty when no sentence is likely to answer the question. */
  readonly answer: string;
  /** The share of the question, from 0 to 1, that the quoted sentences cover, or that the best one would. */
  readonly confidence: number;
  /**
   * The best hits in search order, whether or not one of their sentences is quoted. None that is far below the
   * best where that answers, unless more were asked for than an answer is made from.
   */
  readonly passages: readonly SupportingHit[];
  /** Where two of the passages' documents disagree about what was asked. */
  readonly conflicts?: readonly Conflict[];
  /** Citations of the sections that the passages refer to and that are none of them. */
  readonly see?: readonly string[];
  /** Computed from a table, where the question asks for a sum, a count or an extreme. */
  readonly table?: TableFigure;
}

/** A hit as returned with an answer. */
export interface SupportingHit {
  readonly text: string;
  readonly citation: string;
  /** `2026-11-26`: of what it says or, unless that has a date, of its file. */
  readonly day?: string;
  readonly score: number;
  readonly chunkId: number;
  /** The citation of a better passage that says nearly the same. */
  readonly sameAs?: string;
  readonly context?: HitContext;
}

/** Answers a question about the documents of a project in their own sentences. No model is asked. */
export type AnswerQuestion = (project: string, question: string, options: AnswerOptions) => Promise<ExtractiveAnswer>;

export function createAnswers(
  documents: Pick<Documents, 'search' | 'sourcesOf' | 'section'> & TableDocuments,
): AnswerQuestion {
  return async (project, question, options) => {
    const { text, conditions } = parseQuery(question);
    const asked = { question: text, resolved: resolveQuery(text, options.history ?? []) };
    const search = (words: string, own: SearchOptions) =>
      documents.search(project, { text: words, conditions }, { ...options, ...own });
    const extract = (hits: readonly Hit[]) =>
      extractAnswer(asked, hits.filter(canAnswer).map(withComingDays(options.today)));

    const hits = await search(asked.resolved, { k: Math.max(options.k, ANSWER_DEPTH) });
    const nearest = hits.slice(0, ANSWER_DEPTH);
    const record = recordFrom(text, nearest, { today: options.today, history: options.history });
    // Their rows say nothing of somebody who belongs to them.
    const speaks = ({ chunkId }: Hit) => record === undefined || !record.chunks.has(chunkId);
    const own = extract(nearest.filter(speaks));
    // Related words only help to find a sentence; the passages shown are still those found for the question itself.
    const words = own.confidence < UNSURE ? relatedWords(text) : [];
    const query = [asked.resolved, ...words].join(' ');
    const others = words.length === 0 ? [] : await search(query, { k: ANSWER_DEPTH, neighbours: 0, reranked: false });
    const related = extract(others.filter(speaks));
    const best = related.answer !== '' && related.confidence > own.confidence ? related : own;
    const eldest = await eldestFrom(documents, project, { question: text, today: options.today });
    const letter = await letterFrom(documents, project, text);
    const told = eldest?.answer ?? letter?.answer ?? record?.answer;
    // Where all that was found is about others, not even the nearest is near.
    const isOfNobody = record !== undefined && best.answer === '';
    const { answer, confidence } =
      told === undefined ? { ...best, ...(isOfNobody && { confidence: 0 }) } : { answer: told, confidence: 1 };

    // Where even the best gives no answer, none is far below it.
    const isWide = answer === '' || options.k > ANSWER_DEPTH;
    const shown = (isWide ? hits : nearPassages(asked.resolved, nearest)).slice(0, options.k);
    const quoted = [...hits, ...others].filter(({ citation }) => answer.includes(citation));
    const table = await figureFrom(documents, project, {
      question: text,
      hits: nearest,
      today: options.today,
      before: options.history?.at(-1),
    });
    // Of a table there may be no passage here; what comes from it is as untrusted as that document.
    const given = [
      ...[...shown, ...quoted].map(({ chunkId }) => chunkId),
      ...[table, eldest, letter].flatMap((each) => each?.chunkIds ?? []),
    ];
    return {
      ...{ answer, confidence, passages: passagesOf(shown), ...(table && { table: table.figure }) },
      conflicts: conflictsIn(asked, shown.filter(canAnswer)),
      see: await referencesOf(documents, project, shown),
      ...(await documents.sourcesOf(project, given)),
    };
  };
}

/** An entry of a to-do or shopping list answers no question. */
function canAnswer({ file, text }: Hit): boolean {
  return !(file.startsWith(`${LISTS_FOLDER}/`) && /^[ \t]*[-*+] \[[ x]\]/imu.test(text));
}

/** A calendar file has the first day of a recurring event; people want to know the next. */
function withComingDays(today: string | undefined): (hit: Hit) => Hit {
  return (hit) =>
    today !== undefined && /\.ics$/iu.test(hit.file) ? { ...hit, text: withNextDays(hit.text, today) } : hit;
}

/** The hits in search order; near-duplicates come without their text. */
function passagesOf(hits: readonly Hit[]): SupportingHit[] {
  const passages = hits.flatMap(({ copies = [], ...hit }): SupportingHit[] => [
    supporting(hit),
    ...copies.map((copy) => ({ ...copy, text: '', sameAs: hit.citation })),
  ]);
  return passages.sort((a, b) => b.score - a.score);
}

function supporting({ text, citation, score, chunkId, day, context }: Hit): SupportingHit {
  return { text, citation, ...(day !== undefined && { day }), score, chunkId, ...(context && { context }) };
}
