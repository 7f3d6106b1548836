import { pattern } from '../base/pattern.ts';
import { stem, tokens } from '../rag/analysis/words.ts';
import { month } from '../words/months.ts';
import { numberWord } from '../words/numbers.ts';
import { STOP_WORDS } from '../words/stop-words.ts';
import { timeUnit } from '../words/units.ts';
import { anyWeekday } from '../words/weekdays.ts';

/** Questions by their form, and the words that are typical of answers to them. */
const TELLING: readonly (readonly [asks: RegExp, tells: RegExp, isBelow?: boolean])[] = [
  [
    pattern(
      'iu',
      String.raw`^(?:(?:and|but|so|und|aber) )?(?:how (?:do|can|could|should|to) (?:(?:i|we|you|one) )?(\p{L}+)`,
      String.raw`|what (?:do|should|must) (?:i|we) do\b`,
      String.raw`|wie (?!viel|lang|oft|hoch|groß|heiß|bald|weit|alt)(\p{L}+ (?:ich|man|wir)\b.{0,80})`,
      String.raw`|was (?:muss|soll|mache|tue|kann) (?:ich|man|wir)\b)|\bwas tun\b`,
    ),
    pattern(
      'iu',
      '^(?:press|hold|turn|push|pull|open|close|remove|take|put|clean|fill|set|select|choose|switch|call|ring',
      '|touch|run|let|pour|drain|wipe|unscrew|unplug|plug|enter|type|scan|connect|reset|apply|inform|return|book',
      String.raw`|contact|report|send|write|use|wait|check|click|tap|go|ask|insert|lift|rinse|replace|keep|please)\b`,
      String.raw`|\b(?:if|by giving|must|have to|should|please)\b`,
      String.raw`|(?<!\p{L})(?:bitte|\p{L}{3,}en Sie|\p{L}+en\.$|mit der taste)`,
      String.raw`|: \p{L}{3,}en Sie|(?<!\p{L})(?:ist|sind) .{0,120}zu \p{L}+en`,
    ),
    true,
  ],
  [
    pattern(
      'iu',
      String.raw`\bwhat (happens|happened|would happen|will happen)\b|\bwhat if\b|\bwas ist,? wenn\b`,
      String.raw`|\bwas (passiert|geschieht|droht)\b`,
    ),
    pattern(
      'iu',
      String.raw`(?<!\p{L})(?:fees?|charged?|fines?|interest|penalt\p{L}+|cancel\p{L}*|los[et]s?|terminat\p{L}+`,
      String.raw`|refus\p{L}+|removed?|blocked|suspended|expires?|void|deducted|forfeit\p{L}*|made up|gesperrt`,
      String.raw`|verfällt|verfallen|entsorgt|verlier\p{L}+|gekündigt|fristlos\p{L}*)(?!\p{L})`,
      '|gebühr|zinsen|mahn|fällig',
    ),
  ],
  [
    pattern(
      'iu',
      String.raw`^(?:(?:and|but|so|und|aber) )?(?:(?:may|can|could|must|mustn't) (?:i|we|you|one|\p{L}+)`,
      String.raw`|(?:am|are|is) .{1,40}\b(allowed|permitted|forbidden|ok|okay)`,
      String.raw`|(?:darf|dürfen|kann|können|muss|müssen) \p{L}+`,
      String.raw`|(?:ist|sind) .{1,40}\b(erlaubt|verboten|gestattet))(?!\p{L})`,
    ),
    pattern(
      'iu',
      String.raw`(?<!\p{L})(?:(?<!\d )may(?! \d)|can|must|only|allow(?:ed|s)?|permit(?:ted|s)?|permission|consent`,
      '|forbidden|prohibited|banned|not to|no|not|without|unless|compulsory|required|needs?|welcome|darf|dürfen|kann',
      '|können|muss|müssen|nur|erlaubt|gestattet|zulässig|untersagt|verboten|zustimmung|erlaubnis',
      String.raw`|kein\p{L}*|nicht|bedarf)(?!\p{L})`,
    ),
  ],
];

