import type { EffectRow } from '../../store/schema.ts';
import { weekday } from '../../words/weekdays.ts';

/** What an answer can claim to have done. */
type Deed = 'sent' | 'saved' | 'scheduled' | 'deleted';

/** Patterns that a sentence has to contain one after the other: together they are one claim. */
type Sequence = readonly RegExp[];

interface Claims {
  readonly deed: Deed;
  readonly claims: readonly Sequence[];
}

const ME = "(?:i|i've|i have|we|we've|we have)(?: (?:just|now|also|already|then|successfully|gone ahead and))*";
const IS = "(?:is|are|was|were|has been|have been|got|'s been)(?: (?:now|just|also|already|successfully))*";
/** An alternation of these words or phrases; several arguments only keep the lines short. */
const any = (...lines: readonly string[]) => `(?:${lines.join('|')})`;
/**
 * Parts of a claim that may stand far apart. They are looked for one after the other, since one pattern with `.*` would
 * try every combination of places.
 */
const claim = (...parts: readonly string[]): Sequence => parts.map((part) => new RegExp(part, 'giu'));
const DONE = '^(?:done|ok|okay|all set|sure|certainly|great|perfect|got it)[ !.,:—-]+';
const CHANGED = any(
  'changed|edited|replaced|renamed|moved|rescheduled|postponed|pushed back|brought forward|corrected|adjusted',
);
/** A time, a number or a path; "moved to Berlin" is what somebody did. */
const NEW_VALUE = any(
  '\\S{0,100}\\d|\\S{1,100}[./]\\w|next\\b|noon\\b|midnight\\b|today\\b|tomorrow\\b',
  `${weekday('en')}\\b`,
);
const I_HAVE = '\\bich habe?\\b';

