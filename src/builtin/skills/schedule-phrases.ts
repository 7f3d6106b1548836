import { numberWord } from '../../words/numbers.ts';
import { phrases } from '../phrases.ts';

const THINGS = [
  '(reminder|reminders|schedule|schedules|scheduled tasks|scheduled prompts|scheduled',
  'jobs|alarm|alarms|timer|timers|job|jobs|appointments)',
].join(' ');
const SACHEN = '(erinnerung|erinnerungen|termine|wecker|timer|aufträge|geplantes)';

/** Said without "um": "schieb den Zahnarzt eine Stunde nach hinten". */
export const LENGTH = [
  `(?:eine?n?|${numberWord('de', 2, 12)}|\\d+|anderthalb|eine halbe|eine viertel)`,
  '(?:minuten?|stunden?|tage?|wochen?)',
].join(' ?');

export const LENGTH_EN = [
  `(?:an?|half an|a quarter of an|${numberWord('en', 1, 12)}|\\d+)`,
  '(?:min(?:ute)?|h(?:ou)?r|day|week)s?',
].join(' ');

export const SHOW = phrases({
  en: [
    `(show|list|display|give|tell|read) [me] [all] [of] [my|the|our] [upcoming|pending|next|scheduled|active]
      ${THINGS}`,
    `(what|which) [are] [my|the] [upcoming|pending|next|active] ${THINGS} (do i have|have i got|are there|are
      set|pending|coming|have i set) [set|coming up]`,
    `what are my [upcoming|pending|next] ${THINGS}`,
    "(what's|what is) [still] (scheduled|planned|coming up)",
    `do i have any ${THINGS} [set]`,
    `[my|all] ${THINGS}`,
    `[are there] any ${THINGS}`,
    'what have i (scheduled|planned)',
    '(what have you got|what do you have) [noted|put] down [for me]',
  ],
  de: [
    `(zeig[e]|nenn[e]|lies) [mir] [alle|meine|die] [nächsten|offenen|aktiven] ${SACHEN} [an|vor]`,
    `welche ${SACHEN} (habe ich|gibt es|sind|stehen|laufen|kommen|hast du) [mir|für mich] [jetzt] [noch]
      [vorgemerkt|eingetragen|geplant|gestellt|aktiv|offen|an|aus|gesetzt|angelegt|gespeichert]`,
    'was (ist|steht) [noch|alles|so] (geplant|an)',
    'was (habe|haben) (ich|wir) [noch|alles|so] (vor|geplant)',
    '(steht|ist) [noch|irgend][et]was (an|geplant)',
    `habe ich [noch] [irgendwelche|offene] ${SACHEN}`,
    `[meine|alle] (erinnerungen|termine|wecker|timer)`,
    `(zeig[e]|nenn[e]|sag|lies) [mir] [alles|was] (woran|an was|an das|was) du mich [alles|noch]
      (erinnerst|erinnern sollst|erinnern wirst|erinnern willst)`,
    '(woran|an was) (erinnerst|wirst|sollst) du mich [alles|noch] [erinnern]',
  ],
});
export const NEXT = phrases({
  en: [
    `(when|what) is my next ${THINGS}`,
    `what's my next ${THINGS}`,
    'what comes next',
    'what should i be reminded of next',
  ],
  de: [
    `(wann|was) (ist|kommt) [meine|mein|die|der] nächste[r] ${SACHEN}`,
    'was steht als nächstes an',
    'was kommt als nächstes',
  ],
});
/** Of a timer or a reminder, by what it is for. */
export const HOW_LONG = phrases({
  en: [
    '(how long|how much longer) (until|till|til|for|before) (the|my) {what} [(is done|is ready|goes off|timer)]',
    'how (long|much time|many minutes) [is|have i] [got] left (on|for|until) (the|my) {what} [timer|reminder]',
    'how (long|much time|many minutes) (does|has) (the|my) {what} [timer] (have|got) [left]',
  ],
  de: [],
});
export const CANCEL = phrases({
  en: [
    `(cancel|delete|remove|drop|stop|turn off|switch off|dismiss|kill|bin|scrap) [the|my|that|this] {what}
      (reminder|reminders|alarm|timer|job|schedule|task|one)`,
    '(forget|forget about) [the|my|that] {what} (reminder|alarm|timer|one)',
    `(cancel|delete|remove|drop|stop|turn off|dismiss) [the|my|that|this] (reminder|alarm|timer|job|schedule)
      (about|to|for|of|at|on|that says|with) {what}`,
    `(cancel|delete|remove|stop|turn off|switch off) [the|my|all|that|all my] [last|next] ${THINGS} {what:maybe}`,
    `(cancel|delete|remove|drop|stop|scrap) (everything|anything|all) [of] [the|my|those] [reminders|alarms]
      (about|to do with|with|for|on|concerning) [the|my] {what}`,
    `(i|we) (don't|do not|no longer) (need|want) [the|my|that|to be reminded] {what} (reminder|reminders|alarm|timer)
      [any more|anymore|now|again]`,
    '(stop|quit) reminding me (to|about|of) {what}',
    "[the|my|that] {what} (reminder|alarm|timer) (is not|isn't) needed [any more|anymore|now|any longer|after all]",
    "(don't|do not) remind me (to|about|of) {what} [any more|anymore]",
    'cancel {what}',
  ],
  de: [
    `(lösch[e]|storniere|entfern[e]|streich[e]|stopp[e]|beend[e]) [die|den|meine|meinen]
      (erinnerung|wecker|timer|auftrag|termin) (an|für|zu|zum|zur|um|über|mit|von|vom) [den|die|das|der|dem] {what}`,
    `(lösch[e]|storniere|entfern[e]|streich[e]|stopp[e]|beend[e]|schalt[e]) [die|den|meine|meinen|alle]
      {what}[-](erinnerung|wecker|timer|termin) [aus|ab]`,
    `(lösch[e]|storniere|entfern[e]|stopp[e]|beend[e]|schalt[e]) [die|den|das|meine|meinen|alle]
      [letzte|nächste] ${SACHEN} {what:maybe} [aus|ab]`,
    `(lösch[e]|storniere|streich[e]|entfern[e]|sag[e]) (die|den|das) (mit|an|für|zum|zur|wegen|vom|von)
      [der|dem|den|die|das] {what} [ab]`,
    `(lösch[e]|storniere|entfern[e]|streich[e]|stopp[e]|beend[e]|sag[e]) [die|den|meine|meinen]
      (erinnerung|wecker|timer|auftrag|termin) (wegen|beim|fürs|zu) [des|der|dem|den] {what} [ab]`,
    '(erinner[e]) mich nicht mehr (an|daran) [den|die|das] {what}',
    'sag [die|den|das|meine|meinen] {what} ab',
    `[die|den|der|meine|mein] {what}[-](erinnerung|wecker|timer|termin) (kann|darf) [jetzt|doch|wieder|dann]
      (weg|gelöscht werden|raus)`,
    `[die|den|der|meine|mein] (erinnerung|wecker|timer|termin) (an|für|zum|zur|mit|wegen) [den|die|das|der|dem] {what}
      (kann|darf) [jetzt|doch|wieder|dann] (weg|gelöscht werden|raus)`,
    `(die|den) [erinnerung|termin] (an|für|zum|zur|mit|wegen|mit) [den|die|das|der|dem] {what} (brauche|brauch) ich
      nicht mehr`,
    '[die|den] {what}[-](erinnerung|wecker|timer|termin) (brauche|brauch) ich nicht mehr',
    `[die|den|der|meine|mein] {what}[-](erinnerung|wecker|timer|termin) (hat sich|ist) [inzwischen|jetzt|schon]
      erledigt`,
    `[die|der|meine|mein] (erinnerung|wecker|termin) (an|für|zum|zur|mit|wegen) [den|die|das|der|dem] {what}
      (hat sich|ist) [inzwischen|jetzt|schon] erledigt`,
    `(an|wegen) [den|die|das|der|dem] {what} (musst|brauchst) du mich nicht mehr [zu] erinnern`,
    `[die|den] {what}[-](erinnerung|wecker|termin) (musst|brauchst) du [mir|mich] nicht mehr [zu]
      (sagen|melden|erinnern|ansagen)`,
    `(schalt[e]|stell[e]) [den|die|meinen] ${SACHEN} (aus|ab)`,
    `(storniere|lösch[e]|entfern[e]) [alle] [den|die|das|meine|meiner|meinen] ${SACHEN}`,
    'storniere [die|den|das] {what}',
  ],
});
export const MOVE = phrases({
  en: [
    `(move|reschedule|change|shift|postpone|push|delay|snooze|bring forward|set) [the|my|that] {what}
      [reminder|alarm|timer|appointment]
      [back|forward] (to|until|till) {when:.+?} [instead|rather]`,
    `(make|change|move|switch) (the|my|that) {what} (one|reminder|alarm|timer) [to|at|for]
      {when:(?!(?:forward|ahead|back|up|by)\\b).+?} [instead|rather]`,
    `(move|reschedule|change|shift|postpone|push|delay) [the|my] (reminder|alarm|timer) (about|to|for|of) {what}
      (to|until|till) {when}`,
    `(move|push|shift|put) [the|my|that] {what} [reminder|alarm|timer|appointment] (forward|ahead) [by]
      {either:${LENGTH_EN}}`,
    `(move|reschedule|change|shift|postpone|push|delay|snooze) [the|my|that] {what}
      [reminder|alarm|timer|appointment] [back] (by|for) {length}`,
    `(move|reschedule|change|shift|postpone|push|delay|snooze) [the|my|that] {what} {length:an?
      (?:hour|day|week)|\\d+ (?:minutes|hours|days|weeks)} (later|back)`,
    `(push|put|move|shift|set|delay) [the|my|that] {what} [reminder|alarm|timer|appointment] back [by]
      {length:${LENGTH_EN}}`,
    `(bring|pull) [the|my|that] {what} [reminder|alarm|timer|appointment] (forward|earlier|up) by {earlier}`,
    `(move) [the|my|that] {what} [reminder|alarm|timer|appointment] (earlier|up) by {earlier}`,
    `(move|make|bring) [the|my|that] {what} [reminder|alarm|timer|appointment]
      {earlier:an? (?:half )?(?:hour|day|week)|half an hour|\\d+ (?:minutes?|hours?|days?|weeks?)} (earlier|sooner)`,
  ],
  de: [
    `(verschieb[e]|verleg[e]|änder[e]|stell[e]|setz[e]) [die|den|das|meine|meinen] (erinnerung|wecker|timer|termin)
      (an|für|zum|zur|mit) [den|die|das|der|dem] {what} um {length:.*(?:minuten?|stunden?|tage?|wochen?)}`,
    `(verschieb[e]|verleg[e]|schieb[e]|zieh[e]) [die|den|das|meine|meinen] {what} [um]
      {length:LENGTH} [(nach hinten|später|{sooner:nach vorne?|vor|früher})]`.replace('LENGTH', LENGTH),
    `(verschieb[e]|verleg[e]) [die|den|das|meine|meinen] {what} um {length:.*(?:minuten?|stunden?|tage?|wochen?)}
      [nach hinten]`,
    `(verschieb[e]|verleg[e]|änder[e]|stell[e]|setz[e]) [die|den|das|meine|meinen] (erinnerung|wecker|timer|termin)
      (an|für|zum|zur|mit) [den|die|das|der|dem] {what} (auf|zu|um) {when}`,
    '(verschieb[e]|verleg[e]|änder[e]) [die|den|das|meine|meinen] {what} (auf|zu|um) {when}',
    '(mach[e]) (die|den|das|meine|meinen) {what} [doch|lieber|bitte] auf {when:(?!die|der|das|meine).+}',
    `(der|die|das|mein|meine) {what:(?!uhr|zeit).+?} (ist|kommt|findet|beginnt|fängt|startet|geht)
      (ab jetzt|ab sofort|jetzt|doch|nun|künftig|in zukunft) [immer] [erst|schon]
      {when:(?:am|um|nächste\\p{L}*|morgen|übermorgen|heute)\\b.+?} [statt|an|los]`,
    `(der|die|das|mein|meine) {what} (ist|wurde|wird) [jetzt|doch] auf {when} (verschoben|verlegt|vorverlegt)`,
    'stell[e] [den|meinen] {what:wecker} (auf|um) {when} um',
    `(stell[e]|setz[e]|leg[e]|schieb[e]|zieh[e]) [die|den|das|meine|meinen] {what:(?!.*(?:timer|wecker)).+?}
      [doch|lieber|besser] (auf|vor auf) {when:.+?} [um|vor]`,
    `(verschieb[e]|verleg[e]|änder[e]|stell[e]|setz[e]|leg[e]|schieb[e]) (die|den|das)
      (mit|an|für|zum|zur|wegen|vom|von) [der|dem|den|die|das] {what} (auf|zu|um) {when}`,
  ],
});

