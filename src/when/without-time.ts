import { pattern } from '../base/pattern.ts';
import { PREPOSITION } from './find.ts';
import { lex } from './grammar/lex.ts';
import { readSentence } from './grammar/read.ts';
import type { Token } from './grammar/token.ts';

/** What joins the task to the words before it. */
const OPENER = { en: /^(?:to|about|that)$/iu, de: /^(?:an|ans|daran|dran|dass)$/iu };
/** Words that belong to a time if they come between it and the task, and mean nothing by themselves. */
const PART_OF_TIME = pattern(
  'iu',
  '^(?:this|that|one|thing|next|week|early|late|mid|start|beginning|lunch|dinner|breakfast|supper|work|school',
  '|bed|sunset|sunrise|anfang|mitte|ende|lang|lange|aber|nur|nicht|zur|zum|so|erst|schon|bit|while|moment)$',
);
/** A question word may be part of the task as well. */
const ARTICLE = /^(?:the|to|an?|d(?:er|ie|as|en|em))$/iu;
const ME = /^(?:me|us|mich|mir|uns)$/iu;

/** The sentence without anything that belongs to a time, clear or not; an answer to "when?" is added to it. */
export function withoutTime(text: string): string {
  const { stretches, typo, unused, lexicon } = readSentence(text);
  const { tokens } = lex(text);
  const isTime = ({ start, text: word }: Token) =>
    stretches.some((stretch) => start >= stretch.start && start < stretch.end) ||
    word === typo?.written ||
    (unused.includes(word) && !ARTICLE.test(word));
  const between = inFront(tokens, isTime, OPENER[lexicon.language]);
  let rest = text;
  let follows = false;
  for (const token of tokens.toReversed()) {
    const leads: boolean = follows && token.senses.length > 0 && !token.senses.some(({ is }) => is === 'filler');
    follows = isTime(token) || leads;
    if (follows || between.includes(token)) rest = `${rest.slice(0, token.start)} ${rest.slice(token.end)}`;
  }
  return rest
    .replace(/(?<!\S)(?:but )?not (?=\s|(?:though|on|at)\b|$)/giu, '')
    .replace(PREPOSITION[lexicon.language], '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** "Mitte November um 9 an die Reifen": all that precedes the task, if it consists only of words of time. */
function inFront(tokens: readonly Token[], isTime: (token: Token) => boolean, opener: RegExp): readonly Token[] {
  const me = tokens.findIndex(({ text }) => ME.test(text));
  const first = tokens.findIndex((token, index) => index > me && isTime(token));
  const end = tokens.findIndex((token, index) => index > first && !isTime(token) && opener.test(token.text));
  if (first < 0 || end < 0) return [];
  const front = tokens.slice(me + 1, end);
  const isPart = (token: Token) =>
    isTime(token) || token.senses.length > 0 || PART_OF_TIME.test(token.text) || /^[^\p{L}\p{N}]$/u.test(token.text);
  return front.every(isPart) ? front : [];
}
