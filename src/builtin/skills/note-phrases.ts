import { phrases } from '../phrases.ts';
import type { UserRequest } from '../request.ts';

/** "Note: the painting is done": whatever comes behind it. */
export const DICTATED = /^(?:note|memo|notiz|notiere?)(?: (?:to self|an mich))?:/iu;

/** Ways of asking for a note; all that follows is its text, of any length. */
export const TAKE = phrases(
  {
    en: [
      `(log|write|add|put|save|append|enter) [this] (to|in|into|on) [my|the] (journal|note|notes|inbox|diary|log)
        {text:maybe}`,
      `(take|make|keep|write|create|add|save|leave|jot down|put down) [me|us] [a|an|the|this|another]
        [quick|short|new] note [that says|of this|that|saying|about|of|to self|to|for me|reading|down|which says]
        {text:maybe}`,
      '([new|another|one more|second] note|memo|cap|capture|jot|idea|inbox|journal|log): {text:maybe}',
      '(note|memo) (to self|to myself): {text:maybe}',
      '(note|jot|write|put|get) [this|that|it] down [that] {text:maybe}',
      '(note|record|log) [that|this|to self] {text:maybe}',
      "(remember|memorize|memorise|keep in mind|don't forget|do not forget) [that|this|to] {text:maybe}",
      '(save|keep|store|put) (this|that): {text:maybe}',
      '(save|keep|store|put) (this|that) (for later|as a note|in my notes): {text:maybe}',
      '(for the record|memo to self|note to self) {text:maybe}',
    ],
    de: [
      `(schreib[e]|trag[e]) [bitte] (in|ins) [mein|meine|das|die] (tagebuch|journal|notizen) [ein] [dass]
        {text:maybe}`,
      `(mach[e]|schreib[e]|nimm|leg[e]|erstell[e]) [mir|dir] [bitte] [eine|ne] [neue|kurze] notiz [auf|an]
        [dass|über|zu] {text:maybe}`,
      '(neue notiz|notiz|memo|idee|tagebuch): {text:maybe}',
      '(notiz|neue notiz) (dazu|auch noch|noch): {text:maybe}',
      'notiz an mich: {text:maybe}',
      `(notier[e]|merk[e]|vermerk[e]) [dir|mir] [bitte|mal] [auch noch|noch|auch|außerdem] [bitte] [folgendes]
        [{clause:dass}|das] {text:maybe}`,
      '(schreib[e]) [dir|mir] [bitte] [auch noch|noch|auch] auf [dass] {text:maybe}',
      '(vergiss nicht|behalt[e] im kopf|denk daran) dass {text:maybe}',
      'halt[e] [mir] [bitte|mal] fest [{clause:dass}] {text:maybe}',
      'neue notiz {text:maybe}',
    ],
  },
  { long: true },
);

/** The text comes first: "I parked on level 3, please remember that". */
export const AFTERWARDS = phrases(
  {
    en: [
      '{text} [please] (remember|note|write down|jot down|keep in mind|save) (that|this|it) [down]',
      '{text} [please] (write|jot|note|put|take) (that|this|it) down',
      '{text} [please] make a note [of (that|this|it)]',
      `(add|put|save|write|append|log|enter|record|store) {text} (to|in|into|on) [my|the]
        (note|notes|journal|inbox|diary|log)`,
    ],
    de: [
      '{text} (merk dir das|bitte merken|notier das|schreib das auf)',
      `(schreib[e]|setz[e]|füg[e]|trag[e]) {text} (in|ins|zu) [meine|meinen|die|das|mein] (notizen|tagebuch|journal)
        [ein|hinzu]`,
      '{text} (notieren|aufschreiben)',
    ],
  },
  { long: true },
);

/** After a note: "and one that ...". */
export const FURTHER = phrases(
  {
    en: ['(and|also|plus|then) [note|add] (one|another|another one|a second one|that) [saying|that|about] {text}'],
    de: [],
  },
  { long: true },
);
/** After notes: "find the one about ...". */
export const ONE_ABOUT = phrases({
  en: [
    '(find|show|show me|get|where is|what is) [me] the (one|ones) (about|with|on|from|mentioning) {about}',
    '(delete|remove|erase|drop) the one (about|with|on|mentioning) {gone}',
    '(delete|remove|erase|drop) the {gone} one',
  ],
  de: [],
});

