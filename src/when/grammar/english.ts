import { NUMBER_WORDS, ORDINALS } from '../../words/numbers.ts';
import { lexiconOf, type Row } from './token.ts';

const ROWS: readonly Row[] = [
  ['working', 0, '', 'working business work'],
  ...[...NUMBER_WORDS.en].map(([word, n]): Row => [n < 20 ? 'number' : 'tens', n, '', word]),
  ['article', 1, '', 'a an'],
  ['couple', 2, '', 'couple'],
  ['couple', 3, '', 'few'],
  ...ORDINALS.en.map((word, index): Row => ['ordinal', index + 1, '', word]),
  ['last', -1, '', 'last previous'],
  ['next', 1, '', 'next'],
  ['coming', 0, '', 'coming'],
  ['this', 0, '', 'this'],
  ['part', 9, 'morning', 'morning mornings'],
  ['part', 15, 'afternoon', 'afternoon afternoons'],
  ['part', 19, 'evening', 'evening evenings'],
  ['part', 21, 'night', 'night nights'],
  ['moment', 720, 'noon', 'noon midday'],
  ['moment', 0, 'midnight', 'midnight'],
  ['relative', 0, '', 'today'],
  ['relative', 1, '', 'tomorrow tmrw tmr'],
  ['relative', -1, '', 'yesterday'],
  ['tonight', 0, '', 'tonight tonite'],
  ['every', 1, '', 'every each'],
  ['other', 2, '', 'other alternate'],
  ['adverb', 1, 'hour', 'hourly'],
  ['adverb', 1, 'day', 'daily everyday'],
  ['adverb', 1, 'night', 'nightly'],
  ['adverb', 1, 'week', 'weekly'],
  ['adverb', 2, 'week', 'biweekly fortnightly'],
  ['adverb', 1, 'month', 'monthly'],
  ['adverb', 1, 'quarter', 'quarterly'],
  ['adverb', 1, 'year', 'yearly annually'],
  ['in', 1, '', 'in'],
  ['in', 1, 'after', 'after'],
  ['at', 0, '', 'at @ around'],
  ['at', 0, 'weak', 'to'],
  ['on', 0, '', 'on'],
  ['on', 0, 'weak', 'for by'],
  ['the', 0, '', 'the'],
  ['of', 0, '', 'of'],
  ['of', 0, 'in', 'in'],
  ['of', 0, 'per', 'per'],
  ['and', 0, '', 'and & or plus'],
  ['comma', 0, '', ','],
  ['dash', 0, '', '- –'],
  ['slash', 0, '', '/'],
  ['until', 0, '', 'to until till through'],
  ['from', 0, '', 'from'],
  ['between', 0, '', 'between'],
  ['half', 0.5, '', 'half'],
  ['quarter', 0.25, '', 'quarter quarters'],
  ['past', 1, '', 'past after from'],
  ['before', -1, '', 'before to till'],
  ['half-day', 0, '', 'am a.m. a.m'],
  ['half-day', 12, '', 'pm p.m. p.m'],
  ['oclock', 0, '', "o'clock oclock"],
  ['ago', 0, '', 'ago'],
  ['now', 0, '', 'now'],
  ['end', 0, '', 'end'],
  ['except', 0, '', 'except excluding'],
  ['once', 0, '', 'once'],
  ['often', 2, '', 'twice'],
  ['often', 3, '', 'thrice'],
  ['fold', 0, '', 'times'],
  ['vague', 0, '', 'someday sometime sometimes soon later lunchtime noonish dawn dusk sunrise sunset'],
  ['vague', 0, '', 'starting beginning weeknight weeknights bimonthly nightfall teatime dinnertime bedtime'],
  ['vague', 0, '', 'eod eow eom cob asap nxt morrow penultimate overmorrow tdy tmw tmo easter thanksgiving pentecost'],
  ['vague', 0, '', 'whitsun lent ramadan hanukkah passover diwali'],
  ['greeting', 0, '', 'good'],
  ['filler', 0, '', 'please time'],
  ['approx', 0, '', 'about approximately approx roughly circa exactly precisely'],
  ['approx', 0, 'tail', 'sharp ish exactly precisely'],
];

/** English words of time. */
export const ENGLISH = lexiconOf('en', {
  rows: ROWS,
  telling: `me my i you the to of and call that is please remind set wake at for with tell say from buy it what about`,
  holidays: [
    ['christmas eve', 12, 24],
    ['christmas day', 12, 25],
    ['christmas', 12, 25],
    ['xmas', 12, 25],
    ['boxing day', 12, 26],
    ["new year's eve", 12, 31],
    ['new years eve', 12, 31],
    ["new year's day", 1, 1],
    ["new year's", 1, 1],
    ['new year', 1, 1],
    ["valentine's day", 2, 14],
    ['valentines day', 2, 14],
    ['halloween', 10, 31],
  ],
  ordinary: `
    early moon noun boon goon mood nook moan mono none your tour pour sour house our ours dour flour weak seek peek
    meek weed reek geek week's seeks near dear hear bear fear gear pear tear wear rear gears pears tears wears teeth
    tents yours leeks yearn bears hears year's tune dune rune jude jury duly match marsh starch mash marches marched
    harsh larch parch light right might fight sight tight knight bright weight height night's lights rights fights pays
    says lays ways rays bays hays daisy dairy gaily dally very ever even give live dive hive fire file fine fives fiver
    gives lives mine line wine pine vine nice mines lines wines nines sever severe fevers tent teen then men pen den
    hen sick mix fix sit sir tix into onto thee tree free mouth mouths moth moths south tooth minuet minuets beckon
    reckon secondly quartet quartets charter learn mourning warning moaning evenness leaving meaning opening text nest
    neat net nexus least cast fast mast lasts list lost lust vast blast latest late often others bother mother father
    rather ordered mend bend send tend lend fend ends find fund andy hand many maya made make male mare lay say way bay
    pay ray mayo marc mark mars mary mart marx map man mat mad apron augusta octave members toady toads tody fist firs
    fir thirst bird thirds birds forth north filth sunny sundry sundae munday mundane ones ounce dance bone tone zone
    gone done cone lone too tow toe there these theme threw hero zeros calf halt hall halve hale golf self behalf
    thirsty dirty forts party nifty shifty coupe couples supple new dew fewer pew sew beach reach teach peach each's
    coach noons know snow no not how low row bow cow vow won own form frog prom untie tell tall bill will fill hill
    mill kill pill sill ill tills while combing calming homing going mind sing thing evens levels events event friday's
    fridge tidy sate seat stat sad set act out april's aprils fours hour's bout abroad ground round found sound agog
    again aging ego age sage week-end halves eights nighty fright flight plight slight delight mighty naught meekly
    bleakly nearly dearly clearly tires lime dime mime timer timed rime tide tie tin tick team thyme paste pasta post
    pasts noises eve eves christ fed bed red led ton son con fun run gun bun nun hat cat rat bat fat pat fry fro dry
    jam jar fan pan tan ran van can web fee fen due sue cue true hue thus thud thug deck novel step apt car bar far tar
    war though tough thorough past's minus minuted minuter fourths dawns down damn lawn dark pawn darn
  `,
});
