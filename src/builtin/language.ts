import type { Language } from '../words/spelling.ts';
import { WEEKDAYS } from '../words/weekdays.ts';
import type { PriorMessage } from './request.ts';

/** Small words that few other languages share. The first two are those that are answered in. */
const TELLING: Readonly<Record<string, string>> = {
  en: `the is are what what's my me to of how does do did you your i'm and with from for when where who which have has
    please should remind note show list add remove delete tomorrow today yesterday every week cancel move buy many much
    long until days time on it this that at call be there was about convert calculate wake set by next last split tip
    off    hello hi thanks thank bye milk list help can could i i've i'd get got we they she should would make where's
    hour hours earlier later half`,
  de: `der das dem den des ist sind bin bist wie wer wann wo warum wieso welche welcher welches wieviel viel viele mein
    meine meinen meinem meiner mir mich ich du dir dich wir uns unsere ein eine einen einem einer und oder nicht auf aus
    bei mit nach von vom zu zum zur für über um bis seit bitte kannst könntest muss soll habe hab hast haben
    morgen heute gestern übermorgen uhr tag tage tagen woche wochen monat jahr jahre jeden jede jedes erinnere erinner
    erinnerung
    erinnerungen notiz notizen notiere notier merke merk zeig zeige lösche lösch streiche streich setze setz schreib
    schreibe liste einkaufsliste aufgabenliste packliste wecke weck wecker verschiebe verschieb storniere kaufen kaufe
    brauchen brauche noch prozent durch mal geteilt rechne wandle sag sage stunden minuten minute sekunden kilometer
    meilen grad pfund liter hallo danke guten tschüss hilfe ja nein doch dass daran an welchem wird steht gibt
    es euro einkaufen suche such finde termin termine im am trinkgeld rabatt alt weihnachten ostern silvester zeit
    spät datum was hake zoll fuß gramm esslöffel teelöffel tasse
    tassen unzen stunde vielen abhaken erledigt gekauft leere moin servus na alles klar
    dass weil wenn dann noch schon hier dort wohin woher wem wen wessen benenn nenn trag pack nimm stell leg storniere
    umsonst gerade geburtstag kalender bedeutet beim gehört gehören kommt kommen geht macht leuchtet
    gute nacht passt genau stimmt prima tschüs nö egal abbrechen stopp vergiss rückgängig wiederhol nochmal schlecht
    ${WEEKDAYS.de.flatMap(({ names }) => names).join(' ')}`,
  fr: `jour jours sommes nous suis c'est fais fait courses acheter lait temps jusqu'à noël matin soir
    supprime montre cette
    le la les est quel quelle quels mon ma mes je tu il elle nous vous une des du dans avec pour sur demain hier
    aujourd'hui rappelle rappelle-moi moi à quoi comment où pourquoi combien ajoute bonjour merci s'il plaît et qui
    heure`,
  es: `cuántos días hasta navidad agrega pon leche comprar nota recordatorio borra muéstrame tiempo día está estoy son
    el los las qué cuál mi mis yo tú una unos en con por para mañana hoy ayer recuérdame cómo dónde cuándo cuánto
    añade hola gracias y del es hora lista compra`,
  it: `ore quanti giorni natale mancano latte mostra cancella tempo fa giorno
    il gli che qual quale mio mia miei un una con per domani oggi ieri ricordami come dove quando quanto
    aggiungi ciao    grazie della di è alla lista spesa sono`,
  nl: `hoeveel dagen tot kerst uur de laat melk welke maak notitie wanneer moet ik
    het een van wat hoe waar wanneer mijn ik jij wij morgen vandaag gisteren herinner dank niet voor op met naar
    alsjeblieft hallo zet lijst boodschappenlijst`,
  pt: `horas são quantos dias até natal adicione pão leite amanhã dia
    o os as qual meu minha eu você um uma com para amanhã hoje ontem lembre-me lembra-me como onde quando quanto
    adicione olá obrigado e do da não lista compras`,
  sv: `imorgon klockan kl ringa mamma dagar till jul vilken köp mjölk många
    det att är vad hur var när min mitt jag du vi en ett med för på imorgon idag igår påminn tack och lägg till`,
  pl: `ile dni do świąt godzina która mleko dodaj notatka zadzwonić
    jest co jak gdzie kiedy mój moja ja ty w na z do jutro dziś dzisiaj wczoraj przypomnij mi dziękuję i dodaj`,
  da: `mange dage til jul klokken mælk indkøbslisten
    det at er hvad hvordan hvor hvornår min mit jeg du vi en et med på i morgen dag går mind tak og tilføj`,
  tr: `ne kaç saat gün yarın bugün bana hatırlat listeye ekle ve bir için nasıl nerede süt alışveriş`,
  cs: `kolik hodin je kdy kde jak dnes zítra připomeň mi přidej seznam mléko dní do vánoc`,
  fi: `mitä kello on paljonko huomenna muistuta lisää ostoslistalle milloin missä montako päivää jouluun minua`,
};

