import { pattern } from '../base/pattern.ts';

/** What is run together or cut short in speech, and what it stands for. */
const SHORT: readonly (readonly [RegExp, string])[] = (
  [
    ['hab', 'habe'],
    ['brauch', 'brauche'],
    ['muß', 'muss'],
    ["(?:is|ist)(?:'?s|s?es| et)", 'ist es'],
    ['is', 'ist'],
    ['wieviel uhr', 'wie viel uhr'],
    ['wie ?viel(?= (?:tage|wochen|monate|jahre|stunden|minuten|nächte|werktage|arbeitstage)(?!\\p{L}))', 'wie viele'],
    ['sin', 'sind'],
    ["(gibt|geht|wird|sind|hat|war|macht)'?s", '$1 es'],
    ['(kann|mach|will|brauch)ste', '$1st du'],
    ['haste', 'hast du'],
    ["'?ne", 'eine'],
    ["'?nen", 'einen'],
    ["'?ner", 'einer'],
    ["'?nem", 'einem'],
    ['n', 'ein'],
    ['rauf', 'drauf'],
    ['(?<!\\d ?|viele? )(?:grad|grade)', 'gerade'],
    ['nix', 'nichts'],
    ['(?:ueber|übern)', 'über'],
    ['fuer', 'für'],
    ['(?:to|tu)[ -]?do[ -]liste', 'todo-liste'],
    ['(einkaufs|pack|wunsch|lese|aufgaben) liste', '$1liste'],
    ['(?:dem|meinem|unserem) (einkaufs|merk|pack)zettel', 'der $1liste'],
    ['(?:(?:den|meinen|unseren) )?(einkaufs|merk|pack)zettel', 'die $1liste'],
    ['(?:erinnerungs|termin)liste', 'erinnerungen'],
  ] as const
).map(([said, meant]) => [new RegExp(`(?<![\\p{L}\\d'-])${said}(?![\\p{L}'-])`, 'giu'), meant]);

/** Little words that change nothing about what is asked for. */
const FILLERS = pattern(
  'giu',
  String.raw`(?<![\p{L}-])(?:mal|ma|bitte|bidde|pls|eigentlich|denn|doch|nochmal|noch mal|nochmals|noch einmal|nochma`,
  '|eben|kurz|schnell|einfach|halt|gerade|vielleicht|wieder|überhaupt|insgesamt|ungefähr|etwa|genau|so|ja',
  String.raw`|schon mal|gern|gerne|also|jetzt)(?![\p{L}-])`,
);

/** Imperatives that are not the infinitive without its ending. */
const IRREGULAR: Readonly<Record<string, string>> = {
  nehmen: 'nimm',
  geben: 'gib',
  lesen: 'lies',
  werfen: 'wirf',
  vergessen: 'vergiss',
  rechnen: 'rechne',
  öffnen: 'öffne',
  ändern: 'ändere',
  erinnern: 'erinnere',
};

/** What stands apart from its verb in a main clause: "nimm Mehl runter". */
const APART = pattern(
  'iu',
  '^(?<prefix>herunter|runter|heraus|raus|hinzu|dazu|drauf|rauf|rein|weg|ab|auf|aus|ein|um|vor|an|zurück|durch|nach)',
  String.raw`(?<verb>\p{L}{3,}e?n)$`,
);
/** Verbs that ask Wooster for something; any other infinitive is a task of the person's own. */
const ASKED_FOR = pattern(
  'iu',
  '^(?:an|ab|auf|aus|durch|ein|um|vor|weg|hinzu|dazu|drauf|rauf|rein|raus|runter|herunter|heraus)?(?:setzen|schreiben',
  '|schieben|ziehen|packen|legen|tun|nehmen|streichen',
  '|löschen|entfernen|haken|notieren|merken|zeigen|nennen|lesen|verschieben|verlegen',
  '|ändern|stellen|benennen|stornieren|absagen|planen|erstellen|machen|fügen|schmeißen|werfen|tragen|suchen|finden',
  '|sagen|geben|leeren|rechnen|erinnern|wecken|schicken|canceln|stoppen|beenden|schalten|vorlesen)$',
);
/** "Die Jacke kostet 129 Euro. Was zahle ich?" is one question. */
const NEW_SENTENCE = /[.;!] +(?=(?:was|wie|wie ?viele?|wann|wo|wer|welche[rsn]?|und wie|und was)\b)/giu;
const MODAL = '(?:kannst|könntest|koenntest|würdest|wuerdest|magst|darfst|sollst|können|könnten|würden) (?:du|sie)';
/** "Die Mülltonne kannst du streichen". */
const OBJECT_FIRST = new RegExp(`^(?<object>.+?),? ${MODAL} (?<rest>.+)$`, 'iu');
/** "Könnten Sie Milch aufschreiben", "ich möchte Yoga verschieben". */
const MODAL_FIRST = pattern(
  'iu',
  `^(?:${MODAL}|ich (?:möchte|moechte|will|würde|hätte|muss)|lass uns|wir (?:wollen|möchten)) (?<rest>.+)$`,
);
/** "Setzen Sie Milch auf die Liste". */
const POLITE = /^(?<verb>\p{L}{2,}n) sie (?<self>sich )?(?:bitte |doch |mal )*(?<rest>.+)$/isu;

