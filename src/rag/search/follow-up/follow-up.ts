import { pattern } from '../../../base/pattern.ts';
import { QUESTION_WORDS } from '../../../words/question-words.ts';
import { oneOf } from '../../../words/spelling.ts';
import { contentTokens } from '../../analysis/words.ts';
import { nounsFor, type Question, readQuestion } from './question.ts';

/** An earlier message with fewer words, and no noun that is known as one, names nothing to refer to: "thanks". */
const FEW_WORDS = 2;
/** "When is choir?" names one thing, and so asks about it. */
const ASKS = pattern('iu', String.raw`^(?:${oneOf(QUESTION_WORDS.en, QUESTION_WORDS.de)}|is|are|ist|sind)\b.*\?$`);
/** "And is parking included?": with an opener, a question this short is a part of the one before. */
const FEW_AFTER_OPENER = 4;

/**
 * Resolve a follow-up question: when it refers to what was said before, add the words of the question that it refers
 * to. "And its author?" after "who publishes the Almanac" also searches for the Almanac. Its own words count twice.
 *
 * @param history earlier messages of the person, oldest first.
 */
export function resolveQuery(text: string, history: readonly string[]): string {
  if (history.length === 0 || !refersBack(text)) return text;
  const topic = topicOf(history);
  return topic === undefined ? text : `${text} ${text} ${contentTokens(topic).join(' ')}`;
}

/** The last message that stands by itself: "who runs it" goes on about what the one before it named. */
function topicOf(history: readonly string[]): string | undefined {
  const telling = history.filter(namesSomething);
  return telling.findLast((message) => !refersBack(message)) ?? telling.at(-1);
}

function namesSomething(message: string): boolean {
  const { nouns } = readQuestion(message);
  const count = contentTokens(message).length;
  return count >= FEW_WORDS || nouns.some(({ bare }) => !bare) || (count > 0 && ASKS.test(message.trim()));
}

/**
 * Does a question refer to something said before? It does with a word such as "it" whose noun does not stand in the
 * question itself, and when it is only a part of a question: "why?", "and in winter?".
 */
export function refersBack(text: string): boolean {
  const question = readQuestion(text);
  if (question.words.length === 0) return false;
  return isFragment(question) || question.words.some((_word, at) => pointsOut(question, at));
}

/** A word that points to a noun which the question does not have. */
function pointsOut(question: Question, at: number): boolean {
  const { grammar, words } = question;
  const reach = grammar.pointer(words, at);
  if (reach === undefined) return false;
  return !nounsFor(question, at, reach).some((noun) => grammar.agrees(words, at, noun));
}

/** A part of a question that only the one before completes. */
function isFragment({ grammar, words, nouns }: Question): boolean {
  const opener = grammar.openerLength(words);
  const rest = words.slice(opener);
  const hasVerb = rest.some((word) => grammar.isVerb(word));
  if (rest.length === 0 || (opener > 0 && !hasVerb)) return true;
  const named = nouns.filter(({ at }) => at >= opener);
  if (named.length === 0) return !grammar.standsAlone(rest);
  if (opener > 0 && rest.length <= FEW_AFTER_OPENER && named.every(({ bare }) => bare)) return true;
  return !hasVerb && grammar.isPhrase(rest);
}
