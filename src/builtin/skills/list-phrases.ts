import { phrases } from '../phrases.ts';

/** What people say for it; no other first word is one of a thing. */
export const PUT =
  '(add|put|append|write|include|stick|throw|pop|get|chuck|bung|shove|sling|whack|jot down|note down|note)';

/** Put things on a list. Without a name it is the shopping list. */
export const ADD = phrases({
  en: [
    `${PUT} {items} (to|on|onto|in|into)
      [my|the|our|a] {list} list`,
    `${PUT} {items} (to|on|onto) [my|the|our] list`,
    'add (to|on) [my|the|our] {list} list {items}',
    '[my|the|our|new] {list:shopping|grocery|to-do|todo|packing} list: {items:[^?]+}',
    '{list:shopping|groceries|packing}: {items:[^?]+}',
    '(we|i) need [to buy] (more|some) {items}',
    '(we|i) need [to buy] {items:(?!to )[^,]+,.+}',
    '(we|i) need to buy {items}',
    '(we|i) need to (get|grab|pick up) {items:[^,]+,.+}',
    "(we|i) ('re|are|am) [running] out of {items}",
    "(we're|i'm) [running|all|nearly|almost] out of {items}",
    `${PUT} {items} (on|to|onto|in) [a|an|the|my|our] [new] list (for|called|named|of) [the|my|our] {list}`,
    '(todo|to-do|to do|task): {todo}',
    '(make|create|add|new) [a|an] [new] (to-do|todo|task): {todo}',
    `${PUT} {items} (to|on|onto|in|with) [my|the|our] {list:groceries|shopping}`,
    '(add|put) {todo} (to|on) [my|the] (todo|todos|to-do|to-dos|tasks)',
    'can (we|i|you) (get|have|put) [some|more] {items} on [my|the|our] {list} list',
    '{items} (on|to|onto) [my|the|our] {list:shopping|grocery|packing|to-do|todo|reading} list',
    `${PUT} {items} (to|on|in|into) [my|the|our]
      {list:[^\\s,]+ (?:ideas|wishes|essentials|supplies|groceries)}`,
    'buy {items}',
  ],
  de: [
    `[schreib[e]|setz[e]|pack[e]|tu[e]|notier[e]] [mir|uns] [bitte|noch] (auf|in) (die|meine|unsere) {list:word}liste
      {items}`,
    `(setz[e]|schreib[e]|pack[e]|tu[e]|nimm|füg[e]|notier[e]) [mir|uns] [noch|bitte] {items} (auf|in|zu|zur)
      [die|meine|unsere|der|meiner|unserer] {list:word}liste [(für|fürs|zum|zur|vom) {occasion}] [hinzu|dazu]`,
    '{items} (kommt|kommen|soll|sollen|muss|müssen) [noch|auch|bitte] (auf|in) [die|meine|unsere] {list:word}liste',
    '{items}, (setz[e]|schreib[e]|pack[e]|tu[e]) (das|es) [bitte|noch] (auf|in) [die|meine|unsere] {list:word}liste',
    `[noch] {items} (auf|in|zu|zur) [die|meine|unsere|der|meiner|unserer] {list:word}liste
      [setzen|schreiben|packen|hinzufügen|hinzu|dazu]`,
    '(setz[e]|schreib[e]|pack[e]|tu[e]|nimm) [mir|uns] [noch|bitte] {items} [mit] auf [die|meine|unsere] liste',
    '[für {for:\\S+(?: \\S+)?}] (wir brauchen|ich brauche|brauchen wir|brauche ich) [auch] [noch] {items}',
    '{items:(?!was|wie|wer|wo\\b|wann|ich|wir).+?} [noch] (kaufen|einkaufen|besorgen|mitbringen)',
    `(ich muss|wir müssen|ich sollte|wir sollten) [auch] [noch] {items:(?!zum|zur|zu|in)\\S.*?}
      (besorgen|kaufen|einkaufen|holen|mitbringen)`,
    `{items:(?!was|wie|wer|welch|wo\\b|wann|wozu|wofür).+?} (brauchen wir|brauche ich|fehlt|fehlen)
      (auch|noch|auch noch)`,
    'es (fehlt|fehlen) [uns|mir] [auch] [noch] {items}',
    '{items:(?!wir|das|es|sie|ihr|alle).+?} (ist|sind) [auch|jetzt|fast] (alle|aufgebraucht)',
    '(wir haben|ich habe|es gibt) kein[e|en] {items} mehr',
    '{items:(?!was|wie|wer|welch|ist|sind|steh).+?} [bitte|noch|auch] auf (die|unsere|meine) liste [setzen|schreiben]',
    '(kauf[e]) {items} [ein]',
    'aufgabe: {todo}',
    '{list:einkaufs|pack|wunsch|lese}liste: {items}',
  ],
});

