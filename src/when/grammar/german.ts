import { lexiconOf, type Row } from './token.ts';

const list = (is: Row[0], first: number, words: readonly string[]): Row[] =>
  words.map((word, index) => [is, first + index, '', word] as const);

/** `ersten`, `erster`, `erste`: the endings that adjectives take. */
const inflected = (...stems: readonly string[]) =>
  stems.flatMap((stem) => ['e', 'en', 'er', 'es', 'em'].map((ending) => stem + ending)).join(' ');

const WEEKDAYS = ['sonntag', 'montag', 'dienstag', 'mittwoch', 'donnerstag', 'freitag', 'samstag'];
const SHORT = ['', 'mo', 'di', 'mi', 'do', 'fr', 'sa'];
/** Parts of the day with the hour that each stands for, and their words. */
const PARTS: readonly (readonly [string, number, string])[] = [
  ['morning', 9, 'morgen vormittag frueh'],
  ['afternoon', 15, 'nachmittag'],
  ['evening', 19, 'abend'],
  ['night', 21, 'nacht'],
];

const ROWS: readonly Row[] = [
  ...WEEKDAYS.map((word, index): Row => ['weekday', index, '', `${word} ${SHORT[index] || word}`]),
  ...WEEKDAYS.map((word, index): Row => ['weekdays', index, '', `${word}s`]),
  ['weekday', 6, '', 'sonnabend'],
  ['weekdays', 6, '', 'sonnabends'],
  ...WEEKDAYS.flatMap((word, index) =>
    PARTS.map(([part, hour, words]): Row => {
      const joined = words.split(' ').map((name) => `${word}${name}`);
      return ['weekday', index, `${part}/${hour}`, joined.join(' ')];
    }),
  ),
  ...list('month', 1, ['januar jaenner jan', 'februar feb', 'maerz mrz', 'april apr', 'mai', 'juni jun', 'juli jul']),
  ...list('month', 8, ['august aug', 'september sep sept', 'oktober okt', 'november nov', 'dezember dez']),
  ['unit', 1, 'second', 'sekunde sekunden sek s'],
  ['unit', 1, 'minute', 'minute minuten min m'],
  ['unit', 15, 'minute', 'viertelstunde viertelstunden'],
  ['unit', 45, 'minute', 'dreiviertelstunde'],
  ['unit', 1, 'hour', 'stunde stunden std h'],
  ['unit', 1, 'day', 'tag tage tagen tages'],
  ['unit', 1, 'week', 'woche wochen'],
  ['unit', 1, 'month', 'monat monate monaten monats'],
  ['unit', 1, 'quarter', 'quartal quartale quartals'],
  ['unit', 1, 'year', 'jahr jahre jahren jahres'],
  ['unit', 1, 'workday', 'werktag werktage werktagen werktags arbeitstag arbeitstage arbeitstagen wochentag'],
  ['unit', 1, 'workday', 'wochentags'],
  ['unit', 1, 'weekend', 'wochenende wochenenden'],
  ...list('number', 0, 'null eins zwei drei vier fuenf sechs sieben acht neun zehn elf zwoelf'.split(' ')),
  ...list('number', 13, 'dreizehn vierzehn fuenfzehn sechzehn siebzehn achtzehn neunzehn zwanzig'.split(' ')),
  ...list('number', 21, 'einundzwanzig zweiundzwanzig dreiundzwanzig vierundzwanzig fuenfundzwanzig'.split(' ')),
  ['number', 30, '', 'dreissig'],
  ['number', 40, '', 'vierzig'],
  ['number', 45, '', 'fuenfundvierzig'],
  ['number', 50, '', 'fuenfzig'],
  ['number', 60, '', 'sechzig'],
  ['number', 90, '', 'neunzig'],
  ['number', 1.5, '', 'anderthalb eineinhalb'],
  ['number', 2.5, '', 'zweieinhalb'],
  ['number', 3.5, '', 'dreieinhalb'],
  ['article', 1, '', 'ein eine einen einem einer eines ne nen nem ner'],
  ['couple', 3, '', 'paar'],
  ...list(
    'ordinal',
    1,
    ['erst', 'zweit', 'dritt', 'viert', 'fuenft', 'sechst'].map((stem) => inflected(stem)),
  ),
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
  ...list('often', 2, 'zweimal dreimal viermal'.split(' ')),
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
    stunde stunden runde runden kunde kunden hunde wunde wunden sekunde tage lage sage page trage frage tages woche
    wache wachen kochen wochen rochen monat monate nacht macht acht nackt yacht nachts wacht abend abends abende
    jahr jahre wahr haar haare fahr fahre zahl zahlen jeden jeder jedes jede reden redet laden boden juni juli
    minute minuten morgen sorgen borgen morgens heute heuten leute beute haute mittag mittags montage alle alles
    aller alte alten acker gern gerne gestern extern nach noch doch dach bach fach lach neun neue neuen nein sein
    dein fein kein mein wein bein eins eine einer eines einen einem drei dreh frei zwei zweig vier viel tier vieh
    hier ziel vierte sechs sechse wechsel sieben lieben sieden sieber zehn zahn zehe sehen gehen fuenf elf erst
    erste ersten ernsten letzte letzten letzter setzen netten netter beste besten weste naechste naechsten kommen
    kommend salbe
    dies diese diesen dieser dieses diesem riesen wiese wiesen lesen halb halbe halben halt haben haus
    viertel mai mail main mais april august ober oktober ende enden enge erde wende ente uhren uhr ohr ohren jetzt
    setzt letzt mitte sitte bitte mitten montag freitag feiertag samstag tag tagen fragen tragen sagen lagen magen
    wagen bald wald bild kalt halten habe hab spaeter paar paare haare maer maerz herz schmerz kraft einmal meinmal mal
    weihnachten dritten ritten dritte sitten zweite zweiten weite weiten breite seite seiten vierten frueh fruehe
    brueh erster wirst erschten null nuss voll uebermorgen feierabend wenn werktag gute guten guter guss
  `,
});
