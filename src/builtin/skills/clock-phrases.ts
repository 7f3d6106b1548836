import { phrases } from '../phrases.ts';

export const TIME = phrases({
  en: [
    "(what's|what is) the [current] time [now|right now|please]",
    'what time is it [now|right now]',
    '[the] [current] time [now|please]',
    'do you have the time',
    'how late is it',
    'what time do we have',
  ],
  de: [
    'wie (spät|viel uhr) (ist es|ist|haben wir) [jetzt|gerade]',
    'wieviel uhr (ist es|ist|haben wir) [jetzt|gerade]',
    '[aktuelle] (uhrzeit|zeit)',
    'wie (spät|viel uhr) es [jetzt|gerade] ist',
    'wie ist die uhrzeit',
    'was ist die uhrzeit',
  ],
});

export const TODAY = phrases({
  en: [
    "(what|what's|what is|which) [is] [the|today's] [current] (date|day) [is it|is today|today] [today|now|it is]",
    "(what's|what is) today['s date]",
    "[today's|the] date [today]",
    'which day is (it|today)',
    'what day [of the week] is (it|today) [today]',
    'what is it today',
  ],
  de: [
    '(welcher|welchen|was für ein|was für einen) (tag|wochentag|datum) (ist|haben wir) [heute|es]',
    '(welches|was für ein|was ist das) datum [ist|haben wir] [heute|es]',
    'der wievielte ist heute',
    'den wievielten haben wir [heute]',
    '[das] [heutige] datum [heute]',
    'was ist heute für ein (tag|datum|wochentag)',
    'welcher tag heute ist',
  ],
});

export const UNIT = phrases({
  en: [
    `(what|which) {unit:year|month|week|calendar week} [number] [of the year] (is it|is this|are we in|is it now|is
      it today)`,
  ],
  de: [
    `(welche|welches|welcher|welchen|in welcher|in welchem) {unit:jahr|monat|woche|kalenderwoche|kw} (ist|haben
    wir|sind wir|ist es) [heute|jetzt|gerade]`,
  ],
});

export const ELSEWHERE = phrases({
  en: [
    "(what|what's|what is) [the] [current] time [is it|is] [now|right now] in {place}",
    'what time is it [now|right now] in {place} [now|right now|at the moment]',
    "(what's|what is) the [local] time in {place} [now|right now]",
    '[the|local|current] time in {place}',
    'how late is it in {place}',
    `is it (morning|night|day|daytime|evening|late|early|dark) [or (morning|night|day|daytime|evening|dark|light)]
      in {place}`,
    "(what's|what is|which|what) [the] (date|day) [is it|is today] in {place}",
    'is it [already|still] (tomorrow|today|yesterday|morning|night|the next day) [already|yet] in {place}',
  ],
  de: [
    'wie (spät|viel uhr) ist es [jetzt|gerade] in {place}',
    '[die] (uhrzeit|zeit|ortszeit) in {place}',
    'wie (spät|viel uhr) (ist es|ist|haben wir|hat man|haben die) [jetzt|gerade] in {place}',
    'wieviel uhr (ist es|haben wir|haben die) [jetzt|gerade] in {place}',
    'was ist [jetzt|gerade] [die] (uhrzeit|zeit) in {place}',
    'welcher tag ist [es] [heute|jetzt] in {place}',
  ],
});

export const AT_HOME = phrases({
  en: [
    `(what time is it|what is the time|how late is it) [now|right now]
      (at home|where i live|where we live|at my place)`,
  ],
  de: ['wie (spät|viel uhr) ist es [jetzt|gerade] (zu hause|zuhause|daheim|bei mir|wo ich wohne|bei uns)'],
});

