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
const DONE = '^(?:done|ok|okay|all set|sure|certainly|great|perfect|got it)[ !.,:—-]+';

/** Sentences that say something has happened, in English and German. */
const CLAIMS: readonly Claims[] = [
  {
    deed: 'sent',
    patterns: [
      new RegExp(
        `\\b${ME} (?:sent|e-?mailed|messaged|notified|texted|posted|forwarded|pinged|delivered|replied|told)\\b`,
        'iu',
      ),
      new RegExp(
        `\\b${THING}(?:message|notification|notice|e-?mail|mail|text|reply|summary|report|alert|ping)s? ${IS} (?:sent|delivered|posted|forwarded|on (?:its|the) way)\\b`,
        'iu',
      ),
      new RegExp(`(?:${DONE}|^)(?:it )?(?:sent|delivered|posted|notified|e-?mailed)\\b`, 'iu'),
      /\b(?:it|this|that) (?:was|has been|is) (?:sent|delivered|posted) to\b/iu,
      /\bich habe?\b.*\b(?:gesendet|geschickt|verschickt|versendet|benachrichtigt|gepostet|weitergeleitet)\b/iu,
      /\b(?:nachricht|mail|benachrichtigung|mitteilung)\b.*\bwurde\b.*\b(?:gesendet|geschickt|verschickt|versendet|zugestellt)\b/iu,
    ],
  },
  {
    deed: 'saved',
    patterns: [
      new RegExp(
        `\\b${ME} (?:saved|stored|written|wrote|noted|recorded|added|appended|created|updated|put|jotted|logged)\\b`,
        'iu',
      ),
      new RegExp(
        `\\b${THING}(?:note|file|entry|journal|document|list|draft|memo)s? ${IS} (?:saved|stored|written|noted|recorded|added|appended|created|updated)\\b`,
        'iu',
      ),
      new RegExp(`(?:${DONE}|^)(?:it )?(?:saved|noted|stored|recorded|written|added)\\b`, 'iu'),
      /\b(?:it|this|that) (?:was|has been|is) (?:saved|noted|stored|written|added) (?:to|in|as)\b/iu,
      /\bich habe?\b.*\b(?:gespeichert|notiert|geschrieben|hinzugefügt|eingetragen|angelegt|aufgeschrieben|vermerkt)\b/iu,
      /\b(?:notiz|datei|eintrag|dokument|liste)\b.*\bwurde\b.*\b(?:gespeichert|geschrieben|angelegt|erstellt|hinzugefügt)\b/iu,
    ],
  },
  {
    deed: 'scheduled',
    patterns: [
      new RegExp(
        `\\b${ME} (?:scheduled|set up|set|planned|booked|arranged|queued)\\b.*\\b(?:reminders?|alarms?|jobs?|tasks?|schedules?|timers?|for|at|every|daily|weekly)\\b`,
        'iu',
      ),
      new RegExp(
        `\\b${THING}(?:reminder|alarm|job|task|schedule|timer)s? ${IS} (?:set|scheduled|created|active|in place|set up)\\b`,
        'iu',
      ),
      new RegExp(`(?:${DONE}|^)(?:it )?(?:scheduled|reminder set)\\b`, 'iu'),
      /\b(?:i'll|i will|i shall) (?:remind|ping|notify|message|wake|alert) you\b/iu,
      /\bich habe?\b.*\b(?:geplant|eingeplant|angesetzt|terminiert)\b|\berinnerung\b.*\b(?:gesetzt|eingerichtet|erstellt|angelegt|gestellt)\b|\bich (?:werde dich|erinnere dich)\b.*\b(?:erinnern|an)\b/iu,
    ],
  },
  {
    deed: 'deleted',
    patterns: [
      new RegExp(`\\b${ME} (?:deleted|removed|erased|cancelled|canceled|cleared|wiped|dropped)\\b`, 'iu'),
      new RegExp(
        `\\b${THING}(?:note|file|entry|reminder|job|task|schedule|list|document)s? ${IS} (?:deleted|removed|erased|cancelled|canceled|cleared)\\b`,
        'iu',
      ),
      new RegExp(`(?:${DONE}|^)(?:it )?(?:deleted|removed|erased|cancell?ed)\\b`, 'iu'),
      /\bich habe?\b.*\b(?:gelöscht|entfernt|abgesagt|storniert)\b/iu,
      /\b(?:notiz|datei|eintrag|erinnerung|termin)\b.*\bwurde\b.*\b(?:gelöscht|entfernt)\b/iu,
    ],
  },
];

/** Words of sentences about what did not happen, may happen or is asked. */
const UNREAL =
  /\b(?:not|never|no|nothing|can't|cannot|couldn't|unable|failed|fail|didn't|don't|hasn't|haven't|wasn't|weren't|isn't|won't|if|once|unless|would|could|should|may|might|can|let me|shall|want me|when you|until|before|nicht|nie|kein|keine|konnte|könnte|wenn|falls|soll|sollte|würde|kann)\b/iu;
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
