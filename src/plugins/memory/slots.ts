import { pattern } from '../../base/pattern.ts';

/** Attributes that have only one value: two facts with the same slot contradict each other. */

/** Of people and animals much can be true at once: "my sister is a doctor", "my sister is tall". */
const BEINGS = new RegExp(
  [
    '(?:sister|brother|mother|mum|mom|father|dad|wife|husband|partner|son|daughter|child|kid|friend|dog|cat|pet|aunt',
    'uncle|cousin|neighbou?r|colleague|boss|schwester|bruder|mutter|vater|mama|papa|frau|mann|partnerin|sohn|tochter',
    'kind|freund|freundin|hund|katze|kater|tante|onkel|nachbar|nachbarin|kollege|kollegin|chef|chefin)s?$',
  ].join('|'),
  'u',
);

const ADVERBS = pattern(
  'gu',
  String.raw`\b(?:now|currently|actually|really|still|these days|at the moment|since \w+|jetzt|nun|inzwischen`,
  String.raw`|mittlerweile|aktuell|derzeit|seit kurzem|eigentlich|sehr)\b`,
);

/** Single-valued attributes of the owner, in their usual wordings. The first group, if any, is part of the slot. */
const OWNERS: readonly (readonly [slot: string, said: RegExp])[] = [
  ['abode', /^(?:i|we) (?:live|reside|am based|are based|(?:have |'ve )?moved)\b.*\b(?:in|at|to|near)\b/u],
  ['abode', /^(?:ich|wir) (?:wohne|lebe|wohnen|leben)\b|^(?:ich bin|wir sind) .*\b(?:um|hin)?gezogen$/u],
  ['abode', /^(?:my|our) (?:home|address) is\b|^(?:meine|unsere) adresse (?:ist|lautet)\b/u],
  ['name', /^my (?:full |first )?name is\b|^i(?: a|')m called\b|^ich heiße\b|^mein name ist\b/u],
  ['birthday', /^my birthday is\b|^i was born on\b|^mein geburtstag ist\b|^ich (?:bin|wurde) am .* geboren\b/u],
  ['age', /^i(?: a|')m \d+(?: years old)?$|^ich bin \d+(?: jahre alt)?$/u],
  ['profession', /^i (?:work|am working) as\b|^my (?:job|profession) is\b|^ich arbeite als\b|^mein beruf ist\b/u],
  ['employer', /^i (?:work|am working) (?:at|for)\b|^ich arbeite (?:bei|für)\b|^my employer is\b/u],
  ['car', /^i drive an?\b|^ich fahre eine?n?\b/u],
  ['rising', /^i (?:get up|wake up|rise) at\b|^ich stehe (?:um|gegen) .* auf$/u],
];

/** Words that negate a sentence. */
const NEGATIONS =
  /\b(?:do not|don'?t|does not|doesn'?t|am not|is not|isn'?t|no longer|not|never|nicht mehr|nicht|nie)\b/gu;
const NO_THING = /\b(?:anymore|any more|no|any|kein\w*)\b/gu;

/** The slot that a fact fills; undefined if several such facts may be true at once. */
export function slotOf(text: string): string | undefined {
  const plain = text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[’‘]/gu, "'")
    .replace(ADVERBS, ' ')
    .replace(/[.!\s]+/gu, ' ')
    .trim();
  const owners = OWNERS.find(([, said]) => said.test(plain));
  if (owners) return owners[0];
  return likingOf(plain) ?? possessionOf(plain) ?? denialOf(plain);
}

/** "I like X" and "I hate X" contradict each other. */
function likingOf(plain: string): string | undefined {
  const english =
    /^i (?:(?:do not|don't|no longer) )?(?:like|love|enjoy|hate|dislike|adore|can't stand|cannot stand) (.+)$/u;
  const german = /^ich (?:mag|liebe|hasse|verabscheue) (?:kein\w* |gerne? )?(.+?)(?: nicht| gerne?)*$/u;
  const what = (english.exec(plain) ?? german.exec(plain))?.[1];
  return what === undefined ? undefined : `like:${bareOf(what)}`;
}

const POSSESSION = pattern(
  'u',
  String.raw`^((?:my|our|mein\w*|unser\w*) .{1,60}?|.{1,40}?'s .{1,40}?) `,
  '(?:(is called|are called|is named|heißt|heißen)',
  String.raw`|(lives? in|wohnt in|lebt in|works? (?:at|for|as)|arbeitet (?:bei|als))|(?:is|are|ist|sind|lautet))\b`,
);

/** "My dentist is X", "Anna's number is Y", "mein Hund heißt Z". */
function possessionOf(plain: string): string | undefined {
  const found = POSSESSION.exec(plain);
  if (!found) return undefined;
  const thing = (found[1] ?? '').replace(/^(?:our|mein\w*|unser\w*) /u, 'my ').replace(/\bnew |\bneue\w* /u, '');
  const named = found[2] !== undefined;
  if (found[3] !== undefined) return `${thing}:${found[3]}`;
  // "my sister's name is Ann" and "my sister is called Ann" are the same slot.
  if (named) return `${thing}'s name`;
  return BEINGS.test(thing) ? undefined : thing;
}

/** "I eat meat" and "I don't eat meat". */
function denialOf(plain: string): string | undefined {
  if (!/^(?:i|we|ich|wir)\b/u.test(plain)) return undefined;
  return `said:${bareOf(plain.replaceAll("i'm ", 'i am ').replace(/\bi am not\b/u, 'i am'))}`;
}

function bareOf(words: string): string {
  return words
    .replace(NEGATIONS, ' ')
    .replace(NO_THING, ' ')
    .replace(/\b(?:an?|the|ein\w*|der|die|das|again|wieder)\b/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
}