export const RENAME = phrases({
  en: [
    `(rename|relabel|retitle) [the|my|that] {what} [reminder|alarm|timer] (to|as|into) {name}`,
    'change the (text|name|title) of [the|my|that] {what} [reminder|alarm|timer] to {name}',
  ],
  de: [
    '(benenn[e]) [die|den|das|meine|meinen] {what}[-](erinnerung|wecker|termin) [um] in {name:.+?} [um]',
    `(benenn[e]) [die|den|das|meine|meinen] [erinnerung|termin] [an|für|zum|zur|mit] [den|die|das|der|dem] {what}
      [um] in {name:.+?} [um]`,
    `(nenn[e]) [die|den|das|meine|meinen] [erinnerung|termin] [an|für|zum|zur|mit] [den|die|das|der|dem] {what}
      (jetzt|um|lieber|in zukunft) [in] {name}`,
  ],
});
/** "When is the one with the dentist?" asks for a reminder, not for a document. */
export const WHEN = phrases({
  en: [
    '(when|what time) (is|was) [my|the] {what} (reminder|alarm|timer)',
    '(when|what time) (is|was) the reminder (about|to|for) {what}',
    '(when|what time) (am|was) i (to|supposed to|meant to|due to) {what}',
    '(when|what time) (will|do|are) you (going to remind|remind|reminding) me (about|of|to) {what}',
    '(when|what time) (will|do|am) i (be reminded|get reminded|getting reminded|get a reminder) (about|of|to) {what}',
  ],
  de: [
    `wann (ist|war|kommt|klingelt|piept|meldet sich) [nochmal] (das|die|der) (mit|an|wegen)
      [der|dem|den|die|das] {what}`,
    'wann (klingelt|läutet) (der|mein) {what:wecker}',
    '(auf wann|wann) (ist|steht|habe ich) (der|mein|den|meinen) {what:wecker} [gestellt]',
    `(für welche uhrzeit|für wann|auf wann|wann|um wie[ ]viel uhr) (hast du|habe ich|hab ich) [die|den|das|mich] {what}
      (eingetragen|eingeplant|vorgemerkt|gespeichert)`,
    'wann (wollte|sollte) ich [nochmal|noch mal|denn] [die|den|das|zum|zur|ins] {what}',
    `wann (ist|war|kommt) [nochmal] [die|meine|der|mein] (erinnerung|wecker|timer) (an|für|zum|zur|mit|wegen)
      [den|die|das|der|dem] {what}`,
    'wann (erinnerst du mich|wirst du mich|wollte ich) (an|wegen) [den|die|das|der|dem] {what} [erinnern]',
  ],
});