const NEW_LIST = `(start|make|create|begin|open|set up|write|new) [me|us] [a|an|the|my|our] [new]
  {list:(?!(?:an?|the|new)\\b).+?} list`;
const NEUE = '(mach[e]|erstell[e]|leg[e]|beginn[e]|fang[e]|schreib[e]|neue) [mir|uns] [eine] [neue] {list:word}liste';

/** Begin a list, with the first things on it or without. */
export const START = phrases({
  en: [
    `(start|make|create|begin|open|set up|new) [me|us] [a|an|the] [new] list (called|named|for) [the|my|our]
      {list:[^:,]+?} (with|containing) {items}`,
    `(start|make|create|begin|open|set up|new) [me|us] [a|an|the] [new] list (called|named|for|of) {list:[^:,]+}:
      {items}`,
    '(start|make|create|begin|open|set up|new) [me|us] [a|an|the] [new] list (called|named) {list:[^:,]+}',
    '(new|another) list: {list:[^:,]+}',
    `${NEW_LIST} for {occasion:[^:,]+?} (with|containing|and put|that has) [on it] {items}`,
    `${NEW_LIST} for {occasion:[^:,]+[:,]?} {items:maybe}`,
    `${NEW_LIST} [with|of|containing|and put|that has] [on it] {items:maybe}`,
  ],
  de: [
    `${NEUE} (für|fürs|zum|zur) {for:[^:,]+?} [an] (mit|rein|und zwar) {items}`,
    `${NEUE} (für|fürs|zum|zur) {for:[^:,]+[:,]?} {items:maybe}`,
    `${NEUE} [an] [mit|rein|und zwar] {items:maybe}`,
    `(mach[e]|erstell[e]|leg[e]|beginn[e]|neue|fang[e]|eröffne) [mir|uns] [eine] [neue] liste
      [für|fürs|zum|zur|namens] [den|die|das|meine|unsere] {list:(?!mit\\b)[^\\s,:]+} [an] [mit] {items:maybe}`,
    '(leg[e]|fang[e]) [mir|uns] [eine] [neue] liste mit [den|meinen|unseren] {things:word} an',
  ],
});

/** Mark things as done. */
export const TICK = phrases({
  en: [
    '(tick|check|cross|mark|strike) [off] {items} [off] (off|on|from|on) [my|the|our] {list} list',
    '(tick|check|cross|strike) [off] {items} (off|from) [my|the|our] list',
    '(tick|check|cross|strike) off {items}',
    '(tick|check|cross|strike) {items} off',
    '(mark|set) {items} as (done|bought|ticked|complete|completed|finished) [on my {list} list]',
    "[i|we|i've|we've] [have] [already|just] (bought|got|picked up) [the] {items:.+?} [already|now|today]",
    "{items}[ ](is|are|'s) [all|already|now] (done|bought|packed|sorted|ticked off)",
    "[i'm|i am|we're|we are] (done|finished|through) with [the|my] {items}",
  ],
  de: [
    '(hak[e]|streich[e]) {items} (auf|von|in|aus) [der|meiner|unserer] {list:word}liste [ab|durch]',
    '(hak[e]|streich[e]) {items} [von der liste] (ab|durch)',
    'streich[e] {items} von der liste',
    'streich[e] {items}',
    '{items} [auf|von] [der|meiner] [{list:word}liste] (abhaken|durchstreichen)',
    '(ich habe|ich hab|wir haben|hab|habe) [schon|bereits] {items} (gekauft|besorgt|eingekauft)',
    '{items} (habe ich|hab ich|haben wir) [schon|bereits|jetzt] (gekauft|besorgt|eingekauft)',
    '{items} (ist|sind) [schon|jetzt|bereits] (erledigt|eingekauft|gekauft|besorgt|gepackt|eingepackt|abgehakt)',
    '{items} [schon|jetzt|bereits] (erledigt|abgehakt|eingepackt|eingekauft)',
    `{items} (ist|sind|liegt|liegen|steckt|stecken|hängt) [schon|jetzt|bereits]
      (im (wagen|korb|koffer|rucksack|auto|kofferraum)|in der tasche)`,
    '{items} (habe ich|haben wir) [schon|jetzt|bereits] (im (wagen|korb|koffer|rucksack)|in der tasche)',
  ],
});

