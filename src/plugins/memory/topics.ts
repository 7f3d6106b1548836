import { tokens } from '../../rag/analysis/words.ts';

/**
 * Everyday words by topic, in English and German: a question seldom uses the words of the fact
 * that answers it. `*` stands for any ending.
 */
const TOPICS: readonly string[] = [
  [
    'live lives lived living home house address city town reside* residence based move moved wohn* lebe',
    'lebst lebt leben zuhause daheim heimat adresse stadt umgezogen',
  ].join(' '),
  'name named names call called calls nickname heiss* heiß* nenn* spitzname vorname nachname surname',
  [
    'job work works working employ* company profession* occupation* career office boss living arbeit*',
    'beruf* firma arbeitgeber* chef* büro büros earn',
  ].join(' '),
  'birthday* born birth age aged old geboren geburtstag* alter alt jahre years',
  [
    'partner wife husband spouse married marry girlfriend boyfriend fiance* wedding anniversary frau mann',
    'partnerin ehe* freundin verheiratet hochzeit* hochzeitstag',
  ].join(' '),
  'child children kid kids son sons daughter* baby kind kinder sohn söhne tochter töchter',
  'mother mum mom mama mutter',
  'father dad papa vater',
  'parents mother father mum mom dad eltern mutter vater',
  'sibling* brother* sister* bruder brüder schwester* geschwister',
  'pet pets dog dogs cat cats puppy kitten rabbit parrot hamster hund hunde katze katzen kater haustier*',
  [
    'eat eats eating food* diet vegetarian* vegan* meal dish dishes cook cooking cuisine lunch dinner',
    'breakfast meat fish restaurant iss isst esse essen ernähr* vegetari* fleisch gericht kochen',
    'frühstück*',
  ].join(' '),
  'allerg* intoleran* unverträglich* vertrage vertragen',
  'drink drinks drinking coffee tea beer wine milk trink* getränk* kaffee tee bier wein milch',
  'car cars drive drives vehicle van auto fahre fährst wagen fahrzeug',
  'plate registration kennzeichen nummernschild',
  'doctor* gp physician arzt ärztin hausarzt hausärztin practice praxis',
  'dentist* teeth zahnarzt* zähne tooth',
  'speak speaks language* fluent sprech* sprichst spricht sprache* learn learning lerne',
  'colour* color* farbe*',
  'hobby hobbies free time pastime weekend* freizeit wochenende*',
  [
    'sport* exercise gym run running jog* swim* training team club football soccer tennis climb* cycling',
    'turnen laufen joggen schwimm* verein fußball klettern',
  ].join(' '),
  'instrument* guitar piano violin play plays spiele spielst gitarre klavier geige cello drums',
  'school* university study studied studies degree college schule uni universität studier* studium graduat*',
  'phone telephone mobile number handy* telefon* nummer handynummer',
  'email mail mails inbox e adresse',
  'blood blutgruppe',
  'medicine* medication* pill pills tablet* drug* prescri* take medikament* tablette* einnehm* nehme',
  'glasses lens lenses prescription brille kontaktlinsen dioptrien',
  'wake wakes waking rise up alarm aufsteh* stehe stehst wecker morgens',
  'sleep sleeps bed bedtime schlaf* schläfst bett',
  'music band* singer song* album* concert* musik sänger* lied lieder konzert*',
  'film films movie* cinema director* series kino regisseur serie*',
  'book books author* novel* read reading buch bücher autor* roman* lese liest lesen',
  'size sizes shoe shoes shirt trousers wear wears größe* schuh* hemd hose* trage trägst',
  'tall height weigh weight cm groß körpergröße wiege wiegst gewicht',
  'bank account iban konto kontonummer',
  'rent rents landlord* landlady flat apartment miete* vermieter* wohnung*',
  'wifi wlan network router internet',
  'commute commutes train bus bike bicycle cycle tram zug rad fahrrad bahn pendel*',
  [
    'like likes love loves favourite* favorite* prefer* enjoy* best fond lieblings* mag magst liebe*',
    'gern* bevorzug* bester liebste*',
  ].join(' '),
  'hate hates dislike* stand avoid* annoy* hasse* ungern abneigung',
  'holiday* vacation* trip* travel* journey passport* visa urlaub* reise* reisepass verreis*',
  'neighbour* neighbor* nachbar*',
  'friend friends mate buddy best freund freunde freundinnen',
  'garden* plant plants flower* garten gärten pflanze* blumen',
  'computer laptop pc mac notebook rechner',
  'insurance insurer policy versicherung* krankenkasse versichert',
  'colleague* manager team teammate* kollege* kollegin vorgesetzt*',
  'sister schwester',
  'brother bruder',
  'daughter tochter',
  'son sohn',
  'dog hund',
  'cat katze kater',
  'coffee kaffee',
  'tea tee',
  'landlord* landlady vermieter*',
  'wife frau',
  'husband mann',
  'afraid fear fears scared phobia angst fürchte höhenangst',
  'left right handed handedness linkshänder* rechtshänder*',
  'smoke smokes smoking rauche* raucher*',
  'hairdresser barber hair friseur* haare',
  'bin bins rubbish trash garbage recycling müll* mülltonne* abfall',
  'meeting meetings standup call calls besprechung* termin termine',
  'newspaper* news magazine zeitung* nachrichten',
];

interface Lexicon {
  readonly whole: ReadonlyMap<string, readonly string[]>;
  readonly starts: readonly (readonly [string, string])[];
}

let lexicon: Lexicon | undefined;

/** The topics of a text: one code per topic, which never occurs as a word. */
export function topicsOf(text: string): string[] {
  lexicon ??= readTopics();
  const { whole, starts } = lexicon;
  const found = tokens(text).flatMap((token) => [
    ...(whole.get(token) ?? []),
    ...starts.flatMap(([start, code]) => (token.startsWith(start) ? [code] : [])),
  ]);
  return [...new Set(found)];
}

function readTopics(): Lexicon {
  const whole = new Map<string, string[]>();
  const starts: [string, string][] = [];
  for (const [index, words] of TOPICS.entries()) {
    const code = codeOf(index);
    for (const word of words.split(' ')) {
      // Folded as text analysis folds words.
      const [token = ''] = tokens(word.replace('*', ''));
      if (word.endsWith('*')) starts.push([token, code]);
      else whole.set(token, [...(whole.get(token) ?? []), code]);
    }
  }
  return { whole, starts };
}

/** Two letters that begin no word, and two for the topic: neither stemming nor n-grams take two codes for one. */
function codeOf(index: number): string {
  const letter = (value: number) => String.fromCharCode(97 + value);
  return `qx${letter(Math.floor(index / 26))}${letter(index % 26)}`;
}
