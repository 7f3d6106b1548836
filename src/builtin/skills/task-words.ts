import { pattern } from '../../base/pattern.ts';
import { mainClause } from '../main-clause.ts';
import { bare } from '../request.ts';

const JOINTS = pattern(
  'iu',
  '^(?:to|that|about|of|for|and|then|please|saying|with the text|called|named|an? reminder',
  '|remind me|tell me|daran|dran|an (?:den|die|das)|ans?|dass|bitte|und|noch|bescheid|zum',
  String.raw`|zur)\b(?!-)\s*`,
);

/** What joined a time that is gone: "ab ... an die Übungen". */
const LEFT_OVER = /^(?:ab|in|um|am|bis|für|von) (?=(?:an|ans|daran|dran|dass|für)\b)/iu;

/** The task itself, without the words that joined it to the request and the time. */
export function clean(text: string): string {
  let task = nominative(text.replace(/\s+/gu, ' ').trim());
  for (let before = ''; before !== task; ) {
    before = task;
    task = task
      .replace(/^[\s,:;.-]+|(?<![\s,:;.!?-])[\s,:;.!?-]+$/gu, '')
      .replace(LEFT_OVER, '')
      .replace(/^dass (?!ich\b|wir\b)(.+)$/iu, (_whole, clause: string) => mainClause(clause))
      .replace(JOINTS, '')
      .replace(/ (?:at|on|in|by|for|and|please|from|this|um|am|und|bitte|daran|zu erinnern)$/iu, '');
  }
  return /^(?:at|on|in|by|for|um|am|auf|für|an|zu|ab)$/iu.test(task) ? '' : bare(infinitive(task));
}

/** "An den gelben Sack" is about "gelber Sack". */
function nominative(task: string): string {
  return task
    .replace(/^an den (\p{Ll}{2,})en (?=\p{Lu})/u, 'an $1er ')
    .replace(/^an(?:s| das) (\p{Ll}{2,})e (?=\p{Lu})/u, 'an $1es ');
}

/** "Anna anzurufen" as "Anna anrufen", "die Blumen zu gießen" as "die Blumen gießen". */
function infinitive(task: string): string {
  return task
    .replace(/^(?:ich|wir) (.+) (?:muss|müssen|soll|sollen|sollte|sollten|will|wollte|möchte)$/iu, '$1')
    .replace(/^(?:soll|muss|sollte|will|möchte|müssen|sollen) (?:ich|wir) /iu, '')
    .replace(/^(?:ich|wir) (?:muss|müssen|soll|sollen|sollte|sollten|will|möchte) /iu, '')
    .replace(/^(?:muss|müssen|soll|sollen) (?=die |der |das |den )/u, '')
    .replace(/^i (?:have|need) to /iu, '')
    .replace(
      pattern(
        'iu',
        String.raw`\b(ab|an|auf|aus|ein|mit|nach|vor|weg|zurück|um|los|her|hin|fest|durch|vorbei|bei|fern`,
        '|raus|rein|runter|rauf|hoch|zusammen|weiter|frei|statt|teil|heraus|herein',
        String.raw`|hinaus)zu(\p{L}{2,}n)$`,
      ),
      '$1$2',
    )
    .replace(/ zu (\p{Ll}{2,}n)$/u, ' $1');
}

/** Words that only lead to a time or weigh it. */
const NO_TASK = new Set(
  `no nope nah sorry oh oops ah actually wait but ok okay better rather instead please maybe perhaps only just then so
  hmm i we meant mean would be is was suits works fine me for make made do set let let's lets say have it that this
  can could you how about or one the
  nein ne ach ah doch sorry moment aber also dann oder lieber besser eher erst schon nur noch mal wohl bitte mir mich
  ich es das wäre ist passt meinte meine meint geht ginge sagen wir machen mach mache draus daraus ja wie mit vielleicht
  erinnere erinnern da dran daran`.split(/\s+/u),
);

/** "Doch erst", "would be better": nothing that anyone wants to be reminded of. */
export function holdsTask(task: string): boolean {
  return (task.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []).some((word) => !NO_TASK.has(word));
}