/** Take things off a list. */
export const REMOVE = phrases({
  en: [
    '(remove|delete|take|drop|erase|scratch) {items} (from|off|off of) [my|the|our] {list} list',
    '(remove|delete|take|drop|erase|scratch) {items} (from|off) [my|the|our] list',
    "(we|i) (don't|do not) need {items} [any more|anymore]",
    'no need for {items:[^,]+?} [any more|anymore]',
  ],
  de: [
    `(entfern[e]|lösch[e]|nimm|nehme|streich[e]|mach[e]|tu[e]|hol[e]) {items} [wieder|doch] (von|aus)
      [der|meiner|unserer] {list:word}liste
      [runter|herunter|raus|weg]`,
    `(entfern[e]|lösch[e]|nimm|nehme|mach[e]|tu[e]|hol[e]) {items} [wieder|doch] (von|aus) [der|meiner|unserer] liste
      [runter|herunter|raus|weg]`,
    '{items} (von|aus) [der|meiner|unserer] {list:word}liste (löschen|entfernen|nehmen|streichen)',
    '(wir|ich) (brauchen|brauche) kein[e|en] {items} mehr',
    '{items} (brauchen wir|brauche ich) nicht mehr',
    '(nimm|mach[e]) {items} [wieder|doch] (runter|herunter)',
  ],
});

/** One thing instead of another. */
export const SWAP = phrases({
  en: [
    `(swap|replace|exchange|switch) [out] [the] {out} (for|with|by|to) [the|some] {items} (on|in|from) [my|the|our]
      {list} list`,
    '(swap|replace|exchange|switch) [out] [the] {out} (for|with|by|to) [the|some] {items}',
    '(put|get|take|have) {items} instead of [the] {out} [on (it|there|the list)]',
  ],
  de: [
    '(tausch[e]|ersetz[e]) {out} (gegen|durch) {items} (auf|in) [der|meiner] {list:word}liste [aus]',
    '(tausch[e]|ersetz[e]) {out} (gegen|durch) {items} [aus]',
  ],
});

export const CLEAR = phrases({
  en: [
    '(clear|empty|wipe|reset) [out] [my|the|our] {list} list',
    '(delete|remove) (everything|all|all items) (from|on) [my|the|our] {list} list',
    'start a new {list} list',
    '(delete|remove|clear|empty) [my|the|our] {list:(?:(?!from\\b|off\\b|on\\b)[^\\s,]+ ){0,2}[^\\s,]+} list',
  ],
  de: [
    '(leer[e]|lösch[e]) [meine|die|unsere|die ganze] {list:word}liste',
    '[mach[e]] [meine|die|unsere] {list:word}liste (leeren|löschen|leer)',
    'lösch[e] alles (von|auf|aus) [der|meiner] {list:word}liste',
  ],
});