export const SHOW = phrases({
  en: [
    `(show|list|read|display|print|see|view|open|get|give|go through|recite|tell) [me|back|out] [all] [of]
      [my|the|all|our|these|those] [recent|latest|last|saved] (note|notes|journal|inbox|memos)
      [entries|back|again|so far] [to me]`,
    `(what|which) (notes|memos) (do i have|have i got|have i taken|have i made|are there|did i take|did i make|did i
      write)`,
    'what (have i noted|have you noted|did i note|did you note|did i write|have i written) [down] [so far]',
    "(what's|what is|what are) [in] my (notes|journal|inbox)",
    '[my|any] notes',
    '[do i have|have i|have i got|are there|do we have|is there] any (note|notes) [left|now|yet|at all|still]',
    'how many notes (do i have|have i got|are there|have i (taken|made|written)) [so far]',
  ],
  de: [
    '(zeig[e]|lies|nenn[e]|gib) [mir] [mal] [alle|meine|die] [meine] [letzten] notizen [vor|an]',
    'welche notizen (habe ich|gibt es)',
    'was (habe|hab) ich [mir|dir] [alles|bisher|so] (notiert|aufgeschrieben|gemerkt)',
    'was steht in meinen notizen',
    '[meine|die|alle] [letzten|neuesten|bisherigen] notizen [zeigen|anzeigen|vorlesen|bitte]',
    'habe ich [irgendwelche] notizen',
  ],
});

export const OF_A_DAY = phrases({
  en: [
    '(show|list|read|give) [me] [all] [my|the] notes [i made|i took] (from|of|for|on) {day}',
    '(show|list|read|give) [me] [all] [my|the] notes [that] (i|we) [have] (made|took|taken|wrote|written) [on] {day}',
    '[my|the] notes (from|of|for|on) {day}',
    'what (did i note|have i noted|did i write|have i written|did i jot) [down] [on] {day}',
    '(what|which) notes (did i (take|make|write)|do i have) [from|for|on] {day}',
    '(show|list|read) [me] {day} notes',
  ],
  de: [
    '(zeig[e]|lies|nenn[e]) [mir] [alle|meine|die] notizen (von|vom|aus) {day}',
    '[meine|die] notizen (von|vom|aus) {day}',
    'was (habe|hab|hatte) ich [mir] {day} [alles|so] (notiert|aufgeschrieben|festgehalten|gemerkt)',
    'welche notizen (habe|hab) ich {day} (gemacht|geschrieben|notiert)',
    'welche notizen (habe|hab) ich (von|vom|aus|für) {day}',
  ],
});

export const ABOUT = phrases({
  en: [
    '(search|look|check|go) [in|through|into] my (notes|journal) (for|about) {about}',
    `(find|search for|look for|look up|show|show me|get) [me] [the|my|all|any] [notes|note|my notes]
      (about|on|mentioning|with|regarding) {about} [in my notes|from my notes]`,
    '(find|search for|look for|look up) {about} in my (notes|journal)',
    `what (did i note|have i noted|did i write|have i written|do my notes say|did i say) [down]
      (about|on|regarding) {about}`,
    'what have i got [noted|written] [down] (about|regarding) {about}',
    `(did|have) (i|we) [ever] (note|noted|write|written|jot|jotted) [down] (anything|something|a note|any notes)
      (about|on|regarding|for) {about}`,
    `(find|show me|look up|search for) (what|everything|anything) (i|we) [have] (wrote|noted|written|jotted|said) [down]
      (about|on|regarding) {about}`,
    '[are there] [any] notes (about|on) {about}',
    '(what|which) (were|are) [all] my [last] {about} (readings|entries|measurements|results|values)',
    'do i have [a|any] (note|notes) (about|on|mentioning) {about}',
  ],
  de: [
    '(such[e]|schau[e]|durchsuch[e]) [in] meine[n] notizen [nach] {about}',
    '(find[e]|zeig[e]|such[e]) [mir] [die|meine|alle] (notiz|notizen) (über|zu|zum|zur|mit) {about}',
    'was (habe|hab|hatte) ich [mir] (über|zu|zum|zur|vom|von) {about} (notiert|aufgeschrieben|geschrieben)',
    'welche notizen (gibt es|habe ich|hast du) (über|zu|zum|zur|mit|von|vom) {about}',
    'was (sagen|steht in) meine[n] notizen (über|zu|zum|zur) {about}',
    '(such[e]|schau[e]) {about} in [meinen|den] notizen',
    'steht [etwas|was] (über|zu|zum|zur|von|vom) {about} in [meinen|den] notizen',
    'habe ich [etwas|was|eine notiz] (über|zu|zum|zur) {about} [notiert|aufgeschrieben]',
  ],
});

