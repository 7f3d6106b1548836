import { GERMAN_HALVES, NUMBER_WORDS, ORDINALS } from '../../words/numbers.ts';
import { WEEKDAYS } from '../../words/weekdays.ts';
import { lexiconOf, type Row } from './token.ts';

/** `ersten`, `erster`, `erste`: with the endings of adjectives. */
const inflected = (...stems: readonly string[]) =>
  stems.flatMap((stem) => ['e', 'en', 'er', 'es', 'em'].map((ending) => stem + ending)).join(' ');

/** Parts of the day, the hour that each stands for, and their words. */
const PARTS: readonly (readonly [string, number, string])[] = [
  ['morning', 9, 'morgen vormittag frueh'],
  ['afternoon', 15, 'nachmittag'],
  ['evening', 19, 'abend'],
  ['night', 21, 'nacht'],
];

const ROWS: readonly Row[] = [
  ...WEEKDAYS.de.flatMap(({ names: [name] }, index) =>
    PARTS.map(([part, hour, words]): Row => {
      const joined = words.split(' ').map((word) => `${name}${word}`);
      return ['weekday', index, `${part}/${hour}`, joined.join(' ')];
    }),
  ),
  ...[...NUMBER_WORDS.de, ...GERMAN_HALVES].map(([word, n]): Row => ['number', n, '', word]),
  ['article', 1, '', 'ein eine einen einem einer eines ne nen nem ner'],
  ['couple', 3, '', 'paar'],
  ...ORDINALS.de.map((stem, index): Row => ['ordinal', index + 1, '', inflected(stem)]),
  ['last', -1, '', inflected('letzt', 'vorig', 'vergangen')],
  ['next', 1, '', inflected('naechst')],
  ['coming', 0, '', inflected('kommend')],
  ['this', 0, '', inflected('dies')],
  ...PARTS.map(([part, hour, words]): Row => ['part', hour, part, words]),
  ['part', 9, 'morning', 'morgens vormittags'],
  ['part', 15, 'afternoon', 'nachmittags'],
  ['part', 19, 'evening', 'abends'],
  ['part', 21, 'night', 'nachts'],
  ['moment', 720, 'noon', 'mittag mittags'],
  ['moment', 0, 'midnight', 'mitternacht'],
  ['relative', 0, '', 'heute heut'],
  ['relative', 1, '', 'morgen'],
  ['relative', 2, '', 'uebermorgen'],
  ['relative', -1, '', 'gestern'],
  ['relative', -2, '', 'vorgestern'],
  ['every', 1, '', 'jeden jede jedes jedem jeder alle aller allen'],
  ['adverb', 1, 'hour', 'stuendlich'],
  ['adverb', 1, 'day', 'taeglich'],
  ['adverb', 1, 'week', 'woechentlich'],
  ['adverb', 1, 'month', 'monatlich'],
  ['adverb', 1, 'quarter', 'vierteljaehrlich quartalsweise'],
  ['adverb', 1, 'year', 'jaehrlich'],
  ['in', 1, '', 'in'],
  ['ago', -1, '', 'vor'],
  ['at', 0, '', 'um gegen'],
  ['on', 0, '', 'am an'],
  ['on', 0, 'weak', 'fuer'],
  ['set', 0, '', 'auf'],
  ['the', 0, '', 'der die das dem den des'],
  ['of', 0, '', 'des im vom'],
  ['and', 0, '', 'und oder sowie &'],
  ['comma', 0, '', ','],
  ['dash', 0, '', '- –'],
  ['slash', 0, '', '/'],
  ['until', 0, '', 'bis'],
  ['from', 0, '', 'von'],
  ['between', 0, '', 'zwischen'],
  ['half', 0.5, '', inflected('halb')],
  ['halfTo', 30, '', 'halb'],
  ['halfTo', 15, '', 'dreiviertel'],
  ['quarter', 0.25, '', 'viertel'],
  ['past', 1, '', 'nach'],
  ['before', -1, '', 'vor'],
  ['oclock', 0, '', 'uhr'],
  ['now', 0, '', 'jetzt'],
  ['end', 0, '', 'ende monatsende'],
  ['except', 0, '', 'ausser'],
  ['once', 0, '', 'einmal'],
  ['often', 2, '', 'zweimal'],
  ['often', 3, '', 'dreimal'],
  ['often', 4, '', 'viermal'],
  ['fold', 0, '', 'mal'],
  [
    'vague',
    0,
    '',
    'bald spaeter nachher irgendwann feierabend demnaechst vierzehntaegig monatsanfang monatsletzten vorletzten',
  ],
  ['vague', 0, '', 'mittagszeit mittagspause mittagessen abendessen abendbrot fruehstueck schlafenszeit halbjaehrlich'],
  ['vague', 0, '', 'ostern ostersonntag ostermontag karfreitag pfingsten pfingstmontag muttertag himmelfahrt'],
  ['vague', 0, '', 'advent adventssonntag weihnachtstag weihnachtsfeiertag feiertag schultag'],
  ['vague', 0, '', inflected('uebernaechst', 'vorvorig')],
  ['greeting', 0, '', 'guten gute'],
  ['filler', 0, '', 'bitte'],
  ['approx', 0, '', 'etwa ungefaehr circa ca rund genau punkt exakt spaetestens'],
  ['approx', 0, 'tail', 'genau puenktlich'],
];