export const SHOW = phrases({
  en: [
    "(what's|what is|what are) [still|left] [left] (on|in) [my|the|our] {list} list",
    '(what|which things|which items) (do i have|have i got|are|is) [still|left] (on|in) [my|the|our] {list} list',
    `(show|read|list|display|see|view|print|give|tell) [me] [out] [what is on|what's on|all] [my|the|our] {list}
      list`,
    '[my|the|our] {list:shopping|grocery|groceries|to-do|todo|packing|reading|wish} list',
    'what [else] (do|should|must) (i|we) [still|also] (need|have|want|ought) to {list:pack}',
    'what [else] (should|must) (i|we) [still|also] {list:pack}',
    "(what's|what is) [still] [left] to {list:pack}",
    '(what|what else) [still] needs {list:pack}ing',
    '(is there|have i got|do i have|do we have) (anything|something) [left|still] on [my|the|our] {list} list',
  ],
  de: [
    `(was|was alles) (steht|ist) [denn|eigentlich|jetzt] [schon|noch|alles] [so|alles] (auf|in)
      [der|meiner|unserer] {list:word}liste`,
    '(zeig[e]|lies|nenn[e]|gib) [mir] [mal] [die|meine|unsere] {list:word}liste [vor|an]',
    '[die|meine|unsere] {list:einkaufs|aufgaben|pack|lese|wunsch|to-do-}liste [anzeigen|zeigen]',
    'was (steht|ist) [noch|alles] (auf|in) [der|meiner|unserer] liste',
    'zeig[e] [mir] [die|meine|unsere] liste',
    'ist [noch] [et]was auf [der|meiner] {list:word}liste',
    'was (fehlt|bleibt) [noch] (auf|von) [der|meiner|unserer] {list:word}liste',
  ],
});

/** The same of the list at hand, which it does not name. */
export const SHOW_THERE = phrases({
  en: [
    "(what|what all) (is|are|'s) [still|left] [left|now] (on|in) (it|there|that [list]|this list) [now|so far|again]",
    `what (have (i|we) got|do (i|we) [still] have|did (i|we) (put|write)) [so far] (on|in)
      (it|there|that [list]|the list) [now|so far|again]`,
    '(show|read|give|list) [me] (it|that [list]|the list|them all) [out|back|again] [to me|out loud]',
    "(what|what all) (is|are|'s) [still] left [on it|on there|to get|to do|to pack|to buy] [now]",
    "(what|what else) (is|are|'s) (on it|on there|missing)",
  ],
  de: [
    'was (steht|ist) [jetzt|da|noch|alles] (drauf|darauf|da drauf|noch offen)',
    '(zeig[e]|lies) [mir] (sie|die liste) [noch mal|nochmal|vor]',
    'was fehlt [jetzt|noch] [noch]',
  ],
});

export const COUNT = phrases({
  en: [
    `how many (things|items|entries|tasks) (are|do i have|have i got|do we have) [there] [still|left] [left]
      (on|in) [my|the|our] {list} list`,
    'how (long|full) is [my|the|our] {list} list',
    'how many (things|items|entries) (are|is) [still] [left] on {there:it|there|that} [now]',
  ],
  de: [
    `wie[ ]viele (sachen|dinge|einträge|punkte|aufgaben) (stehen|sind|habe ich|haben wir) [noch] (auf|in)
      [der|meiner|unserer] {list:word}liste`,
    'wie (lang|voll) ist [die|meine|unsere] {list:word}liste',
  ],
});

