import { type Grammar, type Noun, type Reach, set, text, type Word } from './grammar.ts';

/** The genders that a noun may have after a determiner: masculine, feminine, neuter, plural. */
type Genders = string;

const endings = (stems: string, ending: string) => stems.split(' ').map((stem) => stem + ending);
const OWNING = 'mein dein unser kein sein euer';
/** With their endings: `mein`, `meine`, `meinen`. */
const GENDERS: ReadonlyMap<string, Genders> = new Map(
  Object.entries({
    mf: ['der', 'jeder', ...endings(`ein welch ${OWNING}`, 'er')],
    fp: ['die', ...endings(`ein welch ${OWNING} unsr`, 'e')],
    mp: ['den', ...endings(`ein welch ${OWNING} unsr`, 'en')],
    mn: [
      ...['dem', 'des', 'im', 'am', 'vom', 'zum', 'beim', 'ein', ...OWNING.split(' ')],
      ...['em', 'es'].flatMap((ending) => endings(`ein welch ${OWNING}`, ending)),
    ],
    ...{ n: ['das', 'ins', 'jedes'], f: ['zur', 'jede'], p: ['alle', 'viele'], mfnp: ['was'] },
  }).flatMap(([genders, words]) => words.map((word) => [word, genders])),
);
const DETERMINERS = new Set(GENDERS.keys());
const ASKING = set('was welche welcher welches welchen welchem viele');
const JOINTS =
  set(`und oder aber sondern weil wenn falls waehrend bevor nachdem ob dass als damit sobald solange wer wo wann
  wie warum wieso wohin woher wofuer wem wen was`);
const VERBS =
  set(`ist sind war waren bin bist sein gewesen wird werden wurde wurden hat haben hatte hatten habe hast kann
  koennen konnte muss muessen musste darf duerfen soll sollen will wollen mag moechte gibt gab geht gehen
  ging kostet kosten heisst heissen dauert dauern gilt gelten steht stehen liegt liegen macht machen braucht
  brauche brauchen bekommt bekomme bekommen zahlt zahle zahlen bezahlt bezahle bezahlen gehoert gehoeren
  wohnt wohnen kommt kommen endet enden beginnt beginnen faengt schliesst oeffnet funktioniert bedeutet
  verwahrt haelt halte halten findet finde finden passiert laeuft laufen faellt sagt sagen schreibt
  schreiben schrieb geschrieben verfaellt verlaengert repariert reparieren bringt bringen kauft kaufen
  verkauft holt holen ruft rufen erreiche erreicht erreichen kuendige kuendigt kuendigen wechselt wechseln
  reinigt reinigen wiegt startet starten stellt stelle stellen passt lebt leben arbeitet sorgt kuemmert
  uebernimmt deckt enthaelt gehe weiss erklaer erklaere zeig sag erzaehl betraegt besitzt nutzt nutze
  benutzt schickt`);
const PLAIN =
  set(`ich du er sie es wir ihr ihn ihm ihnen mich dich sich mir dir uns euch man wer wem wen wo wann wie warum
  wieso weshalb wohin woher wofuer womit nicht kein noch auch schon nur sehr so dann denn da dort hier jetzt
  heute morgen gestern immer nie mal eigentlich genau wirklich ueberhaupt wieder mehr weniger viel lange oft
  alt hoch teuer gross klein neu weit schwer schnell gut schlecht billig frei warm kalt spaet frueh moeglich
  erlaubt verboten noetig wichtig sicher richtig in an auf bei fuer mit ohne ab bis seit nach vor zu von
  wegen um unter ueber aus durch gegen zwischen und oder aber sondern weil wenn falls ob dass als damit ja
  nein bitte ihre ihren ihrem ihrer ihres seine seinen dies diese dieses diesen diesem dieser jene jener das
  die der den dem erste zweite dritte letzte naechste andere anderen anderer ersten zweiten dritten letzten
  naechsten sonst also dabei dafuer davon daran darin darauf dazu danach daraus darueber zusaetzlich
  inklusive enthalten`);
const OPENERS = [
  ...['und was ist mit', 'was ist mit', 'und wie ist es mit', 'wie ist es mit', 'und wie sieht es mit'],
  ...['wie sieht es mit', 'und wie steht es mit', 'wie steht es mit', 'wie steht es um', 'und', 'aber', 'oder'],
];
const PREPOSITIONS =
  set(`im in am an bei beim fuer mit ohne ab bis seit nach vor zu zum zur von vom wegen um auf unter ueber aus
  durch gegen zwischen`);
const MEASURES = set('viel viele lange oft alt hoch teuer gross weit schwer schnell spaet frueh warm tief breit');
const AT_HAND =
  set(`woche monat jahr tag morgen abend nachmittag nacht wochenende projekt dokument dokumente dokumenten datei
  dateien ordner gespraech programm mal haus`);
/** "Es" refers to nothing in "gibt es" and "ist es möglich". */
const EMPTY =
  set(`gibt gab geht regnet schneit spaet kalt warm heiss dunkel uhr moeglich erlaubt verboten noetig wichtig
  sinnvoll normal ueblich notwendig sicher pflicht`);