/** Scripts that tell a language by themselves, the more particular first. */
const SCRIPTS: readonly (readonly [name: string, letters: RegExp])[] = [
  ['uk', /[іїєґ]/iu],
  ['ru', /\p{Script=Cyrillic}/u],
  ['el', /\p{Script=Greek}/u],
  ['ar', /\p{Script=Arabic}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['hi', /\p{Script=Devanagari}/u],
];

/** "I understand English and German", for those who write another language. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  fr: "Je ne comprends que l'anglais et l'allemand.",
  es: 'Solo entiendo inglés y alemán.',
  it: "Capisco solo l'inglese e il tedesco.",
  nl: 'Ik begrijp alleen Engels en Duits.',
  pt: 'Só entendo inglês e alemão.',
  sv: 'Jag förstår bara engelska och tyska.',
  pl: 'Rozumiem tylko angielski i niemiecki.',
  da: 'Jeg forstår kun engelsk og tysk.',
  tr: 'Yalnızca İngilizce ve Almanca anlıyorum.',
  cs: 'Rozumím jen anglicky a německy.',
  fi: 'Ymmärrän vain englantia ja saksaa.',
  uk: 'Я розумію лише англійську та німецьку.',
  ru: 'Я понимаю только английский и немецкий.',
  el: 'Καταλαβαίνω μόνο αγγλικά και γερμανικά.',
  ar: 'أفهم الإنجليزية والألمانية فقط.',
  he: 'אני מבין רק אנגלית וגרמנית.',
  ja: '英語とドイツ語だけわかります。',
  ko: '영어와 독일어만 이해합니다.',
  zh: '我只懂英语和德语。',
  hi: 'मैं केवल अंग्रेज़ी और जर्मन समझता हूँ।',
};

let sets: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** The language a text is written in, by its small words; undefined when they do not tell. */
function tellLanguage(text: string): string | undefined {
  sets ??= new Map(Object.entries(TELLING).map(([name, words]) => [name, new Set(words.split(/\s+/u))]));
  const words =
    text
      .slice(0, 1000)
      .toLowerCase()
      .replace(/[’‘]/gu, "'")
      .match(/[\p{L}'-]+/gu)
      ?.flatMap((word) => (word.includes('-') ? [word, ...word.split('-')] : [word])) ?? [];
  let best: { readonly name: string; readonly score: number } | undefined;
  for (const [name, known] of sets) {
    const score = words.filter((word) => known.has(word)).length + (name === 'de' && /[äöüß]/iu.test(text) ? 0.5 : 0);
    if (score > (best?.score ?? 0)) best = { name, score };
  }
  return best?.name ?? scriptOf(text);
}

/** Where no letter is Latin. */
function scriptOf(text: string): string | undefined {
  return /\p{Script=Latin}/u.test(text) ? undefined : SCRIPTS.find(([, letters]) => letters.test(text))?.[0];
}

/** So many of the person's messages tell the language of one that does not. */
const LOOKED_BACK = 20;

/** What to answer in: the request's own language, else that of the conversation, else English. */
export function answerLanguage(text: string, earlier: readonly PriorMessage[]): Language {
  const before = earlier
    .filter(({ by }) => by === 'person')
    .slice(-LOOKED_BACK)
    .toReversed();
  const told = [text, ...before.map((message) => message.text)].map(tellLanguage).find((name) => name !== undefined);
  return told === 'de' ? 'de' : 'en';
}

/** One line in the language of a text that is neither English nor German. */
export function lineElsewhere(text: string): string | undefined {
  return ELSEWHERE[tellLanguage(text) ?? ''];
}