/** The shopping list by what it is for. */
export const BUY = phrases({
  en: [
    [
      'what (do|should|must|did|shall) (i|we) [still|also] (need|want|forget|have) [to] (buy|get|pick',
      'up|purchase) [PLACE]',
    ].join(' '),
    'what (do|did) (i|we) [still|also] (need|want) (from|at) (the|a) {where}',
    'what (do|did) (we|i) [still|also] need [PLACE]',
    'what (should|must|shall) (i|we) [still] (buy|get|purchase|pick up) [PLACE]',
    'what (groceries|things) (do|should) (i|we) [still] (need|buy|get) [to buy] [PLACE]',
    "(what's|what is) [still] [left] to (buy|get) [PLACE]",
    'what else (do|should) (i|we) (need|buy|get) [to buy|to get] [PLACE]',
    'do (i|we) [still] need [to buy] anything [else] [PLACE]',
  ].map((phrase) => phrase.replace('PLACE', '(today|tomorrow|now|from|at|in|for|this) {where:maybe}')),
  de: [
    `was (muss|soll|müssen|sollen|sollte|sollten|brauche|brauchen|wollte|wollten) (ich|wir) [heute|morgen] [noch|alles]
      [alles] [ein]kaufen`,
    `was (muss|soll|müssen|sollen|sollte|sollten) (ich|wir) [heute] [noch|alles] [alles] (besorgen|holen|mitbringen)`,
    'was (brauche|brauchen) (ich|wir) [noch|alles] [alles] [(aus dem|vom|im|aus der|von der) {shop}]',
    'was fehlt [uns|mir] [noch] [(vom|beim|zum|für den|von der|auf der) (einkauf|einkaufen|einkaufsliste)]',
    'was (muss|soll) [noch|alles] (gekauft|eingekauft|besorgt) werden',
    `was (muss|soll|müssen|sollen) (ich|wir) [noch|alles] (im|beim|vom|bei|aus dem|in der|auf dem) {where:word}
      [noch|alles] (kaufen|einkaufen|besorgen|holen|mitbringen)`,
  ],
});

export const TO_DO = phrases({
  en: [
    'what (do i have|have i got|do i still have|do i need|is left) to do',
    'what else (do i|do we) [still] (have to|need to|must) do',
    'what else (have i got|is there|is left) to do',
    "what('s| is| are) [on] my (to-dos|todos|tasks|to-do|todo)",
    '(show|list) [me] [my|all] (to-dos|todos|tasks)',
    "(what's|what is) [still] left [to do|to be done] [on it|on the list]",
    'what (do i|do we) still (have to|need to|must) do',
    'what [still] needs [to be] (doing|done)',
    `(which|what) [of my] (tasks|to-dos|todos|jobs|things) (are|do i have|have i got) [still]
      (open|left|to do|undone)`,
  ],
  de: [
    'was (muss|soll|müssen|sollen) (ich|wir) [heute|morgen] [noch|alles] [alles] (tun|machen|erledigen)',
    'was ist [heute|noch|alles] [noch|alles] (zu tun|offen|zu erledigen)',
    '(zeig[e]|nenn[e]) [mir] meine aufgaben',
    'was (habe|hab|haben) (ich|wir) [heute|noch|alles] [noch|alles] zu (tun|erledigen|machen)',
  ],
});

/** The packing list by what it is for; `BUY` has the English ways. */
export const PACK = phrases({
  en: [],
  de: [
    'was (muss|soll|müssen|sollen|sollte|sollten) (ich|wir) [noch|alles] [alles] (einpacken|packen|mitnehmen)',
    'was fehlt [noch] im koffer',
  ],
});

export const WHICH = phrases({
  en: ['(what|which) lists (do i have|are there|have i got)', '(show|list) [me] [all] [my|the] lists', 'my lists'],
  de: [
    'welche listen (habe ich|gibt es|hast du|führst du) [bei dir]',
    '(zeig[e]|nenn[e]) [mir] [alle|meine] listen',
    'meine listen',
  ],
});

export const HAS = phrases({
  en: [
    '(is|are) {item} [already|still] on [my|the|our] {list} list',
    'do (i|we) [still] need [to buy|any|some|more] {item}',
    '(do|have) (i|we) [already|still] (have|got|put) [any|a|an] {item} on [my|the|our] [{list}] list',
    '(is|are) there [already|still] [any|a|an] {item} on [my|the|our] [{list}] list',
    'have (i|we) got {item} on [my|the|our] list',
  ],
  de: [
    '(ist|sind|steht|stehen) {item} [schon|noch] auf [der|meiner|unserer] {list:word}liste',
    '(ist|sind|steht|stehen) {item} [schon|noch] auf (der|meiner|unserer) liste',
    '(ist|sind|steht|stehen) {item} [schon|noch] (drauf|darauf|mit drauf|mit auf der liste)',
    '(brauche ich|brauchen wir) [noch] {item}',
    '(habe ich|haben wir) [noch|schon] {item} auf der liste',
  ],
});
