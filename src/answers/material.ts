import { citation } from '../rag/citation.ts';
import { MOST_OF_PAPER } from '../rag/documents/papers.ts';
import { RAG_DEFAULTS } from '../rag/options.ts';
import { chunk } from '../rag/read/chunk.ts';
import { readMarkdown } from '../rag/read/markdown.ts';
import { readText } from '../rag/read/text.ts';
import type { Hit } from '../rag/types.ts';
import type { ExtractiveAnswer } from './answers.ts';
import { extractAnswer } from './extract.ts';
import { resolveQuery } from './follow-up/follow-up.ts';
import { letterIn } from './papers/letters.ts';
import { readerFor } from './reader.ts';

/** A text that came with a request. */
export interface HandedText {
  readonly name: string;
  readonly text: string;
}

/** How many passages contribute sentences to an answer, as for documents. */
const ANSWER_DEPTH = 8;

/** Answer a question from texts that came with it, in their own sentences. Nothing is stored or searched besides. */
export function answerFromTexts(
  question: string,
  texts: readonly HandedText[],
  { k, history }: { readonly k: number; readonly history: readonly string[] },
): Pick<ExtractiveAnswer, 'answer' | 'confidence' | 'passages'> {
  const asked = { question, resolved: resolveQuery(question, history) };
  const papers = texts.map(passagesOf);
  const hits = ranked(asked.resolved, papers.flat());
  const letter = letterIn(
    papers.filter(({ length }) => length <= MOST_OF_PAPER),
    question,
  );
  if (letter) {
    const passages = papers.flat().filter((passage) => letter.answer.includes(passage.citation));
    return { answer: letter.answer, confidence: 1, passages };
  }
  const { answer, confidence } = extractAnswer(asked, hits.slice(0, ANSWER_DEPTH));
  return { answer, confidence, passages: hits.slice(0, k) };
}

function passagesOf({ name, text }: HandedText): Hit[] {
  const parsed = /\.(?:md|markdown)$/iu.test(name) ? readMarkdown(text) : readText(text);
  return chunk(parsed, { words: RAG_DEFAULTS.chunkWords }).map(({ metadata: _, ...piece }, at) => {
    const place = { file: name, heading: piece.heading, lines: piece.lines, place: piece.place };
    // They are in no index: no number of theirs is one of a document.
    return { ...piece, file: name, documentId: name, chunkId: -1 - at, score: 0, citation: citation(place) };
  });
}

/** Those with words of the question, by how rare these are among all passages. */
function ranked(question: string, passages: readonly Hit[]): Hit[] {
  const reader = readerFor(question);
  const said = [...new Set(reader.words(question))];
  const words = passages.map(({ text, heading }) => new Set(reader.words(`${heading.join('. ')}. ${text}`)));
  const rarity = (word: string) => Math.log(1 + passages.length / (1 + words.filter((each) => each.has(word)).length));
  const weights = new Map(said.map((word) => [word, rarity(word)]));
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return passages
    .map((passage, at) => {
      const shared = said.filter((word) => words[at]?.has(word));
      return { ...passage, score: shared.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0) / (all || 1) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}
