import { answerLanguage } from '../language.ts';
import { otherWays } from '../other-ways.ts';
import { phrases, type Slots } from '../phrases.ts';
import { withoutPoliteness } from '../politeness.ts';
import type { PriorMessage } from '../request.ts';
import {
  ADD,
  BUY,
  CLEAR,
  COUNT,
  HAS,
  PACK,
  PUT,
  REMOVE,
  SHOW,
  SHOW_THERE,
  START,
  SWAP,
  TICK,
  TO_DO,
} from './list-phrases.ts';

/** After something was put on a list: "and eggs". */
const ANOTHER = phrases({
  en: [
    '(and|also|plus) [add|also] [some|more] {items} [too|as well]',
    '[add|put|how about|what about|maybe] {items} (too|as well|there)',
  ],
  de: ['(und|auch) [noch|auch] {items}', '[und] {items} auch [noch]'],
});

/** The same about the list that was just talked about. What is there already is ticked off. */
const ADD_THERE = phrases({
  en: [
    `${PUT} {items} (to|on|onto) (it|there|that [list|one]) [too|as well|also]`,
    '[ok|okay|and|then] (add|put|stick|pop|chuck|throw) {items} on [as well|too|also]',
    '[ok|okay|and|then] add {items:(?!up\\b|a note|an? reminder).+?}',
  ],
  de: [
    `(setz[e]|schreib[e]|pack[e]|tu[e]|füg[e]|nimm|notier[e]) [noch|auch] {items}
      (drauf|darauf|dazu|hinzu|mit drauf|rauf)`,
    '{items} (brauchen wir|brauche ich|fehlt|fehlen) (auch|noch|auch noch)',
    '{items} (ist|sind) [auch|jetzt] (alle|leer|aus|aufgebraucht)',
    'es (fehlt|fehlen) [auch|noch] {items}',
    '(kommt|kommen) [noch|auch] {items} (dazu|drauf|rauf)',
    '{items:(?!was|wie|wer|welch).+?} (kommt|kommen|muss|müssen) [noch|auch] (dazu|drauf|rauf)',
  ],
});
/** A thing, not the beginning of a question. */
const NAMED = String.raw`(?!was|wie|wer|welch|wo\b|wann).+?`;
const REMOVE_THERE = phrases({
  en: [
    '(remove|delete|take|drop|erase|scratch) {items} (from|off|off of|out of) (it|there|that [list|one])',
    'take {items} off [again|after all]',
    'get rid of {items}',
    `(remove|drop|erase|scratch|scrap|ditch|lose|skip|leave out|take off) {items} [again|after all]
      [{reason:(?:i|we|i've|we've|i'm|there's|they|found|got|already|because|as|since|no need|not)\\b.*}]`,
  ],
  de: [
    `{items:NAMED} (ist|sind|liegt|liegen|steht|stehen|habe ich|hab ich|haben wir) {reason},
      (die|das|der|den|sie|es) (kann|können|kannst du|könnte) [jetzt|wieder|also|dann]
      (runter|weg|raus|streichen|löschen|runternehmen)`,
    `{items:NAMED} (brauchen wir|brauche ich|brauch ich) [doch|jetzt] nicht [mehr]
      {tail:(?:nimm|streich|lösch|mach|kannst|können|kann).+}`,
    '(entfern[e]|lösch[e]|nimm|streich[e]) {items} (davon|wieder) [runter|herunter|raus|weg]',
    '{items} [bitte] wieder (löschen|entfernen|streichen|rausnehmen|runternehmen)',
    '(nimm|schmeiß|wirf|tu[e]|mach[e]|hol[e]) {items} [wieder|doch] (runter|herunter|raus|weg)',
    '{items} (brauchen wir|brauche ich|brauch ich) [doch] nicht [mehr]',
    '{items} (kann|können) [wieder] (weg|runter|raus)',
    '{items} (kann|können|kannst) [du] [wieder|doch] streichen {reason:maybe}',
    '[doch] kein[e|en] {items}',
    `{items:NAMED} (ist|sind|haben wir|habe ich|hab ich) [doch|ja|eigentlich] noch [genug|genügend|reichlich]
      (da|genug|genügend|im haus|zu hause|im kühlschrank|im schrank|übrig) {tail:maybe}`,
  ].map((phrase) => phrase.replace('NAMED', NAMED)),
});
/** Of verbs that do not end in "-ed" then: "I've rung the council". */
const PAST =
  'rung|rang|sent|paid|written|wrote|taken|took|brought|sold|told|fed|swept|made|cut|hung|found|read|given|gave|put';
