import { weekday } from '../../words/weekdays.ts';
import { phrases } from '../phrases.ts';

const UNITS = '{unit:days|weeks|months|hours|minutes|years|nights|sleeps|working days|workdays|business days|weekdays}';
const EINHEITEN = '{unit:tage|wochen|monate|stunden|minuten|jahre|mal schlafen|nächte|arbeitstage|werktage}';
const LEFT = '{left:(?:dieses?[rms]?|das|dem) (?:jahr|monat|woche)}';

export const BETWEEN = phrases({
  en: [
    `how many ${UNITS} (are|is|are there|is it|lie|pass) [there] (between|from) {from} (and|to|until|till) {to}`,
    `how many ${UNITS} (between|from) {from} (and|to|until|till) {to}`,
    `how (long|far|much time) is [it] [there] (between|from) {from} (and|to|until|till) {to}`,
    `(${UNITS}|time) (between|from) {from} (and|to|until|till) {to}`,
    "(what's|what is) the (difference|time) (between|from) {from} (and|to) {to}",
  ],
  de: [
    `wie[ ]viele ${EINHEITEN} [sind es|liegen|sind|vergehen] (zwischen|von|vom) {from} (und|bis|bis zum) {to}`,
    `wie lange ist es (von|vom) {from} (bis|bis zum) {to}`,
    `${EINHEITEN} (zwischen|von|vom) {from} (und|bis|bis zum) {to}`,
  ],
});
export const UNTIL = phrases({
  en: [
    `how (many ${UNITS}|long|far|much longer) [is it|are left|is left|left|do i have|do we have|are there|are there
      left|remain|away|to go] [away|left] (until|till|til|to|before) {to}`,
    `how (many ${UNITS}|far) away is {to}`,
    `how (far|long) (away|off) is {to}`,
    `${UNITS} (until|till|to) {to}`,
    "how long (until|till) [it is|it's] {to}",
    'when is it {to} again',
    `how many ${UNITS} (are left|are there left|left|remain|are remaining|do we have left|does) [in|of]
      {left:(?:this|the) (?:year|month|week)} [have left]`,
  ],
  de: [
    `wie[ ]viele ${EINHEITEN} [sind es|sind|noch|ist es|haben wir|habe ich] [noch] bis {to}`,
    'wie lange [ist es|dauert es|haben wir|habe ich] [noch] bis {to}',
    'in wie[ ]vielen {unit:tagen|wochen|monaten|jahren} (ist|haben wir|beginnt) {to}',
    `wie oft muss ich [noch] schlafen bis {to}`,
    `wie[ ]viele ${EINHEITEN} (hat|sind|sind es) noch [in|im|von] ${LEFT} [übrig]`,
    `wie[ ]viele ${EINHEITEN} (hat|sind|sind es) [in|im|von] ${LEFT} (noch|noch übrig|übrig)`,
    `wie[ ]viele ${EINHEITEN} bleiben [noch] [in|im|von] ${LEFT} [noch] [übrig]`,
    `(noch|${EINHEITEN}) bis {to}`,
  ],
});
export const SINCE = phrases({
  en: [
    `how (many ${UNITS}|long) [is it|has it been|have passed|passed|ago] (since|ago was|ago is) {to}`,
    `how (many ${UNITS}|long) ago (was|is) {to}`,
  ],
  de: [
    `wie[ ]viele ${EINHEITEN} (sind [es] seit|ist es seit|seit) {to} [vergangen]`,
    'wie lange ist {to} her',
    'wie lange ist es her seit {to}',
  ],
});
export const AGE = phrases({
  en: [
    `how old will (i|he|she|someone|somebody|a person) [be] [if|who] [i|he|she] [is|was|were] [born] [on|in] {born}
      be (on|in|by|at) {then}`,
    `how old will (i|he|she|someone|somebody|a person) be (on|in|by|at) {then} (if|who|when) [i|he|she] [is|was|were|am]
      born [on|in] {born}`,
    `how old (is someone|am i|is somebody|is a person|would i be|is he|is she|are you) [if|when] [i|he|she|who]
      [is|was|were|am] born [on|in] {born}`,
    'how old (is|am|are) {who} [who was|if] born [on|in] {born}',
    '(what|which) age [is someone|am i] [if] [i was] born [on|in] {born}',
    '[i was|he was|she was] born [on|in] {born} how old (am i|is he|is she)',
    `[{who}] (was|were) born [on|in] {born} [so|and] (how old|what age) (am|is|are) (i|he|she|they|{again:word})
      [now|today]`,
    '[my|his|her|{who}] birthday is {born} how old (am i|is he|is she|are they) [now|today]',
  ],
  de: [
    `wie alt (werde|wird|bin|ist) (ich|er|sie|jemand|man) (am|im|an) {then} [sein] (der|die|wenn) [ich|er|sie|man]
      [am|im] {born} geboren (ist|bin|wurde|wurden)`,
    `wie alt (ist jemand|bin ich|wäre ich|ist er|ist sie|ist man) [der|die|wenn] [ich|er|sie|man] [am|im] {born}
      geboren (ist|bin|wurde|wurden)`,
    `(ich|er|sie|{who}) (bin|ist) [ein] jahrgang {born:\\d{4}} [,] [und|also|-] wie alt (bin|ist|{turning:werde|wird})
      (ich|er|sie|es|{whom}) [dieses jahr|jetzt|heute|in diesem jahr]`,
    `(ich|er|sie|{who}) (bin|ist) [ein] jahrgang {year:\\d{4}} [,] [und] geboren (am|im) {day} [,] [und|also|-] wie alt
      (bin|ist) (ich|er|sie|es|{whom}) [jetzt|heute]`,
    '{who} (ist|wurde) [am|im] {born} geboren wie alt ist (er|sie|es|{again:word}) [jetzt|heute]',
    '(ich|er|sie|{who}) (bin|ist|wurde) [am|im] {born} geboren [,] [und] wie alt (bin|ist) (ich|er|sie|es|{whom})',
    'wie alt ist {who} [,] (der|die|das|wenn er|wenn sie|geboren|er ist|sie ist) [am|im] {born} [geboren] [ist|wurde]',
    'wie alt (ist jemand|bin ich|ist er|ist sie) geboren [am|im] {born}',
  ],
});
export const LEAP = phrases({
  en: [
    'is (it|this) {this:a leap year}',
    '(is|was|will) {year:number} [be] a leap year',
    'is {this:this year} a leap year',
    'when is the next {next:leap year}',
  ],
  de: [
    '(ist|war|wird) {year:number} ein schaltjahr',
    'ist {this:dieses jahr} ein schaltjahr',
    'wann ist das nächste {next:schaltjahr}',
  ],
});
export const IN_MONTH = phrases({
  en: [
    'how many days (are|has|does|are there|is) [there] [in] {month} [have|has]',
    `how many {work:weekdays|working days|workdays|business days} (are|has|does|are there|is) [there] [in] {month}
      [have|has]`,
  ],
  de: [
    'wie[ ]viele tage (hat|gibt es im|sind im|gibt es in|sind in) [der] {month}',
    `wie[ ]viele {work:arbeitstage|werktage} (hat|gibt es im|sind im|sind es im|gibt es in|sind in
      |haben wir im|haben wir in) [der] {month}`,
  ],
});
export const WEEKS_IN = phrases({
  en: ['how many weeks (are there|are|does) [in] [the year] {year:this year|a year|\\d{4}} [have]'],
  de: [
    `wie[ ]viele (wochen|kalenderwochen) (hat|gibt es|sind) [in|im] [das jahr|dem jahr]
      {year:dieses jahr|ein jahr|\\d{4}}`,
    'wie[ ]viele (wochen|kalenderwochen) hat {year:(?:das|dieses|ein|unser) jahr}',
  ],
});
export const WEEK_OF = phrases({
  en: [
    '(what|which) [calendar] week [number] (is|was|will be) {day}',
    'week [number] of {day}',
    '(what|which) [calendar] week is {day} in',
  ],
  de: ['(welche|in welcher) (kalenderwoche|kw|woche) (ist|liegt|war|hat) {day}', 'kalenderwoche [vom|von|am] {day}'],
});
export const SHIFTED = phrases({
  en: [
    `[what's|when is|(what|which) [day|date|weekday|day of the week] (is|was|will be|is it|will it be)]
      [the date|the day] [it] [in] {n} {unit:working days|workdays|business
      days|day|days|week|weeks|fortnight|fortnights|month|months|year|years} {side:from|after|before|prior to} {day}`,
  ],
  de: [
    `[(was ist|welcher tag ist|welches datum ist|welcher tag war|welches datum war|was war) [der tag|das datum]] {n}
      {unit:arbeitstage|werktage|tag|tage|woche|wochen|monat|monate|jahr|jahre} {side:nach|vor|ab} {day}`,
  ],
});
const WEEKDAY = weekday('en');
const WOCHENTAG = weekday('de');
export const WHICH_DAY = phrases({
  en: [
    `[on] (what|which) (day|date|weekday|day of the week) (is|was|will be|will it be|does|did|falls|it is|is
      it|will) [it] [on|in] {day} [fall|fell|be] [on]`,
    'when (is|was) {day:(?:the )?(?:next|last|this|first|second|third|fourth|fifth|\\d).+}',
    `when (is|was) {day:.*(?:easter|christmas|new year|halloween|valentine|thanksgiving|pentecost|whit|good
      friday|boxing|advent|father's day|pancake|shrove|mardi gras|ash wednesday|mothering|palm sunday|black
      friday|cyber monday|labor day|memorial day|mlk day|bonfire night|guy fawkes|patrick's|paddy's|burns
      night|remembrance|veterans|fourth of july|4th of july|independence day|april fool|ascension).*}`,
    `[(what|when) is|what date is|what's|when's]
      {day:(?:the )?(?:first|second|third|fourth|fifth|last|[1-5](?:st|nd|rd|th)) ${WEEKDAY}
      (?:in|of) (?:next |this )?[a-z]+(?: \\d{4})?}`,
    `[date of] {day:(?:easter|pentecost|good friday|ascension|thanksgiving)(?: ${WEEKDAY})?(?: in)? \\d{4}}`,
    '{day:.* ago}',
    "(what's|what is) the date [of|on|in] {day}",
    'what (date|day) (will|would) it be [in|on] {day}',
    'what (will|would|is) the date [be] [in|on] {day}',
    `(is|was|does|will) {day:(?:the )?\\d.*?|(?:next |this )?(?:christmas|new year|easter|halloween|boxing).*?}
      [fall|be] [on|at] (a|the) {weekday:${WEEKDAY}|weekend} [this year]`,
  ],
  de: [
    `(welcher|was für ein|an welchem|auf welchen) (tag|wochentag) (ist|war|wird|fällt|ist es) [am|der|in|es] {day}
      [sein]`,
    '(auf welchen|auf was für einen) (tag|wochentag) fällt [der] {day}',
    '(welches|was für ein) datum (ist|war|haben wir|ist es) [am|der|in] {day}',
    'wann (ist|war) {day:(?:der |die |das )?(?:nächste|letzte|erste|zweite|dritte|vierte|\\d).+}',
    `wann (ist|war)
      {day:.*(?:ostern|weihnachten|silvester|neujahr|heiligabend|pfingsten|karfreitag|himmelfahrt|nikolaus).*}`,
    'wann (ist|war) {day:.*(?:advent|muttertag|totensonntag|rosenmontag).*}',
    `{day:(?:der |den )?(?:erste|zweite|dritte|vierte|fünfte|letzte)[rn]? ${WOCHENTAG}
      (?:im|in) [a-zä]+(?: \\d{4})?}`,
    `{day:(?:oster|pfingst)${WOCHENTAG}?n? \\d{4}}`,
    `(ist|war|wird|fällt|liegt) {day:(?:der |am )?\\d.*?|.*?(?:weihnachten|heiligabend|silvester|neujahr|nikolaus).*?}
      [dieses jahr] [auf|aufs|an|am] [ein|einen|einem|am|dem|das]
      {weekday:${WOCHENTAG}|wochenende}[s] [dieses jahr]`,
    'der wievielte ist {day}',
    'was ist {day:(?:in|heute in) .+} für ein (datum|tag|wochentag)',
    'was (ist|war|wird) [der|am] {day:\\d.+} für ein (tag|wochentag)',
    '(welches datum|welcher tag|welcher wochentag) ist {day:in .+}',
    `{day:(?:(?:der|am|den) )?(?:erste|zweite|dritte|vierte|fünfte|letzte)[rsn]? ${WOCHENTAG} (?:im|in) .+}`,
  ],
});