/**
 * A German request as it is typed to a friend or said to a stranger, in the words that phrases are written in: without
 * fillers, with "habe" for "hab", "zeig" for "zeigen Sie", and a command for "kannst du ... aufschreiben". What stands
 * behind a colon or in quotation marks is kept.
 */
export function spokenGerman(text: string): string[] {
  const [head = '', tail = ''] = split(text);
  const joined = head.replace(NEW_SENTENCE, ', ');
  const plain = squeeze(SHORT.reduce((said, [short, meant]) => said.replace(short, meant), joined));
  const without = squeeze(plain.replace(FILLERS, ' '));
  return [...new Set([plain, without, command(without)])]
    .filter((way) => way !== '')
    .map((way) => `${way}${tail}`)
    .filter((way) => way !== text);
}

/** "Setzen Sie Milch auf die Liste" as "setz Milch auf die Liste"; other requests stay as they are. */
export function familiar(text: string): string {
  const { verb = '', self, rest } = POLITE.exec(text)?.groups ?? {};
  return ASKED_FOR.test(verb) ? `${imperative(verb)} ${self ? 'dir ' : ''}${rest}` : text;
}

const squeeze = (text: string) =>
  text
    .replace(/\s+/gu, ' ')
    .replace(/ (?=[,.!?:])/gu, '')
    .replace(/^[\s,]+|(?<!\s)\s+$/gu, '');

/** What is asked for, and what is to be kept word for word. */
function split(text: string): readonly [head: string, tail: string] {
  const at = text.search(/:(?=\s)|["“„«]/u);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

function command(text: string): string {
  const { object, rest: behind } = OBJECT_FIRST.exec(text)?.groups ?? {};
  const asked = object === undefined ? (MODAL_FIRST.exec(text)?.groups?.rest ?? text) : `${object} ${behind}`;
  return verbFirst(asked) ?? asked;
}

/** "Muss ich die Fenster streichen" asks what is to be done, and "wann darf man sie streichen" when. */
const OF_DUTY = pattern(
  'iu',
  '^(?:(?:wann|warum|wieso|wie oft|womit) )?(?:muss|müssen|soll|sollen|sollte|darf|dürfen) (?:ich|wir|man)\\b',
  '|^(?:bis|ab|seit) wann\\b',
);

/** "Mehl runternehmen" as "nimm Mehl runter". */
function verbFirst(text: string): string | undefined {
  const { object = '', last = '' } = /^(?<object>.+) (?<last>\p{L}+n)$/u.exec(text)?.groups ?? {};
  if (!ASKED_FOR.test(last) || OF_DUTY.test(object)) return undefined;
  const { prefix, verb } = APART.exec(last)?.groups ?? {};
  return prefix === undefined || verb === undefined
    ? `${imperative(last)} ${object}`
    : `${imperative(verb)} ${object} ${prefix}`;
}

function imperative(infinitive: string): string {
  const verb = infinitive.toLowerCase();
  return IRREGULAR[verb] ?? verb.replace(/e?n$/u, '');
}