const TICK_THERE = phrases({
  en: [
    "(i|we|i've|we've) [have] [already] (have|got|did|done|finished|packed) [the] {items} [already]",
    '(got|did|done|finished|packed) [the] {items} [already]',
    `[the] {items}[ ](is|are|'s) [all|already|now] (fixed|paid|sent|posted|booked|cleaned|washed|cooked|returned|renewed
      |called|written|mended|emptied|fed)`,
    '(tick|check|cross|strike) {items} (off|from) (it|there)',
    "(i've|we've|i have|we have|i|we) [already|just] {items:(?:\\p{L}+ed|PAST) (?:the|my|our) .+}".replace(
      'PAST',
      PAST,
    ),
  ],
  de: [
    '{items:(?!was|wie|wer|welch|wo\\b|wann).+?} (habe ich|hab ich|haben wir) [jetzt|doch noch]',
    '{items} (habe ich|hab ich|haben wir) (schon|bereits) [gekauft|besorgt|gepackt|eingepackt|gemacht|erledigt]',
    '(ich habe|ich hab|wir haben) {items} (schon|bereits)',
    '{items} (streichen|weg|durchstreichen)',
    '{items} (habe ich|hab ich|haben wir) [schon|bereits|jetzt] (gekauft|besorgt|gepackt|eingepackt|gemacht|erledigt)',
    '{items} (ist|sind|wurde|wurden) [schon|jetzt|bereits|inzwischen] {done:\\p{L}*ge\\p{L}+(?:t|en)}',
    '(hab|habe) {items} (schon|bereits)',
    `{items:NAMED} (hat|haben) {who:\\p{Lu}\\p{L}+} (schon|bereits|gerade|heute) [auch]
      {done:(?!auf|ver)\\p{L}*ge\\p{L}+(?:t|en)}`.replace('NAMED', NAMED),
    `{items:NAMED} (habe ich|hab ich|haben wir) [schon|jetzt|bereits|gerade|eben|heute|auch]
      {done:(?!auf|ver)\\p{L}*ge\\p{L}+(?:t|en)|im (?:wagen|korb)|dabei|da}`.replace('NAMED', NAMED),
  ],
});

/** Each way of going on with a list, and what it changes. */
const FOLLOW_UPS = [
  [REMOVE_THERE, 'remove'],
  [TICK_THERE, 'tick'],
  [ADD_THERE, 'add'],
  [ANOTHER, 'add'],
] as const;

export interface FollowUp {
  readonly change: 'add' | 'tick' | 'remove';
  readonly items: string;
}

const THE_LIST = / (?:from|off|on|to|onto) (?:the|my|our|that|this) list$/iu;

/** What is said about a list that it does not name: "also cheddar", "take sunscreen off it". */
export function followUpIn(text: string): FollowUp | undefined {
  for (const [form, change] of FOLLOW_UPS) {
    const items = form(text)?.items;
    if (items !== undefined) return { change, items: items.replace(THE_LIST, '').replace(/^with (?:the |my )?/iu, '') };
  }
  return undefined;
}

/** In the words in which it was understood. */
function asUnderstood(said: string): string {
  const text = withoutPoliteness(said);
  const known = (way: string) =>
    followUpIn(way) !== undefined || [TO_DO, BUY, PACK, ...NAMING].some((form) => form(way) !== undefined);
  return [text, ...otherWays(text, answerLanguage(said, []))].find(known) ?? text;
}

/** Forms that name a list, or mean the one for shopping or for tasks. */
const NAMING = [START, CLEAR, REMOVE, TICK, COUNT, ADD, SHOW, HAS];

/**
 * The slots that named the list which is being talked about: by the request before, or by one before that with nothing
 * but follow-ups between.
 */
export function listAtHand(earlier: readonly PriorMessage[]): Slots | undefined {
  const said = earlier
    .filter(({ by }) => by === 'person')
    .map(({ text }) => text.replace(/(?<![?.!\s])[?.!\s]+$/u, ''));
  let unnamed: Slots | undefined;
  for (const text of said.toReversed().map(asUnderstood)) {
    if (TO_DO(text)) return { todo: '' };
    if (BUY(text)) return {};
    if (PACK(text)) return { list: 'packing' };
    const slots = NAMING.map((form) => form(text)).find((found) => found !== undefined);
    const follows = [followUpIn, SHOW_THERE, SWAP].some((form) => form(text) !== undefined);
    if (slots && (slots.list !== undefined || slots.todo !== undefined || !follows)) return slots;
    if (!follows) return unnamed;
    // "Mehl fehlt auch" goes on with a list, and by itself means the one for shopping.
    if (ADD(text)) unnamed = {};
  }
  return unnamed;
}
