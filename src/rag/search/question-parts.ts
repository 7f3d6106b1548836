import { pattern } from '../../base/pattern.ts';
import { QUESTION_WORDS } from '../../words/question-words.ts';
import { oneOf } from '../../words/spelling.ts';
import { isGerman } from '../../words/telling-words.ts';
import { contentTokens } from '../analysis/words.ts';
import type { Asked } from './coverage.ts';
import { expectedIn } from './expected.ts';

/** How a question begins that stands behind another one. */
const ASKING = [
  '(?:until|till|since|from|for|by|ab|bis|seit|mit|von|zu) (?:when|what|whom?|wann|was|wem|wo)',
  oneOf(QUESTION_WORDS.en, QUESTION_WORDS.de),
  'will|do|does|did|is|are|was|were|can|could|may|must|should|has|have',
  'muss|darf|kann|soll|ist|sind|gibt es|hat',
].join('|');
const JOINT = pattern('iu', String.raw`\?\s+(?:and |und )?(?=\p{L})|,? (?:and|und) (?=(?:${ASKING})\s)`);
const BEGINS = pattern('iu', String.raw`^(?:(?:and|und|also|so) )?(?:${ASKING})\s`);

/**
 * The questions that are asked in one, each with what the first is about: "when is the party and who brings the cake?"
 */
export function partsOf({ question, resolved }: Asked): readonly Asked[] {
  const parts = question.split(JOINT).map((part) => part.trim());
  const [first = '', ...more] = parts;
  if (more.length === 0 || !parts.every((part) => BEGINS.test(`${part} `))) return [{ question, resolved }];
  const topic = topicOf(first);
  const before = resolved.slice(question.length);
  return [
    { question: first, resolved: `${first}${before}` },
    ...more.map((part) => ({ question: part, resolved: `${part} ${part} ${topic}${before}` })),
  ];
}

/** What a question is about: its nouns, where capital letters show them, else what does not ask. */
function topicOf(question: string): string {
  const nouns = isGerman(question) ? (question.match(/(?<=\p{Ll}\s)\p{Lu}\p{L}+/gu) ?? []) : [];
  const asking = new Set(contentTokens(expectedIn(question)?.asking ?? ''));
  return (nouns.length > 0 ? nouns : contentTokens(question).filter((token) => !asking.has(token))).join(' ');
}