/** The form that the answer to a question must have. */
export interface Expected {
  /** The words of the question that ask for this form. A sentence that fits counts as covering them. */
  readonly asking: string;
  readonly fits: (sentence: string) => boolean;
  /** A sentence that does not fit cannot answer, however many words it shares: a price needs an amount. */
  readonly strict?: boolean;
  /** Whether a sentence has words that are typical of such answers. A sentence without them ranks lower. */
  readonly tells?: (sentence: string) => boolean;
  /** Instructions stand below a heading that names the task, and need not repeat the words of the question. */
  readonly isBelow?: boolean;
}

const SMALL_NUMBER = [
  `${numberWord('en', 1, 12)}|dozen|half|once|twice|none|no`,
  `${numberWord('de', 1, 12)}|ein|eine[nmr]?|halbe?|einmal|zweimal|kein\\p{L}*`,
].join('|');
const SPAN = `${timeUnit}|nights?|nachts?|nächten?`;
const OFTEN = [
  'daily|hourly|weekly|monthly|yearly|annually|always|never',
  'täglich|wöchentlich|monatlich|jährlich|immer|nie',
].join('|');
const EACH = [
  `every|each|per|once|twice|(?:${numberWord('en', 3, 12)}|\\d+) times|an? (?:day|week|month|year)|regularly`,
  'alle|je|pro',
  'jede[nmrs]?|einmal|zweimal|dreimal|regelmäßig|\\p{L}+(?:lich|tags)|(?:am|im) (?:tag|jahr|monat)',
].join('|');
const DAY = anyWeekday;
const MONTH = month('en', 'de');
const NOON = 'noon|midnight|morning|afternoon|evening|tonight|today|tomorrow|mittag|mitternacht|morgens?|abends?|heute';

const word = (...parts: readonly string[]) =>
  pattern('iu', String.raw`(?<![\p{L}\d])(?:${parts.join('|')})(?![\p{L}])`);
const NUMBER = pattern('iu', String.raw`\d|(?<!\p{L})(?:${SMALL_NUMBER})(?!\p{L})`);
/** Times and dates in figures, including the forms used in tables. */
const POINT_IN_TIME = [
  String.raw`\b\d{1,2}[:.]\d\d\b|\b(?:19|20)\d\d\b|\b\d{1,2}\.(?!\d)|\b\d{1,2}[/-]\d{1,2}\b`,
  String.raw`|\d ?(?:am|pm|uhr|h|o'clock|st|nd|rd|th)\b`,
].join('');
/** A number of things, not an amount in grams or minutes. */
const COUNT = pattern(
  'iu',
  String.raw`(?<![\p{L}\d.,:])(?:\d{1,6}|${SMALL_NUMBER})`,
  String.raw`(?![\d.,:]*\d|\s?(?:k?g|m?l|[ckm]?m|°|%|lit|min|hour|stund|second)|\p{L})`,
);
const ASKS_PRICE = pattern(
  'iu',
  String.raw`\bhow much (?:is|are|was|were|does|do|did|will)\b|\bwhat (?:does|do|did) .{1,60} (cost)\b`,
  String.raw`|\bwhat(?:'s| is| was| are) (?:the|my|our) (?:\p{L}+ )?(price|cost|fee|fine|charge|penalty)\b`,
  String.raw`|\b(?:wie ?viel|was) (?:kostet|kosten)\b|\bhow much\b.{1,60}\b(pay|paid|owe|cost|charged?)\b`,
  String.raw`|\bwie ?viel\b.{1,60}(?<!\p{L})((?:be|ge|nach)?zahl(?:en?|t)|gekostet|kosten?|überweisen|ausgegeben)`,
  '(?!\\p{L})',
);
const ASKS_WEIGHT = /\bhow (?:heavy|much .{1,40} weigh)\b|\bwie schwer\b|\b(?:wie ?viel|was) wieg(?:t|en)\b/iu;
const WEIGHT = /\d\s?(?:k?g|kilos?|kilogramm?s?|gramm?s?|pfund|pounds?|lbs?|oz|ounces?|tonn?en?|t)(?!\p{L})/iu;
const ASKS_AGE = /\bhow old\b|\bwie alt\b/iu;
const AGE = pattern(
  'iu',
  String.raw`\b(?:1[89]|20)\d\d\b|\b(?:born|geboren)\b`,
  String.raw`|\d\s?-?(?:years?|months?|weeks?|days?|jahren?|monaten?|wochen?|tagen?)\b`,
);
const ASKS_NUMBER = pattern(
  'iu',
  String.raw`\bhow (?:much|old|tall|high|far|big|large|wide|heavy|fast)\b`,
  String.raw`|\bwie (?:viel|alt|hoch|weit|groß|breit|schwer)\b`,
);
const ASKS_PHONE = pattern(
  'iu',
  String.raw`\b(?:phone|telephone|what) number\b|\bnumber (?:of|for) (?:the|our|my) (?:.{1,30} )?`,
  String.raw`(?:\p{L}*line|service|desk|office|doctor|surgery|plumber|landlord|landlady|school|vet)\b`,
  String.raw`|\b(?:telefon|handy)nummer\b`,
  String.raw`|\bwho (?:do|should|can) (?:i|we) (?:call|ring)\b`,
);
/** A number with two decimals is taken for money: the rows of a price column name no currency. */
const PRICE = pattern(
  'iu',
  String.raw`[$€£¥]|\d[.,]\d\d(?![\d.,:]*\d)`,
  String.raw`|\d\s?(?:p|ct|cents?|euros?|dollars?|pounds?|pence|kr|kroner|eur|usd|gbp|chf|franken)\b`,
);
/** An amount can mean many things; these words mark one that somebody pays. */
const OF_PRICE = pattern(
  'iu',
  String.raw`^(?!.*\b(?:up to|bis|bis zu) [€£$]?\d).*(?:cost|price|fee|premium|charge|pa(?:y|id)|total|rent|bill|fine`,
  '|(?:per|an?|each|every) (?:month|year|hour|week|day|item)|amount|kost|preis|beitrag|beiträge|gebühr|prämie|miete',
  '|zahl|gesamt|abgebucht|im (?:monat|jahr)|tarif|betrag)',
);
const PRICE_OR_SHARE = pattern('iu', `${PRICE.source}|${String.raw`\d ?(?:%|percent\b|prozent\b)`}`);