/** Another text for a note that is there. */
export const CHANGE = phrases({
  en: [
    `(change|replace|correct|update) [the|my|that] note (about|on|with|of|regarding) {about:[^:]+?} (to|into|with)
      {text}`,
    '(change|replace|correct|update) [the|my|that] [{last:last|latest}] note (to|into|with) {text}',
  ],
  de: ['{about:[^:]+?} (in|auf|zu|durch) {text}', '{about:[^:]+:} {text}']
    .map((phrase) => `(über|zu|zum|zur|mit|von|vom|wegen) [der|dem|den|die|das] ${phrase}`)
    .concat('[in|auf] {text}')
    .map((phrase) => `(änder[e]|ersetz[e]|korrigier[e]) [die|meine] [{last:letzte|neueste}] notiz ${phrase}`),
});

export const LAST = phrases({
  en: [
    '(delete|remove|erase|discard|scratch|scrap|bin|undo) [the|my] (last|latest|newest|most recent) note',
    '(delete|remove|erase|scratch) the (last|latest|newest|most recent) one',
    '(delete|remove|erase|scratch) {that:that|this} note',
    '(delete|remove|erase|scratch|scrap) {that:that|this|it} [one] [again]',
  ],
  de: [
    '(lösch[e]|entfern[e]|verwirf) [die|meine] (letzte|neueste|jüngste) [notiz]',
    '(lösch[e]|entfern[e]) {that:diese|die} notiz [wieder]',
    '[die|meine] letzte notiz löschen',
  ],
});

export const DELETE = phrases({
  en: [
    `(delete|remove|erase|discard|forget|drop) [the|my|that] note (about|on|that says|saying|that|with|of|regarding)
      {about}`,
    '(delete|remove|erase) {about} from my (notes|journal)',
    '(delete|remove|erase) [the|my] {about} note',
    'forget (that|about) {about}',
  ],
  de: [
    `(die|meine) notiz (über|zu|zum|zur|mit|von|vom|wegen|an) [der|dem|den|die|das] {about}
      ((kann|darf) [jetzt|wieder|dann] (weg|gelöscht werden|raus)|(hat sich|ist) [inzwischen|jetzt|schon]
      (erledigt|überholt)|(brauche|brauch) ich nicht mehr)`,
    `(lösch[e]|entfern[e]|verwirf|streich[e]) [die|meine] notiz (über|zu|zum|zur|mit|dass|von|vom|wegen|an)
      {about:.+?} [wieder]`,
    '(lösch[e]|entfern[e]|streich[e]) {about} aus meinen notizen',
    '[die|meine] notiz (über|zu|zum|zur|mit) {about} löschen',
    'vergiss [wieder] dass {about}',
    'vergiss die notiz (über|zu|zum|zur|mit) {about}',
    `(wirf|schmeiß|nimm|tu[e]|mach[e]) [die|meine] notiz (über|zu|zum|zur|mit|von|vom|wegen|an) [der|dem|den|die|das]
      {about:.+?} [wieder] (weg|raus|in den müll|in den papierkorb)`,
  ],
});

/** Answers that show notes, one a line. */
export const SHOWN = /^(?:Your notes|Deine Notizen):\n|^There is no such note\. |^So eine Notiz gibt es nicht\. /u;

/** Whether the last answer took a note or showed some. */
export function talksOfNotes({ earlier }: UserRequest): boolean {
  const answer = earlier.at(-1);
  return answer?.by === 'assistant' && (SHOWN.test(answer.text) || /^(?:Noted|Notiert): /u.test(answer.text));
}