const OF_THINGS = set(
  `daran darin darauf dazu davon daraus darueber dagegen dahinter danach dafuer dabei dadurch damit`,
);
/** Which genders a word may stand for. */
const STANDS_FOR: Readonly<Record<string, Genders>> = {
  ...{ er: 'm', ihn: 'm', ihm: 'mn', sie: 'fp', ihr: 'f', es: 'n', ihnen: 'p' },
  ...{ sein: 'mn', seine: 'mn', seinen: 'mn', seinem: 'mn', seiner: 'mn', seines: 'mn' },
  ...{ ihre: 'fp', ihren: 'fp', ihrem: 'fp', ihrer: 'fp', ihres: 'fp' },
};
const OWNED = set('sein seine seinen seinem seiner seines ihre ihren ihrem ihrer ihres');
const SHOWING = set('dies diese dieses diesen diesem dieser jene jener jenes');
const SAME = set('dasselbe derselbe dieselbe denselben dieselben demselben derselben');
const ARTICLES = set('das die der den dem');

const isVerb = ({ text: word, capital, first }: Word): boolean => VERBS.has(word) && (!capital || first);
const isPlain = ({ text: word, capital, first }: Word): boolean =>
  (PLAIN.has(word) && (!capital || first)) || /^\d+$|lich$|ig$|bar$|isch$/u.test(word);
const isParticiple = (word: string): boolean =>
  /^(?:ge|be|ver|er|zer|ent|ab|an|auf|aus|ein)\p{L}+(?:t|en)$/u.test(word);

/** Does "es" refer to nothing, as in "gibt es", or to what a later "zu" or "dass" introduces? */
function isEmptyEs(words: readonly Word[], at: number): boolean {
  const near = words.slice(Math.max(0, at - 2), at + 3).map((word) => word.text);
  if (near.some((word) => EMPTY.has(word))) return true;
  const later = words.some((word, index) => index > at && ['zu', 'bis', 'dass'].includes(word.text));
  return later && near.some((word) => ['dauert', 'kostet', 'lohnt'].includes(word));
}

/** "Das", "die" and "der" stand alone where no noun can follow: "was kostet das", "ist das versichert". */
function isArticleAlone(words: readonly Word[], at: number): boolean {
  const [word, next, after] = [words[at], words[at + 1], words[at + 2]];
  if (!word || word.afterComma || (at === 0 && next !== undefined)) return false;
  if (!next || JOINTS.has(next.text)) return true;
  if (next.capital) return false;
  const closes = after === undefined || after.afterComma;
  if (isVerb(next) || ['nicht', 'noch', 'auch', 'schon', 'eigentlich', 'genau', 'alles'].includes(next.text))
    return true;
  const capitalised = words.some(({ capital, first }) => capital && !first);
  return closes && (isParticiple(next.text) || isPlain(next) || capitalised);
}

function pointer(words: readonly Word[], at: number): Reach | undefined {
  const word = words[at];
  if (!word) return undefined;
  const { text: said } = word;
  const next = words[at + 1];
  // A capitalized "Sie" or "Ihr" in mid-sentence is the polite form of address.
  if (word.capital && !word.first && Object.hasOwn(STANDS_FOR, said)) return undefined;
  if (said === 'es') return isEmptyEs(words, at) ? undefined : 'earlier clause';
  if (said === 'sein') return next && !isPlain(next) && !isVerb(next) ? 'before' : undefined;
  if (OWNED.has(said) || (said === 'ihr' && next?.capital)) return 'before';
  if (Object.hasOwn(STANDS_FOR, said)) return 'earlier clause';
  if (SHOWING.has(said)) return AT_HAND.has(next?.text ?? '') ? undefined : 'earlier clause';
  if (SAME.has(said)) return next && (next.capital || at < words.length - 2) ? undefined : 'before';
  if (said === 'dort') return 'earlier clause';
  if (OF_THINGS.has(said))
    return next?.afterComma || (said === 'damit' && word.afterComma) ? undefined : 'earlier clause';
  return ARTICLES.has(said) && isArticleAlone(words, at) ? 'earlier clause' : undefined;
}

function agrees(words: readonly Word[], at: number, { determiner, end }: Noun): boolean {
  const wanted = STANDS_FOR[text(words, at)];
  if (determiner === 'was' || end > at) return false;
  const genders = determiner === undefined ? undefined : GENDERS.get(determiner);
  if (wanted === undefined || genders === undefined) return true;
  return [...wanted].some((gender) => genders.includes(gender));
}

function standsAlone(words: readonly Word[]): boolean {
  const empty = words.some((word, at) => word.text === 'es' && isEmptyEs(words, at));
  return empty || words.filter((word) => !isPlain(word) && !isVerb(word)).length >= 3;
}

function isPhrase(words: readonly Word[]): boolean {
  const [first = '', second = ''] = words.map((word) => word.text);
  if (PREPOSITIONS.has(first)) return words.length <= 5;
  if (first === 'wie') return MEASURES.has(second) && words.length <= 4;
  if (first.startsWith('welch')) return words.length <= 3;
  if (['warum', 'wieso', 'weshalb', 'wann', 'wo', 'wer', 'wohin', 'was'].includes(first)) return words.length <= 3;
  return text(words, words.length - 1) === 'auch' && words.length <= 4;
}

/** Just enough German to tell what a question refers to. */
export const GERMAN: Grammar = {
  determiners: DETERMINERS,
  asking: ASKING,
  joints: JOINTS,
  isPlain,
  isVerb,
  pointer,
  agrees,
  openers: OPENERS,
  standsAlone,
  isPhrase,
};