const HOUR = String.raw`{time:\d[\d:.]*(?: ?[ap]\.?m\.?)?}`;
/** "When it is 9 here, what time is it in Tokyo?" */
export const CONVERTED = phrases({
  en: [
    `(when|if) (it's|it is) {time} in {from:(?!the (?:morning|afternoon|evening|night)\\b).+?}
      (what time (is it|will it be)|what's the time|what is the time) in
      {place}`,
    `(when|if) (it's|it is) {time} [here] (what time (is it|will it be)|what's the time|what is the time) in {place}`,
    `(when|if) (it's|it is) {time} in {from} (what time (is it|will it be)|what's the time|what is the time)
      (here|for me|for us|where i am)`,
    `[what is|what time is|when is] ${HOUR} {from:(?!my\\b|our\\b|local\\b|here\\b).+?} time
      [in|here] {place:maybe}`,
    `[what is|what time is] ${HOUR} in {from} in {place} [time]`,
    '(what|what time|when) is {time} [my time|here|local time] in {place}',
    `what time (is it|will it be|would it be) in {place} (when|if) (it's|it is) {time} (in {from}|here|where i am)`,
    'what time (is it|will it be|would it be) in {place} at {time} [(here|my time|{from} time)]',
    `(if|when) (i|we) (call|ring|phone|message) [someone in] {place} at {time} [(here|my time|{from} time)]
      (what time (is it|will it be)|what's the time) [there|for them]`,
    'at {time} [(here|my time|{from} time)] what time (is it|will it be) in {place}',
  ],
  de: [
    'wenn es in {from} {time:\\d[\\d:.]*(?: uhr)?} ist wie (spät|viel uhr) ist es [dann] in {place}',
    'wenn es [hier|bei mir] {time} ist wie (spät|viel uhr) ist es [dann] in {place}',
    'wenn es in {from} {time:\\d[\\d:.]*(?: uhr)?} ist wie (spät|viel uhr) ist es [dann] (hier|bei uns|bei mir)',
    'wie (spät|viel uhr) ist {time} in {place}',
  ],
});

export const DIFFERENCE = phrases({
  en: [
    "[what's|what is] [the] time difference (between|from) {a} (and|to) {b}",
    "[what's|what is] [the] time difference (between here and|to|with|for|in) {other}",
    'how many hours (are|is) [there] [it] between {a} and {b}',
    'how (far|many hours) (ahead|behind) (is|are) {a} (of|from|to|than) {b}',
    'how (far|much|many hours) (ahead of|behind) {b} (is|are) {a}',
    'how many hours (ahead|behind) {b} is {a}',
    'how (far|much|many hours) (is|are) {a} (ahead of|behind) {b}',
    'how (far|much|many hours) (ahead|behind) (is|are) {other}',
    'how many hours (difference|apart) (is|are) [there|it] [between] {a} (and|to) {b}',
    'is {a} (ahead of|behind|ahead of or behind) {b}',
  ],
  de: [
    '[wie groß ist|was ist] [der|die] (zeitunterschied|zeitverschiebung) zwischen {a} und {b}',
    `[wie groß ist|wie viel ist|was ist] [denn] [der|die] (zeitunterschied|zeitverschiebung)
      (zu|nach|mit|gegenüber) {other}`,
    `wie[ ]viele stunden (unterschied|zeitunterschied|zeitverschiebung) (sind|ist|sind es|ist es|habe ich|haben wir)
      (zu|nach|bis|gegenüber) {other}`,
    'wie[ ]viele stunden (ist|sind|liegt) {other} (voraus|vor uns|zurück|hinter uns)',
    'wie[ ]viele stunden (unterschied|zeitunterschied|zeitverschiebung) (sind|liegen|ist|sind es) zwischen {a} und {b}',
  ],
});

/** "What time will it be in Tokyo in 3 hours?" */
export const LATER = phrases({
  en: ['what time (will it be|is it) [in {place}] (in {amount}|{amount} from now) [in {there}]'],
  de: ['wie (spät|viel uhr) ist es [in {place}] in {amount} [in {there}]'],
});
