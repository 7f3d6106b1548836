import { pattern } from '../base/pattern.ts';
import { oneOf } from '../words/spelling.ts';
import { VERB_PREFIXES } from '../words/verb-prefixes.ts';

/** What stands in front of the thing itself. */
const JOINTS = pattern(
  'iu',
  '^(?:to|that|about|of|for|saying|daran|dran|dass|an (?:den|die|das)|ans?|wegen|für|zum|zur',
  String.raw`|bitte|and|und|noch|:|-)(?![\p{L}-])[\s:]*`,
);
const BEHIND = /(?<![\s,])[\s,]+(?:and|um|am|und|daran|dran|bitte|please|bescheid)$/iu;
/** "I have to", "ich muss": what is left is the thing to do. */
const DUTY = [
  /^(?:i|we) (?:have|need|ought) to /iu,
  /^(?:i|we) (?:must|should) /iu,
  /^(?:ich|wir) (?:muss|müssen|soll|sollen|sollte|sollten|will|möchte) /iu,
  /^(?:muss|soll|sollte|müssen|sollen) (?:ich|wir) /iu,
];
const DUTY_BEHIND = /^(?:ich|wir) (.+) (?:muss|müssen|soll|sollen|sollte|sollten|will|möchte)$/iu;
const APART = new RegExp(`(?<!\\p{L})(${oneOf(VERB_PREFIXES.spoken)})zu(\\p{Ll}{2,}n)$`, 'u');

/** A thing to be reminded of, as it is told when it is due: "daran, Anna anzurufen" is "Anna anrufen". */
export function taskIn(words: string): string | undefined {
  let task = nominative(words.replace(/\s+/gu, ' ').trim());
  for (let before = ''; before !== task; ) {
    before = task;
    task = task
      .replace(/^[\s,:;.-]+|(?<![\s,:;.!?-])[\s,:;.!?-]+$/gu, '')
      .replace(BEHIND, '')
      .replace(JOINTS, '');
  }
  task = DUTY.reduce((left, duty) => left.replace(duty, ''), task.replace(DUTY_BEHIND, '$1'));
  task = task.replace(APART, '$1$2').replace(/ zu (\p{Ll}{2,}n)$/u, ' $1');
  return /[\p{L}\p{N}]/u.test(task) ? (/^["'“„](.+)["'”“]$/su.exec(task)?.[1] ?? task) : undefined;
}

/** "An den gelben Sack" is about "gelber Sack". */
function nominative(task: string): string {
  return task
    .replace(/^an den (\p{Ll}{2,})en (?=\p{Lu})/u, 'an $1er ')
    .replace(/^an(?:s| das) (\p{Ll}{2,})e (?=\p{Lu})/u, 'an $1es ');
}
