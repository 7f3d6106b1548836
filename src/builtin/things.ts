import { pattern } from '../base/pattern.ts';
import { NEGATIONS } from '../words/negations.ts';
import { ANY_QUESTION_WORD } from '../words/question-words.ts';
import { fold, type Language } from '../words/spelling.ts';
import { STOP_WORDS } from '../words/stop-words.ts';

interface KnownList {
  readonly id: string;
  /** What people call it, without the word "list". */
  readonly words: RegExp;
  readonly names: Readonly<Record<Language, string>>;
}

/** Lists that have a name in both languages. */
const KNOWN: readonly KnownList[] = [
  {
    id: 'shopping',
    words: /^(?:shopping|grocery|groceries|buy|einkaufs?|einkäufe|lebensmittel)$/u,
    names: { en: 'shopping list', de: 'Einkaufsliste' },
  },
  {
    id: 'to-do',
    words: /^(?:to[- ]?dos?|tasks?|aufgaben)$/u,
    names: { en: 'to-do list', de: 'Aufgabenliste' },
  },
  { id: 'packing', words: /^(?:packing|pack|koffer)$/u, names: { en: 'packing list', de: 'Packliste' } },
  { id: 'reading', words: /^(?:reading|books?|lese|bücher)$/u, names: { en: 'reading list', de: 'Leseliste' } },
  { id: 'wish', words: /^(?:wish|wunsch)$/u, names: { en: 'wish list', de: 'Wunschliste' } },
];

/** Of these, "and" may belong to a title. */
const TITLES = /^(?:reading|film|movie|watch|music|book|game|song|lese|buch|bücher|musik|spiel)e?s?$/u;
/** What the program itself lists. */
const NOT_OURS = pattern(
  'u',
  '^(?:tool|plugin|model|schedule|project|file|reminder|note|document|inbox|erinnerung|notiz',
  '|datei|waiting|someday|warte)(?:e?s|en)?$',
);
/** Words of a sentence around the name of a list. */
const NO_NAME = pattern(
  'u',
  String.raw`(?<!\p{L})(?:it|that|lists?|listen?|the|my|with|from|on|to|off|all|every\p{L}*|mit|von|auf`,
  String.raw`|d(?:ie|er|en|as)|alle?s?)(?!\p{L})`,
);
const OWNED = /^(?:(?:the|my|our|an?|this|that|new|de[rmn]|die|meine[rn]?|unsere[rn]?|eine|neue) )+/u;
/** "Gift ideas" is a list without the word. */
const NAMED = /(?:^|[ -])liste?$|^\S{2,} (?:ideas|wishes|essentials|supplies)$/u;
/** The "Umzugsliste" is the one for the "Umzug". */
const JOINING_S = /(?<=(?:ung|heit|keit|tion|schaft|tum|ling|zug|tag|nacht|fall|gang|trag|satz|stand))s$/u;
const MOST_NAME_WORDS = 3;

/**
 * The name of the list that words such as "my shopping list" are for; undefined for other words, and for "the list".
 */
export function listOf(words: string): string | undefined {
  const plain = words
    .trim()
    .toLowerCase()
    .replace(OWNED, '')
    .replace(/(?<=einkaufs)zettel$/u, 'liste');
  const of = /^liste? (?:of|for|called|für|mit) (.+)$/u.exec(plain)?.[1];
  if (of !== undefined) return titleOf(of);
  const name = plain.replace(/[ -]?liste?$/u, '');
  const known = KNOWN.find((each) => each.words.test(name));
  // "Tasks" and "groceries" are lists without the word; "pack" and "book" are not.
  if (known) return name !== plain || /^(?:to-?dos|tasks|groceries)$/u.test(name) ? known.id : undefined;
  const isNamed = NAMED.test(plain) || /\p{L}{3}liste$/u.test(plain);
  return isNamed ? titleOf(name) : undefined;
}

