import { pattern } from '../base/pattern.ts';
import { numberWord } from '../words/numbers.ts';
import { familiar } from './spoken-german.ts';

const START = pattern(
  'iu',
  '^(?:(?:(?:hey|hi|hello)(?: (?:there|again))?|yo|ok|okay|oh|ah|erm|hmm?|anyway|alright|right|so|well|please|pls',
  // "Um 9" is a time in German.
  `|um(?! (?:\\d|halb|viertel|punkt|${numberWord('de', 1, 12)}|mitternacht)\\b)`,
  '|wooster|assistant|kindly',
  String.raw`|hallo|bitte|du)\b`,
  String.raw`[\s,!.:]*`,
  '|(?:guten (?:morgen|tag|abend)|moin(?: moin)?|servus|grüß (?:dich|gott))(?: wooster)?(?:[,!.:]+ *| (?=(?:kannst',
  '|könntest|was|wie|wann|wo|wer|welche|erinnere?|setze?|schreibe?|notiere?|zeige?)\\b))',
  '|(?:moment|warte|sag|hör)(?: mal)?, ',
  '|(?:ach ja|ach so|achso|ach(?= und\\b)|übrigens|ähm|oh)[\\s,]+(?:bitte )?',
  String.raw`|(?:bitte )?vergiss (?:bitte )?nicht,? (?=mich\b.{1,300}\berinnern)`,
  "|(?:please )?(?:don't|do not) forget to (?=remind me )",
  '|by the way[, ]+|btw[, ]+|(?:actually|now|then|wait|hang on|hold on|first)[, ]+',
  '(?=(?:i|we|what|how|when|where|who|which|can|first',
  '|could|add|put|tick',
  String.raw`|take|note|remind|remove|i've|we've|i'm|that's)\b)`,
  String.raw`|(?:nvm|never ?mind)[,.]?\s+(?=\p{L}+ )`,
  String.raw`|also[, ]+(?=(?:remind|note|set|move|cancel|delete|can|could|what|how|when|where|who)\b)`,
  // In English it adds something: "also cheddar".
  String.raw`|also(?:,\s*|\s+(?=(?:was|wie|wann|wo|wer|wen|warum|welche\w?|bitte|ich|mach|setz|zeig|erinner)e?\b))`,
  '|(?:can|could|would|will) (?:you|u) (?:please |pls |kindly |maybe )?',
  "|i(?:'d| would) like (?:you )?to ",
  "|i (?:want|need) you to |(?:i'd|i would) like to know |do you know |(?:can|could) you tell me ",
  '|(?:please )?tell me (?=what|how|when|where|who|which|why|the time)',
  "|while (?:you|we)(?:'re| are) at it[, ]",
  '|(?:you|u) (?:can|may|could) (?:now )?(?=(?:cancel|delete|remove|drop|scrap|tick|cross|take|stop|add|put)\\b)',
  '|(?:nah|hmm+|ugh|mm+)[, ]+(?=\\p{L}+ )|let me know (?=what|how|when|where|who|which)',
  '|just |go ahead and |quick question[:,]? ',
  '|(?:kannst|könntest|koenntest|würdest|wuerdest|magst) du (?:mir |mich )?(?:bitte |mal |vielleicht |kurz )*',
  '(?:sagen|verraten),? |(?:kannst|könntest|koenntest|würdest|wuerdest|magst) du (?=mir|mich)',
  '|(?:kannst|könntest|koenntest|würdest|wuerdest|magst) du (?:bitte |mal |vielleicht |kurz )*',
  '|(?:können|könnten|koennten|würden|wuerden) sie (?:bitte |mal |vielleicht |kurz )*',
  '|(?:können|könnten|koennten|würden|wuerden) sie mir (?:bitte )?sagen,? ',
  '|weißt du,? |weisst du,? |ich (?:möchte|moechte|will|würde gerne?) (?:gerne? )?wissen,? ',
  '|sag mir (?:bitte |mal )*,?(?=was|wie|wann|wo|wer|welche|wieso|warum)|kurz ',
  `|mal (?!\\d|${numberWord('de', 2, 12)}\\b))`,
);
const END = pattern(
  'iu',
  String.raw`(?:[\s,]+(?:please|pls|thanks|thank you|thx|for me|wooster|bitte|danke|für mich|ja))+\s*[.!?]*$`,
);

/** At the start of a clause, as people type them; "its" and "were" are words of their own, and "im" is a German one. */
const WORDS = `what's how's when's where's who's that's there's i've you've we've they've you're they're let's don't
  didn't doesn't isn't aren't can't won't haven't hasn't`.split(/\s+/u);
const CONTRACTED = new Map(WORDS.map((word) => [word.replace("'", ''), word]));
const CLAUSE_START = /(?<=^|[,;?.!] )(?:im(?= (?:an?|not|out|at|going|the|running)\b)|\p{L}{4,6}(?= ))/giu;

/** "Whats" is "what's", "dont" is "don't". */
function withApostrophes(text: string): string {
  return text.replace(CLAUSE_START, (word) => {
    const whole = word.toLowerCase() === 'im' ? "i'm" : CONTRACTED.get(word.toLowerCase());
    return whole ?? word;
  });
}

/** Spoken forms where they can only be that: in questions and at the start, not in a text that is to be kept. */
const SPOKEN: readonly (readonly [RegExp, string])[] = [
  [/^(?=(?:what|when|where|who|how|do|did)\b)(.{1,60}?\b(?:i|we)(?:'ve)?) (?:gotta|got to)\b/iu, '$1 have to'],
  [/^(?=(?:what|when|where|who|how|do|did)\b)(.{1,60}?\b(?:i|we)) (?:wanna)\b/iu, '$1 want to'],
  [/^((?:i|we)(?:'ve)?) gotta\b/iu, '$1 have to'],
  [/^i'?ve have to\b/iu, 'i have to'],
  [
    pattern('iu', String.raw`\b(hours?|minutes?|days?|weeks?|\d|${numberWord('en', 2, 12)}) (?:n|an|&|'n'?) a half\b`),
    '$1 and a half',
  ],
  [
    /^((?:remind|wake|ping|alert|nudge) me(?: up)?) (\d{1,2}(?:[:.]\d\d)?) (?=(?:tonight|tomorrow|today|this|on)\b)/iu,
    '$1 at $2 ',
  ],
  [/\btmrw\b/iu, 'tomorrow'],
  [/^gimme\b/iu, 'give me'],
  [/^lemme\b/iu, 'let me'],
  [/^(?=(?:what|when|where|who|which|how)\b)(.+?),? (?:then|though|mate|exactly)(?=[?.! ]*$)/iu, '$1'],
];

function asWritten(text: string): string {
  return SPOKEN.reduce((written, [form, better]) => written.replace(form, better), text);
}

/** Politeness at the end is no longer than this. */
const END_CHARS = 200;

/** Take the politeness off both ends; a text that is nothing else stays as it is. */
export function withoutPoliteness(raw: string): string {
  let text = withApostrophes(raw.replace(/[’‘]/gu, "'").trim());
  for (let before = ''; before !== text; ) {
    before = text;
    const shorter = text.replace(START, '').trimStart();
    if (shorter !== '') text = shorter;
  }
  text = text.replace(/,? please(?=[:,])/iu, '');
  const shorter = `${text.slice(0, -END_CHARS)}${text.slice(-END_CHARS).replace(END, '')}`.trim();
  return familiar(asWritten(shorter === '' ? text : shorter));
}
