import type { EffectRow } from '../../store/schema.ts';

/** What an answer can claim to have done. */
type Deed = 'sent' | 'saved' | 'scheduled' | 'deleted';

interface Claims {
  readonly deed: Deed;
  readonly patterns: readonly RegExp[];
}

const ME = "(?:i|i've|i have|we|we've|we have)(?: (?:just|now|also|already|then|successfully|gone ahead and))*";
const THING = '(?:(?:the|your|a|an|this|that|my) )?(?:[\\w-]+ ){0,3}?';
const IS = "(?:is|are|was|were|has been|have been|got|'s been)(?: (?:now|just|also|already|successfully))*";
/** One of these words or phrases; a list is in lines only because it is long. */
const any = (...lines: readonly string[]) => `(?:${lines.join('|')})`;
const claim = (...pieces: readonly string[]) => new RegExp(pieces.join(''), 'iu');
const DONE = '^(?:done|ok|okay|all set|sure|certainly|great|perfect|got it)[ !.,:—-]+';

/** Sentences that say something has happened, in English and German. */
const CLAIMS: readonly Claims[] = [
  {
    deed: 'sent',
    patterns: [
      claim(`\\b${ME} (?:sent|e-?mailed|messaged|notified|texted|posted|forwarded|pinged|delivered|replied|told)\\b`),
      claim(
        `\\b${THING}${any('message|notification|notice|e-?mail|mail|text|reply|summary|report|alert|ping')}s? ${IS} `,
        `${any('sent|delivered|posted|forwarded|on (?:its|the) way')}\\b`,
      ),
      claim(`(?:${DONE}|^)(?:it )?(?:sent|delivered|posted|notified|e-?mailed)\\b`),
      /\b(?:it|this|that) (?:was|has been|is) (?:sent|delivered|posted) to\b/iu,
      /\bich habe?\b.*\b(?:gesendet|geschickt|verschickt|versendet|benachrichtigt|gepostet|weitergeleitet)\b/iu,
      claim(
        `\\b${any('nachricht|mail|benachrichtigung|mitteilung')}\\b.*\\bwurde\\b.*`,
        `\\b${any('gesendet|geschickt|verschickt|versendet|zugestellt')}\\b`,
      ),
    ],
  },
  {
    deed: 'saved',
    patterns: [
      claim(
        `\\b${ME} (?:saved|stored|written|wrote|noted|recorded|added|appended|created|updated|put|jotted|logged)\\b`,
      ),
      claim(
        `\\b${THING}${any('note|file|entry|journal|document|list|draft|memo')}s? ${IS} `,
        `${any('saved|stored|written|noted|recorded|added|appended|created|updated')}\\b`,
      ),
      claim(`(?:${DONE}|^)(?:it )?(?:saved|noted|stored|recorded|written|added)\\b`),
      /\b(?:it|this|that) (?:was|has been|is) (?:saved|noted|stored|written|added) (?:to|in|as)\b/iu,
      claim(
        '\\bich habe?\\b.*',
        `\\b${any('gespeichert|notiert|geschrieben|hinzugefügt|eingetragen|angelegt|aufgeschrieben|vermerkt')}\\b`,
      ),
      claim(
        `\\b${any('notiz|datei|eintrag|dokument|liste')}\\b.*\\bwurde\\b.*`,
        `\\b${any('gespeichert|geschrieben|angelegt|erstellt|hinzugefügt')}\\b`,
      ),
    ],
  },
  {
    deed: 'scheduled',
    patterns: [
      claim(
        `\\b${ME} ${any('scheduled|set up|set|planned|booked|arranged|queued')}\\b.*`,
        `\\b${any('reminders?|alarms?|jobs?|tasks?|schedules?|timers?|for|at|every|daily|weekly')}\\b`,
      ),
      claim(
        `\\b${THING}${any('reminder|alarm|job|task|schedule|timer')}s? ${IS} `,
        `${any('set|scheduled|created|active|in place|set up')}\\b`,
      ),
      claim(`(?:${DONE}|^)(?:it )?(?:scheduled|reminder set)\\b`),
      /\b(?:i'll|i will|i shall) (?:remind|ping|notify|message|wake|alert) you\b/iu,
      /\bich habe?\b.*\b(?:geplant|eingeplant|angesetzt|terminiert)\b/iu,
      /\berinnerung\b.*\b(?:gesetzt|eingerichtet|erstellt|angelegt|gestellt)\b/iu,
      /\bich (?:werde dich|erinnere dich)\b.*\b(?:erinnern|an)\b/iu,
    ],
  },
  {
    deed: 'deleted',
    patterns: [
      claim(`\\b${ME} (?:deleted|removed|erased|cancelled|canceled|cleared|wiped|dropped)\\b`),
      claim(
        `\\b${THING}${any('note|file|entry|reminder|job|task|schedule|list|document')}s? ${IS} `,
        `${any('deleted|removed|erased|cancelled|canceled|cleared')}\\b`,
      ),
      claim(`(?:${DONE}|^)(?:it )?(?:deleted|removed|erased|cancell?ed)\\b`),
      /\bich habe?\b.*\b(?:gelöscht|entfernt|abgesagt|storniert)\b/iu,
      /\b(?:notiz|datei|eintrag|erinnerung|termin)\b.*\bwurde\b.*\b(?:gelöscht|entfernt)\b/iu,
    ],
  },
];

/** Words of sentences about what did not happen, may happen or is asked. */
const UNREAL = claim(
  '\\b',
  any(
    "not|never|no|nothing|can't|cannot|couldn't|unable|failed|fail|didn't|don't",
    "hasn't|haven't|wasn't|weren't|isn't|won't",
    'if|once|unless|would|could|should|may|might|can|let me|shall|want me|when you|until|before',
    'nicht|nie|kein|keine|konnte|könnte|wenn|falls|soll|sollte|würde|kann',
  ),
  '\\b',
);
/** A claim about the past may be true of an earlier turn. */
const EARLIER =
  /\b(?:already|earlier|before|previous(?:ly)?|yesterday|last|ago|bereits|schon|gestern|vorhin|früher)\b/iu;
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
    const claims = CLAIMS.filter(({ patterns }) => patterns.some((pattern) => pattern.test(sentence)));
    if (claims.length === 0 || UNREAL.test(sentence) || sentence.endsWith('?')) return false;
    const effects = EARLIER.test(sentence) ? [...deeds.conversation, ...deeds.turn] : deeds.turn;
    const done = new Set(effects.flatMap(deedsOf));
    return !claims.some(({ deed }) => done.has(deed));
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
    .replace(/^\s*>.*$/gmu, ' ')
    .replace(/[“"„«][^”"“»\n]{0,500}[”"“»]/gu, ' … ')
    .replaceAll('’', "'")
    .split(/(?<=[.!?])\s+|\n+/u)
    .map((sentence) => sentence.replace(/^(?:[\s*#\d.)-]|\p{Extended_Pictographic}|\uFE0F)+/u, '').trim())
    .filter((sentence) => sentence !== '');
}