const ASKS_HEIGHT = /\bhow (?:high|tall)\b|\bwie hoch\b/iu;
/** A figure with its unit: the height of a mountain, a bill or a rate. */
const MEASURED = pattern(
  'iu',
  `${PRICE.source}|${String.raw`\d\s?(?:%|percent|prozent|[ckm]?m|met(?:er|re)s?|f(?:ee|oo)?t)(?!\p{L})`}`,
);

/** Includes the form used in tables: "0:39 h". */
const LENGTH = String.raw`(?:(?:[\d.,½¼]+|an?|half|whole|several|${SMALL_NUMBER})[\s-](?:\p{L}+ )?)(?:${SPAN})`;
const SPAN_OF_TIME = pattern(
  'iu',
  `${word(LENGTH, OFTEN, DAY, 'until|till|solange|unbestimmte').source}|${String.raw`\d ?(?:min|h|std)\b`}`,
);

/** Which words ask for which form, the most specific first. */
const KINDS: readonly (readonly [asks: RegExp, answers: RegExp, strict?: 'strict'])[] = [
  [
    /\bhow (?:hot|warm|cold)\b|\bwhat temperature\b|\bwelche[rn]? temperatur\b|\bwie (?:heiß|warm|kalt)(?!\p{L})/iu,
    /°|\d\s?degrees|\d\s?grad\b/iu,
  ],
  [
    /^(?:(?:and|und) )?(?:(?:(?:until|till|from|by|at) )?what time|how late)\b|\bum wie ?viel uhr\b/iu,
    pattern(
      'iu',
      String.raw`\b\d{1,2}[:.]\d\d\b|\b\d{1,2} ?(?:am|pm|uhr|h|o'clock|(?:to|bis|-|–) ?\d{1,2})(?!\p{L})`,
      '|\\b(?:noon|midnight|mittag|mitternacht)',
    ),
  ],
  [/\bhow often\b|\bwie oft\b/iu, word(OFTEN, DAY, EACH)],
  [/\bhow (?:long|soon)\b|\bwie (?:lange|bald)\b/iu, SPAN_OF_TIME],
  [ASKS_PRICE, PRICE_OR_SHARE, 'strict'],
  [ASKS_WEIGHT, WEIGHT],
  [ASKS_HEIGHT, MEASURED],
  [ASKS_AGE, AGE],
  [/\bhow many\b|\bwie ?viele\b/iu, COUNT],
  [ASKS_NUMBER, NUMBER],
  [ASKS_PHONE, /\d{3}/u],
  [
    pattern(
      'iu',
      '^(?:(?:and|und) )?(?:(?:(?:until|till|since|from|by) )?when|what day|which day',
      String.raw`|(?:(?:ab|bis|seit) )?wann)\b`,
    ),
    pattern('iu', `${word(SPAN, OFTEN, DAY, MONTH, NOON).source}|${POINT_IN_TIME}`),
  ],
];

