import { type Grammar, type Noun, type Reach, set, text, type Word } from './grammar.ts';

const DETERMINERS = set('the a an my our your every each all both some any no which whose what many');
const ASKING = set('which whose what many no');
const JOINTS =
  set(`and or but because if when while before after that which who where whether until since once so as although
  though unless how why what`);
const AUXILIARIES =
  set(`is are was were be been am do does did have has had can could may might must shall should will would isn
  aren wasn doesn don didn hasn haven cannot`);
const VERBS =
  set(`pay pays paid own owns hold holds held keep keeps kept run runs ran go goes went get gets got come comes
  came make makes made take takes took give gives gave find finds found say says said tell tells told know
  knows mean means meant happen happens happened cost costs write writes wrote written use need needs want
  wants like likes work works live lives lived leave leaves left start starts begin begins began end ends
  stop stops open opens close closes last lasts send sends sent bring brings buy buys bought sell sells sold
  break breaks broke fix fixes clean cleans read reads see sees saw look looks call calls ask asks answer
  answers help helps let lets put puts set sets show shows explain describe repair repairs replace replaces
  cover covers apply applies expire expires renew include includes contain contains belong belongs return
  returns decide decides order orders die dies born grow grows fit fits charge charges change changes move
  moves sign signs check checks weigh weighs sure stolen`);
/** Words that are not nouns. */
const PLAIN =
  set(`how who whom where when why not me i you we us he him she her they them it its his their theirs hers this
  that these those there here one ones same else more most less least other others another with without of
  in on at by for from to into onto over under above below about against between during through per than
  then too also just only even still already yet ever never again now today tomorrow yesterday tonight much
  few several first second third next last old new big small long short high low cheap expensive good bad
  hot cold warm free safe legal possible allowed fast slow heavy far near late early large tall deep wide
  true wrong right better worse best worst cheaper older newer bigger smaller longer shorter higher lower
  faster yes ok okay please exactly sure former latter due fine such own off out up down away back and or
  but if so because while before after until since once as although though unless whether oclock am pm
  really available included compulsory dead alone full empty ready`);
const OPENERS = ['and what about', 'but what about', 'and how about', 'what about', 'how about', 'and', 'but', 'or'];
const PREPOSITIONS = set(
  `in on at by for from to with without after before since until during under over between per of into as`,
);
const MEASURES = set('much many long often old far big high late early fast heavy deep wide tall soon');
/** After "this" or "these", a noun that needs no earlier mention: "this week". */
const AT_HAND =
  set(`week month year morning afternoon evening weekend time day night project document documents file files
  folder conversation app program house`);
const PEOPLE =
  set(`landlord landlady owner tenant neighbour neighbor doctor dentist mother father sister brother mum mom dad
  son daughter wife husband partner friend boss colleague teacher author writer director manager plumber
  electrician agent lawyer person man woman boy girl child kid guest cleaner caretaker janitor uncle aunt
  cousin grandmother grandfather baby customer client employee seller buyer inventor founder engineer nurse
  driver chef vet`);
const ANIMALS = set('cat dog horse rabbit hamster bird parrot puppy kitten pony');
const GROUPS =
  set(`people children men women police family company team bank council government insurer insurance school
  everybody everyone`);
/** "It" refers to nothing in "is it possible to" and "how cold is it". */
const OF_WEATHER = set('cold hot warm dark late raining snowing rain rains snow snows windy sunny far time');
const OF_OPINION =
  set(`possible allowed necessary worth safe ok okay legal true better best hard easy normal required mandatory
  important common illegal forbidden`);
const SAYING = set('say says said mean means know think believe show shows prove ensure require requires state states');
const BE = set('is are was were isn aren be been');

const isVerb = ({ text: word }: Word): boolean => AUXILIARIES.has(word) || VERBS.has(word) || /[^e]ed$/u.test(word);
const isPlain = ({ text: word }: Word): boolean =>
  PLAIN.has(word) || AUXILIARIES.has(word) || /^\d+$|ly$|able$|ible$|ful$/u.test(word);
const isContent = (word: Word | undefined): boolean =>
  word !== undefined && !isPlain(word) && !isVerb(word) && !DETERMINERS.has(word.text);

/** Does "it" refer to nothing: the weather, the time, or what a later "to" or "that" introduces? */
function isEmptyIt(words: readonly Word[], at: number): boolean {
  const near = words.slice(Math.max(0, at - 3), at + 3).map((word) => word.text);
  if (near.some((word) => OF_WEATHER.has(word))) return true;
  const later = words.findIndex((word, index) => index > at && (word.text === 'to' || word.text === 'that'));
  if (near.some((word) => OF_OPINION.has(word)) && later > 0) return true;
  const takes = near.some((word) => ['take', 'takes', 'cost', 'costs'].includes(word));
  return takes && later > 0 && words.slice(later + 1).filter((word) => isContent(word)).length > 0;
}

