import { pattern } from '../base/pattern.ts';
import type { Language } from '../words/spelling.ts';
import { spokenGerman } from './spoken-german.ts';

const ASKS = 'what|how|which|when|where|who|was|wie|wann|wo|wer|welche[rsmn]?';
/** "And what time is it?", "so how much is that". */
const LINKED = pattern('iu', `^(?:and|but|so|then|now|ok|okay|und|aber|dann|nun)[\\s,]+(?=(?:${ASKS})\\b)`);
/** "If I was born in 1984, how old am I?": the condition may stand on either side. */
const CONDITION = pattern(
  'iu',
  `^(?<joint>if|when|wenn|falls|angenommen) (?<condition>[^,?]+),? (?<question>(?:${ASKS})\\b.+)$`,
);
/** "What time is it in Sydney when it's 9 in London?" */
const BEHIND = pattern(
  'iu',
  '^(?<question>(?:what time|wie (?:spät|viel uhr))\\b.+?) (?<joint>when|if|wenn) (?<condition>.+)$',
);
/** What people say for the verbs that the phrases know, and the verb. */
const SAME_VERBS: readonly (readonly [RegExp, string])[] = [
  [/^(?:scrap|bin|erase|ditch|trash|wipe|lose|kill|drop|scratch|get rid of|throw away|chuck out)(?= )/iu, 'delete'],
  [/^(?:let me see|let's see|let me have|pull up|bring up|give me|read me|display|print|open)(?= )/iu, 'show me'],
  [/^(?:bump|slide|nudge|bring|delay|postpone|push|shift|put)(?= (?!.*\blist\b))/iu, 'move'],
  [/^(?:record|log|scribble|jot|put) down(?= )/iu, 'note down'],
  [/^(?:search|look|hunt)(?: for)?(?= )/iu, 'find'],
  [/^is there (?:anything|something)(?: (?:else|still|left)){0,2} (?=to \p{L}+$)/iu, 'what is left '],
];
/** Where one clause ends; "a, b and c" are none. */
const CLAUSES = /^(?<first>[^,.;]{4,120}?)(?:[,.;]| -)\s+(?<second>[^,.;]{4,120})$/u;
/** Why something is wished: "mum gave me some", "I forgot the eggs". */
const REASON = pattern(
  'iu',
  String.raw`^(?:(?:because|as|since|but) )?(?:i|we|he|she|they|it|that|there|my \p{L}+|the \p{L}+|\p{L}+)`,
  String.raw`(?:'(?:s|ve|re|m)\b`,
  String.raw`| (?:\p{L}+ )?(?:is|are|am|was|were|has|have|had|got|gave|give|forgot|need|needs|bought|brought|took`,
  String.raw`|made|came|comes|went|left|sent|says|gets|likes|hates|found|don't|didn't|won't`,
  String.raw`|isn't|aren't|can't|already|just|changed|want|think|know|told|said|ran|broke|did|do|will|'ll)\b)`,
);
const WISH = pattern(
  'iu',
  '^(?:please )?(?:add|put|remind|note|take|make|set|show|cancel|delete|remove|move|tick|cross|check|scratch|stick|pop',
  String.raw`|start|create|change|push|strike|clear|empty|wipe|swap|rename|no need for)`,
  String.raw`\b(?! (?:it|that|this|them|one)\b)`,
);
const LONGEST = 300;

/** The same request in other words, for those who would have understood it the other way round. */
export function otherWays(text: string, language: Language): string[] {
  if (text.length > LONGEST) return [];
  const plain = text
    .replace(/\s+/gu, ' ')
    .replace(/(?<![\s?.!])[\s?.!]+$/u, '')
    .trim();
  const alone = plain.replace(LINKED, '');
  const { joint, condition, question } = CONDITION.exec(alone)?.groups ?? {};
  const turned = joint === undefined ? [] : [`${question} ${joint} ${condition}`];
  const behind = BEHIND.exec(alone)?.groups;
  if (behind) turned.push(`${behind.joint} ${behind.condition} ${behind.question}`);
  const ways = [...(alone === plain ? [] : [alone]), ...turned];
  ways.push(...wishIn(alone));
  ways.push(...SAME_VERBS.flatMap(([verb, better]) => (verb.test(alone) ? [alone.replace(verb, better)] : [])));
  return language === 'en' ? ways : [...ways, ...[plain, ...ways].flatMap(spokenGerman)];
}

/** A wish whose reason stands in front of it or behind it: "cross the onions off, mum gave me some". */
function wishIn(text: string): string[] {
  const { first = '', second = '' } = CLAUSES.exec(text)?.groups ?? {};
  const isWish = (clause: string, other: string) => WISH.test(clause) && REASON.test(other) && !WISH.test(other);
  if (isWish(first, second)) return [first];
  return isWish(second, first) ? [second] : [];
}