/** A clause number does not count as a figure: "(2) Pets are allowed". */
const CLAUSE = /^(?:\(\d{1,2}\)|§ ?\d{1,3}|\d{1,2}\.\d(?!\d)\.?)\s/u;
const COUNTED = /\b(?:how many|wie ?viele?n?) (?:\p{L}{2,20}e[nrs] )?(\p{L}{3,})/iu;
const MEASURES = pattern(
  'iu',
  String.raw`\d\s?(?:k?g|[cdm]?l|pounds?|ounces?|oz|lbs?|cups?|tins?|cans?|packs?|bunch(?:es)?|cloves?|tbsp|tsp|el|tl`,
  String.raw`|dosen?|packung(?:en)?|bund|pfund|prisen?|becher|stück|zehen?)(?: of)? ((?:\p{L}+ ?){1,3})`,
);

const UNIT_OF_TIME = new RegExp(`^${timeUnit}$`, 'iu');

/** "How many days" is not answered in weeks. */
function isOtherUnit(sentence: string, question: string): boolean {
  const asked = COUNTED.exec(question)?.[1] ?? '';
  return UNIT_OF_TIME.test(asked) && !tokens(sentence).some((token) => token.includes(stem(asked.toLowerCase())));
}

/** "2 kg of new potatoes" answers "how many potatoes". */
function isMeasured(sentence: string, question: string): boolean {
  const asked = COUNTED.exec(question)?.[1];
  const what = MEASURES.exec(sentence)?.[1];
  const [counted = ''] = tokens(asked ?? '').map(stem);
  return what !== undefined && tokens(what).map(stem).includes(counted);
}