/** Is "that" a pronoun, and not a conjunction or the determiner of a noun? */
function isThatAlone(words: readonly Word[], at: number): boolean {
  const before = words[at - 1];
  if (!before || at === words.length - 1) return true;
  if (SAYING.has(before.text) && !BE.has(text(words, at + 1))) return false;
  if (['so', 'such', 'now'].includes(before.text) || OF_OPINION.has(before.text)) return false;
  return AUXILIARIES.has(before.text) || isVerb(before) || isPlain(before);
}

const EXISTS = set('is are was were isn aren will has have be been any a an some');

const POINTERS: Readonly<Record<string, (words: readonly Word[], at: number) => Reach | undefined>> = {
  it: (words, at) => (isEmptyIt(words, at) ? undefined : 'earlier clause'),
  its: () => 'before',
  his: () => 'before',
  their: () => 'before',
  her: (words, at) => (isContent(words[at + 1]) || text(words, at + 1) === 'own' ? 'before' : 'earlier clause'),
  this: atHand,
  these: atHand,
  those: (words, at) => (['who', 'that', 'of', 'which'].includes(text(words, at + 1)) ? undefined : atHand(words, at)),
  that: (words, at) => (isThatAlone(words, at) ? atHand(words, at) : undefined),
  there: (words, at) =>
    EXISTS.has(text(words, at - 1)) || EXISTS.has(text(words, at + 1)) ? undefined : 'earlier clause',
  ones: () => 'before',
  one: (words, at) => (isOne(words, at) ? 'before' : undefined),
  same: (words, at) => (isContent(words[at + 1]) && text(words, at + 1) !== 'apply' ? undefined : 'before'),
  else: (words) => (words.filter((word) => isContent(word)).length <= 1 ? 'before' : undefined),
  latter: (words, at) => (isContent(words[at + 1]) ? undefined : 'before'),
  former: (words, at) => (isContent(words[at + 1]) ? undefined : 'before'),
};
const PERSONAL = set('he she him they them hers theirs');

function atHand(words: readonly Word[], at: number): Reach | undefined {
  return AT_HAND.has(text(words, at + 1)) ? undefined : 'earlier clause';
}

/** "Which one", "the red one"; not "one of the keys", "one bedroom", "the one with the bell". */
function isOne(words: readonly Word[], at: number): boolean {
  const [before, after] = [text(words, at - 1), text(words, at + 1)];
  if (['of', 'that', 'who', 'which', 'with', 'from', 'for'].includes(after) || isContent(words[at + 1])) return false;
  return before !== '' && (DETERMINERS.has(before) || isPlain(words[at - 1] as Word) || at === words.length - 1);
}

function agrees(words: readonly Word[], at: number, { words: own, determiner, bare }: Noun): boolean {
  const pointer = text(words, at);
  const isPerson = own.some((word) => PEOPLE.has(word) || PEOPLE.has(word.replace(/s$/u, '')));
  const isNamed = determiner === undefined;
  if (determiner === 'what' || determiner === 'many') return false;
  if (own.some((word) => ANIMALS.has(word))) return true;
  if (['it', 'its'].includes(pointer)) return !isPerson;
  if (['he', 'him', 'his', 'she', 'her', 'hers'].includes(pointer)) return isPerson || (isNamed && !isThing(own, bare));
  if (['they', 'them', 'their', 'theirs'].includes(pointer))
    return isPerson || own.some((word) => GROUPS.has(word) || /[^s]s$/u.test(word)) || (isNamed && !bare);
  return true;
}

/** A bare word that is not a name: a plural, or derived from a verb or an adjective. */
function isThing(own: readonly string[], bare: boolean): boolean {
  return bare && own.some((word) => /(?:s|ing|tion|ment|ness|ity)$/u.test(word));
}

function standsAlone(words: readonly Word[]): boolean {
  const empty = words.some((word, at) => word.text === 'it' && isEmptyIt(words, at));
  return empty || words.filter((word) => !isPlain(word) && !AUXILIARIES.has(word.text)).length >= 3;
}

function isPhrase(words: readonly Word[]): boolean {
  const [first = '', second = ''] = words.map((word) => word.text);
  const last = words.at(-1)?.text ?? '';
  if (PREPOSITIONS.has(first)) return words.length <= 5;
  if (['what', 'which', 'whose'].includes(first)) return words.length <= 3;
  if (first === 'how') return MEASURES.has(second) && words.length <= 3;
  if (['why', 'when', 'where', 'who'].includes(first)) return words.length <= 3 && second !== 'to';
  return ['too', 'either', 'instead', 'though'].includes(last) && words.length <= 4;
}

/** Just enough English to tell what a question refers to. */
export const ENGLISH: Grammar = {
  determiners: DETERMINERS,
  asking: ASKING,
  joints: JOINTS,
  isPlain,
  isVerb,
  pointer: (words, at) => {
    const word = text(words, at);
    if (PERSONAL.has(word)) return 'earlier clause';
    return Object.hasOwn(POINTERS, word) ? POINTERS[word]?.(words, at) : undefined;
  },
  agrees,
  openers: OPENERS,
  standsAlone,
  isPhrase,
};
