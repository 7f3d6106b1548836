import { pattern } from '../../base/pattern.ts';
import { contentTokens } from '../../rag/analysis/words.ts';
import { QUESTION_WORDS } from '../../words/question-words.ts';
import { oneOf } from '../../words/spelling.ts';
import { nounsFor, type Question, readQuestion } from './question.ts';

/** An earlier message with fewer words and no certain noun, such as "thanks", offers nothing to refer to. */
const FEW_WORDS = 2;
/** A question with a single content word is still about something: "when is choir?". */
const ASKS = pattern('iu', String.raw`^(?:${oneOf(QUESTION_WORDS.en, QUESTION_WORDS.de)}|is|are|ist|sind)\b.*\?$`);
/** After an opener, a question this short continues the previous one: "and is parking included?". */
const FEW_AFTER_OPENER = 4;

/**
 * Resolve a follow-up question: when it refers to something said before, add the words of the question that it refers
 * to. "And its author?" after "who publishes the Almanac" also searches for the Almanac. Its own words count twice.
 *
 * @param history earlier messages of the person, oldest first.
 */
export function resolveQuery(text: string, history: readonly string[]): string {
  if (history.length === 0 || !refersBack(text)) return text;
  const topic = topicOf(history);
  return topic === undefined ? text : `${text} ${text} ${contentTokens(topic).join(' ')}`;
}

/** The last message that stands by itself: "who runs it" is still about what an earlier one named. */
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
 * Does a question refer to something said before? It does if it has a word such as "it" without the noun that the word
 * stands for, or if it is only part of a question: "why?", "and in winter?".
 */
export function refersBack(text: string): boolean {
  const question = readQuestion(text);
  if (question.words.length === 0) return false;
  return isFragment(question) || question.words.some((_word, at) => pointsOut(question, at));
}

/** Does a word point to a noun that the question does not have? */
function pointsOut(question: Question, at: number): boolean {
  const { grammar, words } = question;
  const reach = grammar.pointer(words, at);
  if (reach === undefined) return false;
  return !nounsFor(question, at, reach).some((noun) => grammar.agrees(words, at, noun));
}

/** Is this only part of a question, which the previous one completes? */
function isFragment({ grammar, words, nouns }: Question): boolean {
  const said = `${words.map(({ text }) => text).join(' ')} `;
  const opener = grammar.openers.find((each) => said.startsWith(`${each} `))?.split(' ').length ?? 0;
  const rest = words.slice(opener);
  const hasVerb = rest.some((word) => grammar.isVerb(word));
  if (rest.length === 0 || (opener > 0 && !hasVerb)) return true;
  const named = nouns.filter(({ at }) => at >= opener);
  if (named.length === 0) return !grammar.standsAlone(rest);
  if (opener > 0 && rest.length <= FEW_AFTER_OPENER && named.every(({ bare }) => bare)) return true;
  return !hasVerb && grammar.isPhrase(rest);
}
