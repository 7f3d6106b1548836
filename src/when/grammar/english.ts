import { lexiconOf, type Row } from './token.ts';

const list = (is: Row[0], first: number, words: readonly string[]): Row[] =>
  words.map((word, index) => [is, first + index, '', word] as const);

const ROWS: readonly Row[] = [
  ...list('weekday', 0, [
    'sunday sun',
    'monday mon',
    'tuesday tue tues',
    'wednesday wed weds',
    'thursday thu thur thurs',
    'friday fri',
    'saturday sat',
  ]),
  ...list('weekdays', 0, ['sundays', 'mondays', 'tuesdays', 'wednesdays', 'thursdays', 'fridays', 'saturdays']),
  ...list('month', 1, ['january jan', 'february feb', 'march mar', 'april apr', 'may', 'june jun', 'july jul']),
  ...list('month', 8, ['august aug', 'september sep sept', 'october oct', 'november nov', 'december dec']),
  ['unit', 1, 'second', 'second seconds sec secs s'],
  ['unit', 1, 'minute', 'minute minutes min mins m'],
  ['unit', 1, 'hour', 'hour hours hr hrs h'],
  ['unit', 1, 'day', 'day days'],
  ['unit', 1, 'week', 'week weeks'],
  ['unit', 2, 'week', 'fortnight fortnights'],
  ['unit', 1, 'month', 'month months'],
  ['unit', 1, 'quarter', 'quarter quarters'],
  ['unit', 1, 'year', 'year years'],
  ['unit', 1, 'workday', 'weekday weekdays workday workdays'],
  ['unit', 1, 'weekend', 'weekend weekends'],
  ['working', 0, '', 'working business work'],
  ...list('number', 0, 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')),
  ...list('number', 13, 'thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ')),
  ...'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, index): Row => ['tens', 20 + index * 10, '', word]),
  ['article', 1, '', 'a an'],
  ['couple', 2, '', 'couple'],
  ['couple', 3, '', 'few'],
  ...list('ordinal', 1, 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')),
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
    early
    soon moon noun boon goon mood nook moan mono none your four tour pour sour hours house our ours hourly dour flour
    weak seek peek meek week weeks weed reek geek week's seeks near dear hear bear fear gear pear tear wear rear years
    gears pears tears wears teeth tents yours leeks
    yearn bears hears year's tune dune rune jude jury duly match marsh starch mash marches marched harsh larch parch
    light right might fight sight tight eight nights knight bright weight height night's lights rights fights
    pays says lays days ways rays bays hays daisy dairy gaily dally very ever even every give live dive hive fire file
    fine fives fiver gives lives mine line wine pine vine nice none mines lines wines nines seven sever severe even
    eleven fevers tent ten teen tenth then men pen den hen six sick mix fix sit sir tix into onto thee tree free
    mouth mouths month moth moths south tooth monthly minuet minuets minutes minute second seconds beckon reckon
    secondly quarterly quartet quartets charter learn weekend weekends morning mornings mourning warning moaning
    evening evenings evenness leaving meaning even opening next text nest neat net nexus least cast past fast mast
    lasts list lost lust vast blast latest late later after often other others bother mother father rather
    ordered mend bend send tend lend fend end ends send find fund and andy hand may many maya made make male mare lay
    say way day bay pay ray mayo marc mark mars mary mart marx map man mat mad april apron august augusta
    octave december members today toady toads tody fist firs fir first thirst bird third thirds birds fourth forth
    north fifth filth tonight tomorrow sunny sundry sundae sundays munday mundane one ones once ounce dance bone
    tone zone gone done cone lone none two too tow toe three there these theme threw tree zero hero zeros half calf
    halt hall halve hale golf self behalf thirty thirsty dirty forty forts party sixty fifty nifty shifty twenty
    couple coupe couples supple few new dew fewer pew sew each beach reach teach peach each's coach noon noons now
    know snow no not how low row bow cow tow vow won own from form frog prom until untie till tell tall bill will
    fill hill mill kill pill sill ill tills while daily coming combing calming homing going mind sing thing evens
    levels events event friday's fridge tidy sate seat stat sad set oct act out april's aprils fours hour's bout
    about abroad around ground round found sound agog again aging ego age sage week-end halves eighth eights height
    nighty fright flight plight slight delight might mighty naught weekly meekly bleakly nearly yearly dearly clearly
    tires times time lime dime mime timer timed rime tide tie tin tick team thyme past paste pasta post last pasts
    noises eve eves christ wed weds fed bed red led week's mon ton son won con sun fun run gun bun nun sat hat cat
    rat bat mat fat pat sit set fri fry fro dry jan jam jar fan man pan tan ran van can feb web fee fen fed tue due
    sue cue true hue thu thus the thud thug jul dec deck nov now novel sep step sept apt mar car bar far jar tar war
    though tough thorough past's minus minuted minuter fourths dawns down damn lawn dark pawn darn
  `,
});