/** @returns undefined when the question does not determine the form of its answer. */
export function expectedIn(question: string): Expected | undefined {
  for (const [asks, answers, strict] of KINDS) {
    const found = asks.exec(question);
    const fits = (sentence: string) =>
      (answers.test(sentence.replace(CLAUSE, '')) && !isOtherUnit(sentence, question)) ||
      isMeasured(sentence, question);
    const asking = found?.slice(1).find((part) => part !== undefined) ?? found?.[0];
    const tells = strict && { tells: (sentence: string) => fits(sentence) && OF_PRICE.test(sentence) };
    if (asking !== undefined) return { asking, fits, strict: strict !== undefined, ...tells };
  }
  for (const [asks, tells, isBelow = false] of TELLING) {
    const found = asks.exec(question);
    const asking = found?.slice(1).find((part) => part !== undefined) ?? '';
    if (found) return { asking, fits: () => true, tells: (sentence) => tells.test(sentence), isBelow };
  }
  if (ASKS_NAME.test(question)) return { asking: '', fits: (sentence) => hasName(sentence, question) };
  if (/^(?:und )?wie heiß(?:t|en)(?!\p{L})/iu.test(question))
    return {
      asking: '',
      fits: (sentence) => /\b[Hh](?:eiß(?:t|en)|ieß)|["„]|\bName/u.test(sentence) || hasPerson(sentence, question),
    };
  return ASKS_WHO.test(question) ? { asking: '', fits: (sentence) => hasPerson(sentence, question) } : undefined;
}

/** Only in English: a German noun is capitalized like a name. */
const ASKS_NAME = /^(?:and |so )?(?:who|whose|whom|to who|to whom)\b/iu;

/** The first word of a sentence is always capitalized. It is a name if a verb or another name follows it. */
const OPENING = /^\p{Lu}\p{L}*,? (?!\p{Lu}|\p{Ll}{2,}s\b|will\b|can\b|had\b|\p{Ll}+ed\b)/u;
/** An instruction after a colon is also capitalized: "No light: Replace the bulb". */
const ORDERED = /(?<=[:.] )\p{Lu}\p{Ll}+(?= (?:the|a|an|it|your)\b)/gu;
/** People by their role: "by the tenants". */
const ROLE =
  /(?<=\b(?:by|from|to|with) the )(?:tenant|caretaker|owner|manager|seller|buyer|driver|guest|member|parent)s?\b/giu;
/** Capitalized words that are not names of people: "September", "Two". */
const NO_NAME = pattern('iu', `^(?:${DAY}|${MONTH}|${SMALL_NUMBER})$`);

/** Whether a sentence names someone that the question does not: "Harbour Lettings Ltd". */
function hasName(sentence: string, question: string): boolean {
  const known = new Set(tokens(question).map(stem));
  const roles = sentence.match(ROLE) ?? [];
  if (roles.some((role) => !known.has(stem(role.toLowerCase())))) return true;
  const named =
    sentence
      .replace(OPENING, '')
      .replace(ORDERED, '')
      .match(/(?<!\p{L})\p{Lu}\p{L}+/gu) ?? [];
  return named
    .filter((name) => !NO_NAME.test(name))
    .flatMap(tokens)
    .some((token) => !STOP_WORDS.en.has(token) && !known.has(stem(token)));
}

const ASKS_WHO = /^(?:(?:und|also|aber) )?(?:(?:an|bei|für|mit|von|zu) )?we[rmn]\b/iu;
/** A title, the legal form of a firm, two names in a row, or a name after a role: "Kursleitung: Britta". */
const PERSON = pattern(
  'u',
  String.raw`(?<!\p{L})(?:Herrn?|Frau|Dr\.|Prof\.|Firma|Familie|Praxis|GmbH|AG|eG|KG|OHG|UG|e\. ?V\.)(?!\p{L})`,
  String.raw`|(?<!\p{L})(?!(?:${[
    'Der|Die|Das|Den|Dem|Ein|Eine|Im|In|Am|An|Bei|Vom|Von|Für|Zur|Zum|Mit|Nach|Auf|Ab|Bis|Seit|Vor|Aus|Um|Bitte',
    'Ihre?|Unsere?|Wir|Sie|Es|Er|Jede[rs]?|Alle|Diese[rs]?|Keine?|Seine?|Meine?',
  ].join('|')})\s)\p{Lu}\p{Ll}+ (?:von |van |de )?(?!Sie|Ihr)\p{Lu}\p{Ll}+`,
  String.raw`|: \p{Lu}\p{Ll}+`,
);
/** Or an occupation. */
const ACTING = pattern(
  'u',
  String.raw`(?<!\p{L})(?=\p{Lu})\p{L}*?(?:[Mm]ieter|[Vv]erwaltung|[Mm]eister|[Gg]eber|[Nn]ehmer|[Ll]eiter|[Hh]ändler`,
  '|[Ww]erker|[Kk]äufer|[Ee]igentümer|[Kk]asse|[Vv]ersicherung|[Ää]rztin|[Aa]rzt|[Ww]erkstatt|[Dd]ienst|[Bb]üro',
  String.raw`|[Tt]eam|[Bb]ehörde|[Aa]mt|[Ll]ehrer|[Ee]ltern|[Nn]achbar|[Bb]ank|[Ss]telle)(?:in|innen|s|n)?(?!\p{L})`,
);

/** The same for German, where every noun has a capital letter. */
function hasPerson(sentence: string, question: string): boolean {
  const known = new Set(tokens(question));
  const rest = sentence.replace(/[\p{L}\d]+/gu, (said) => (known.has(tokens(said)[0] ?? '') ? '' : said));
  return PERSON.test(rest) || ACTING.test(rest);
}