const CHRISTMAS_DAYS = ['weihnachtstag', 'weihnachtsfeiertag'];
const FIRST_DAY = ['ersten', 'erster', 'erste', '1.'];
const SECOND_DAY = ['zweiten', 'zweiter', 'zweite', '2.'];

/** German words of time. */
export const GERMAN = lexiconOf('de', {
  rows: ROWS,
  telling: `mich mir ich dass an zu und erinnere erinner weck wecke stelle einen eine der die das uhr bitte anzurufen
    um am im ist kaufen rufe sag sage nimm termin daran fuer mein meine meinen wecker nicht den dem des`,
  holidays: [
    ['heiligabend', 12, 24],
    ...FIRST_DAY.flatMap((first): [string, number, number][] =>
      CHRISTMAS_DAYS.map((day) => [`${first} ${day}`, 12, 25]),
    ),
    ...SECOND_DAY.flatMap((second): [string, number, number][] =>
      CHRISTMAS_DAYS.map((day) => [`${second} ${day}`, 12, 26]),
    ),
    ['nikolaus', 12, 6],
    ['nikolaustag', 12, 6],
    ['valentinstag', 2, 14],
    ['allerheiligen', 11, 1],
    ['weihnachten', 12, 25],
    ['silvester', 12, 31],
    ['neujahr', 1, 1],
  ],
  ordinary: `
    runde runden kunde kunden hunde wunde wunden lage sage page trage frage wache wachen kochen rochen macht nackt
    yacht wacht abende wahr haar haare fahr fahre zahl zahlen reden redet laden boden sorgen borgen heuten leute beute
    haute montage alles alte alten acker gern gerne extern noch doch dach bach fach lach neue neuen nein sein dein fein
    kein mein wein bein dreh frei zweig viel tier vieh hier ziel sechse wechsel lieben sieden sieber zahn zehe sehen
    gehen erst ernsten setzen netten netter beste besten weste kommen kommend salbe dies riesen wiese wiesen lesen halt
    haben haus mail main mais ober enden enge erde wende ente uhren ohr ohren setzt letzt mitte sitte mitten fragen
    tragen sagen lagen magen wagen wald bild kalt halten habe hab paare maer herz schmerz kraft meinmal weihnachten
    ritten sitten weite weiten breite seite seiten fruehe brueh wirst erschten nuss voll wenn guter guss
  `,
});