/** A name that somebody gives a list. */
export function titleOf(words: string): string | undefined {
  const name = words
    .trim()
    .toLowerCase()
    .replace(/^:\s*/u, '')
    .replace(OWNED, '')
    .replace(/[ -]?liste?$/u, '')
    .replace(JOINING_S, '');
  const isName = /^\p{L}[\p{L}\p{N} _-]*$/u.test(name) && name.split(' ').length <= MOST_NAME_WORDS;
  if (!isName || NOT_OURS.test(name) || NO_NAME.test(name)) return undefined;
  return KNOWN.find((each) => each.words.test(name))?.id ?? name;
}

/** `shopping list`, `Einkaufsliste`; of others `gift list`, `Liste „gift“`. */
export function listName(id: string, language: Language): string {
  const known = KNOWN.find((each) => each.id === id);
  if (known) return known.names[language];
  return language === 'de' ? `Liste „${id}“` : `${id} list`;
}

const LEADING = /^(?:(?:and|und|the|some|more|also|noch|etwas|auch|die|das|den|der|bitte|mal|ein paar) )+/iu;
const AFTERTHOUGHT = ',? (?:bitte|auch|noch|doch|wieder|dazu|drauf|mal|too|as well|please|again)';
/** Begins at the first of several, or a long row of them would be read from each one on. */
const TRAILING = pattern('iu', `(?<!${AFTERTHOUGHT})(?:${AFTERTHOUGHT})+$`);
/** No thing begins like this: a pronoun names none, and a verb begins a sentence. */
const NO_THING = pattern(
  'iu',
  '^(?:it|that|this|them|these|those|everything|all|nothing|something|anything|because',
  '|since|found|i|we|you|me|us|him|they|he|she|there|to|not?',
  '|your?|have|has|got|put|add|remind|take|make|remember|help|is|are|was|were|been|being|do|does|did|can|could',
  '|up|about|on|off|in|at|for|now|then|jetzt|dann|a (?:note|reminder|list|break)',
  // Commands, of which the rest would be the thing.
  '|(?:setz|schreib|pack|nimm|mach|füg|notier|erinner|trag|stell|zeig|lösch|streich|hak|kauf|merk)e?',
  '|das|es|alles|nichts|etwas|ich|wir|sie|er|du|ihr|man|eine? (?:notiz|erinnerung|liste)|ist|sind|habe?n?)',
  String.raw`(?![\p{L}-])|(?:[ -]list|liste)$`,
);
const MOST_WORDS = 8;

/** "Milk, eggs and two loaves" as things; a quotation stays whole. None where a part of it is no thing. */
export function thingsIn(words: string, list = ''): readonly string[] {
  const plain = words.trim().replace(/^[:,]\s*/u, '');
  const said = withQuotes(plain.replace(/\s+/gu, ' '));
  const quoted = [...said.matchAll(/["“„]([^"”“„]+)["”“]/gu)].map(([, thing = '']) => thing.trim());
  if (quoted.length > 0) return quoted;
  const isTask = list === 'to-do';
  const between = TITLES.test(list)
    ? /[,;]/u
    : isTask
      ? /[,;] ?(?:(?:and|und) )?/u
      : /[,;] ?(?:(?:and|und) )?| (?:and|und|&|plus|sowie) /iu;
  const things = said
    .split(between)
    .map((thing) =>
      thing
        .trim()
        .replace(LEADING, '')
        .replace(TRAILING, '')
        .replace(/(?<![?.!])[.!]+$/u, ''),
    )
    .filter((thing) => thing !== '');
  return things.every(isThing) ? things : [];
}

/** The outer marks of a row of quotations are not part of the words between them. */
function withQuotes(words: string): string {
  const opened = /^[^"“„]*[^\s"“„]["”“]/u.test(words) ? `"${words}` : words;
  return /["“„][^\s"”“][^"”“]*$/u.test(opened) ? `${opened}"` : opened;
}

function isThing(words: string): boolean {
  const each = words.toLowerCase().split(' ');
  const [first = ''] = each;
  const isSmall = each.every((word) => STOP_WORDS.en.has(word));
  const isNone = ANY_QUESTION_WORD.has(first) || NEGATIONS.has(fold(first)) || NO_THING.test(words);
  return !isSmall && !isNone && each.length <= MOST_WORDS && !/[?:]/u.test(words);
}