/** Sentences that say something has happened, in English and German. */
const CLAIMS: readonly Claims[] = [
  {
    deed: 'sent',
    claims: [
      claim(`\\b${ME} (?:sent|e-?mailed|messaged|notified|texted|posted|forwarded|pinged|delivered|replied|told)\\b`),
      claim(
        `\\b${any('message|notification|notice|e-?mail|mail|text|reply|summary|report|alert|ping')}s? ${IS} ` +
          `${any('sent|delivered|posted|forwarded|on (?:its|the) way')}\\b`,
      ),
      claim(`(?:${DONE}|^)(?:it )?(?:sent|delivered|posted|notified|e-?mailed)\\b`),
      claim('\\b(?:it|this|that) (?:was|has been|is) (?:sent|delivered|posted) to\\b'),
      claim(I_HAVE, '\\b(?:gesendet|geschickt|verschickt|versendet|benachrichtigt|gepostet|weitergeleitet)\\b'),
      claim(
        `\\b${any('nachricht|mail|benachrichtigung|mitteilung')}\\b`,
        '\\bwurde\\b',
        `\\b${any('gesendet|geschickt|verschickt|versendet|zugestellt')}\\b`,
      ),
    ],
  },
  {
    deed: 'saved',
    claims: [
      claim(
        `\\b${ME} ` +
          '(?:saved|stored|written|wrote|noted|recorded|added|appended|created|updated|put|jotted|logged)\\b',
      ),
      claim(`\\b${ME} ${CHANGED}\\b(?! (?:my|our) mind| on\\b)`),
      claim(`(?:${DONE}|^)(?:it )?${CHANGED}(?=[.:!,]|$| it\\b| (?:to|from) ${NEW_VALUE})`),
      claim('^(?:done|all set)[ !.,:—-]+', '\\b(?:is|are|reads|says) now\\b'),
      claim("\\b(?:i'll|i will|i shall) (?:remember|keep in mind) that\\b"),
      claim(
        `\\b${any('note|file|entry|journal|document|list|draft|memo')}s? ${IS} ` +
          `${any('saved|stored|written|noted|recorded|added|appended|created|updated')}\\b`,
      ),
      claim(`(?:${DONE}|^)(?:it )?(?:saved|noted|stored|recorded|written|added)\\b`),
      claim('\\b(?:it|this|that) (?:was|has been|is) (?:saved|noted|stored|written|added) (?:to|in|as)\\b'),
      claim(
        I_HAVE,
        `\\b${any(
          'gespeichert|notiert|geschrieben|hinzugefügt|eingetragen|angelegt|aufgeschrieben|vermerkt',
          'geändert|verschoben|verlegt|ersetzt|umbenannt|bearbeitet|korrigiert|aktualisiert',
        )}\\b`,
      ),
      claim(
        `\\b${any('notiz|datei|eintrag|dokument|liste')}\\b`,
        '\\bwurde\\b',
        `\\b${any('gespeichert|geschrieben|angelegt|erstellt|hinzugefügt')}\\b`,
      ),
    ],
  },
  {
    deed: 'scheduled',
    claims: [
      claim(
        `\\b${ME} ${any('scheduled|set up|set|planned|booked|arranged|queued')}\\b`,
        `\\b${any('reminders?|alarms?|jobs?|tasks?|schedules?|timers?|for|at|every|daily|weekly')}\\b`,
      ),
      claim(
        `\\b${any('reminder|alarm|job|task|schedule|timer')}s? ${IS} ` +
          `${any('set|scheduled|created|active|in place|set up|moved|rescheduled|postponed|changed')}\\b`,
      ),
      claim(`\\b${any('reminder|alarm|job|task|timer')}s? (?:is|are|comes?) now (?:on|at|for|due)\\b`),
      claim('\\berinnerung\\b', '\\b(?:ist|kommt) (?:jetzt|nun)\\b'),
      claim(`(?:${DONE}|^)(?:it )?(?:scheduled|reminder set)\\b`),
      claim("\\b(?:i'll|i will|i shall) (?:remind|ping|notify|message|wake|alert) you\\b"),
      claim(I_HAVE, '\\b(?:geplant|eingeplant|angesetzt|terminiert)\\b'),
      claim('\\berinnerung\\b', '\\b(?:gesetzt|eingerichtet|erstellt|angelegt|gestellt)\\b'),
      claim('\\bich (?:werde dich|erinnere dich)\\b', '\\b(?:erinnern|an)\\b'),
    ],
  },
  {
    deed: 'deleted',
    claims: [
      claim(`\\b${ME} (?:deleted|removed|erased|cancelled|canceled|cleared|wiped|dropped)\\b`),
      claim(
        `\\b${any('note|file|entry|reminder|job|task|schedule|list|document')}s? ${IS} ` +
          `${any('deleted|removed|erased|cancelled|canceled|cleared')}\\b`,
      ),
      claim(`(?:${DONE}|^)(?:it )?(?:deleted|removed|erased|cancell?ed)\\b`),
      claim(I_HAVE, '\\b(?:gelöscht|entfernt|abgesagt|storniert)\\b'),
      claim('\\b(?:notiz|datei|eintrag|erinnerung|termin)\\b', '\\bwurde\\b', '\\b(?:gelöscht|entfernt)\\b'),
    ],
  },
];

/** Words of sentences about what did not happen, may happen or is asked. */
const UNREAL = new RegExp(
  `\\b${any(
    "not|never|no|nothing|can't|cannot|couldn't|unable|failed|fail|didn't|don't",
    "hasn't|haven't|wasn't|weren't|isn't|won't",
    'if|once|unless|would|could|should|may|might|can|let me|shall|want me|when you|until|before',
    'nicht|nie|kein|keine|konnte|könnte|wenn|falls|soll|sollte|würde|kann',
  )}\\b`,
  'iu',
);
/** A claim about the past may refer to an earlier turn. */
const EARLIER =
  /\b(?:already|earlier|before|previous(?:ly)?|yesterday|last|ago|bereits|schon|gestern|vorhin|früher)\b/iu;
/** Says how something is now, which it may be since an earlier turn. */
const STATE = /\b(?:is|are|comes?|ist|kommt) (?:now|jetzt|nun)\b/iu;
/** How the notify tools report a message that is still in the outbox. */
const UNCONFIRMED = /not sent yet|queued/iu;

/** What was really done, from the effect ledger. */
export interface Deeds {
  readonly turn: readonly EffectRow[];
  /** Of earlier turns: what an answer may call "already" done. */
  readonly conversation: readonly EffectRow[];
}

/**
 * The sentences of an answer that claim something was sent, saved, scheduled or deleted although the turn has no such
 * effect. It goes by patterns alone, so it can miss a claim; every sentence it returns is one without an effect.
 */
export function unsupportedClaims(answer: string, deeds: Deeds): string[] {
  return sentencesOf(answer).filter((sentence) => {
    const made = CLAIMS.filter(({ claims }) => claims.some((sequence) => contains(sentence, sequence)));
    if (made.length === 0 || UNREAL.test(sentence) || sentence.endsWith('?')) return false;
    const isEarlier = EARLIER.test(sentence);
    const earlier = deeds.conversation.filter((effect) => isEarlier || tells(effect, sentence));
    const effects = [...earlier, ...deeds.turn];
    const done = new Set(effects.flatMap(deedsOf));
    return !made.some(({ deed }) => done.has(deed));
  });
}

/** As `unsupportedClaims`, by a turn's ledger, which is read only where something is claimed. */
export async function claimsWithoutDeeds(
  answer: string,
  ledger: { list(): Promise<readonly EffectRow[]>; earlier(): Promise<readonly EffectRow[]> },
): Promise<string[]> {
  if (unsupportedClaims(answer, { turn: [], conversation: [] }).length === 0) return [];
  return unsupportedClaims(answer, { turn: await ledger.list(), conversation: await ledger.earlier() });
}

/** Whether a call of an earlier turn led to the stated state, judged by all times and names in the sentence. */
function tells({ result }: EffectRow, sentence: string): boolean {
  const said = sentence.split(STATE).slice(1).flatMap(wordsOf);
  const known = new Set(wordsOf(result ?? ''));
  return said.length > 0 && said.every((word) => known.has(word));
}

/** Numbers and capitalised words: days, months, names. */
function wordsOf(text: string): string[] {
  return (text.match(/\d+|\p{Lu}\p{L}+/gu) ?? []).map((word) => word.replace(/^0(?=\d)/u, ''));
}

function contains(sentence: string, sequence: Sequence): boolean {
  let from = 0;
  return sequence.every((part) => {
    part.lastIndex = from;
    const found = part.test(sentence);
    from = part.lastIndex;
    return found;
  });
}

function deedsOf({ state, effect, change, result }: EffectRow): Deed[] {
  if (state !== 'done') return [];
  // A plugin's outbound tool may send, save, book or delete elsewhere; nothing but its own words tells which.
  if (effect === 'outbound') return UNCONFIRMED.test(result ?? '') ? [] : ['sent', 'saved', 'scheduled', 'deleted'];
  if (change === 'schedule') return ['scheduled', 'saved'];
  if (change === 'delete') return ['deleted', 'saved'];
  return ['saved'];
}

/** The sentences of an answer without code and quotations, which are not claims, and without list markers. */
function sentencesOf(answer: string): string[] {
  return answer
    .replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`/gu, ' ')
    .replace(/^[ \t]*>.*/gmu, '')
    .replace(/[“"„«][^”"“„«»\n]{0,500}[”"“»]/gu, ' … ')
    .replaceAll('’', "'")
    .split(/(?<=[.!?])\s|\n/u)
    .map((sentence) => sentence.replace(/^(?:[\s*#\d.)-]|\p{Extended_Pictographic}|\uFE0F)+/u, '').trim());
}
