import { pattern } from '../../base/pattern.ts';
import { QUESTION_WORDS } from '../../words/question-words.ts';
import { oneOf } from '../../words/spelling.ts';

export type JobKind = 'reminder' | 'prompt';

/** A text that can only be a message. */
const MESSAGE = /^(?:reminder|erinnerung)\s*[:!]|^(?:time to|don['’]t forget|do not forget|zeit f|vergiss nicht)\b/iu;
/** Asks to be reminded, so the words themselves are wanted. Merely mentioning reminders is another request. */
const REMIND = pattern(
  'iu',
  String.raw`\b(?:remind (?:me|us)|be reminded|let me forget)\b`,
  String.raw`|\b(?:an?|another|new) (?:\w{1,20} )?reminder\b|^\s*reminder\b`,
  String.raw`|\berinner\w{0,2} (?:mich|uns)\b|\b(?:mich|uns)\b[^.?!\n]{1,80}\berinnern\b|\berinnert werden\b`,
  String.raw`|\beine (?:neue )?erinnerung\b|^\s*erinnerung\b`,
);
/** Somebody says what they themselves have to do. */
const DUTY = pattern(
  'iu',
  String.raw`\b(?:(?:i|we|i['’]ll) (?:have|need|ought)|(?:i|we)['’]ve got|i gotta) to`,
  String.raw` (?!know|see|hear|have|get|read|be)\b`,
  String.raw`|\b(?:i|we) (?:must|should) (?!know|see|hear|have|get|read|be)\b`,
  String.raw`|\btell (?:me|us)\b[^.?!\n]{0,60}\bto\b|\b(?:ich|wir) m(?:uss|üssen)\b`,
);
/** What an assistant does rather than a person. */
const WORK = pattern(
  'iu',
  String.raw`\b(?:look|sum|summari[sz]e|search|find|fetch|read|show|list|write|draft|plan|review|compare|tell|give`,
  '|send|notify|message|collect|gather|compile|create|generate|update|add|note|save|store|translate|count',
  '|calculate|compute|analy[sz]e|monitor|track|answer|say|post|scan|download|explain|suggest|recommend',
  '|choose|brief|log|record|check|go|sort|cluster|group|organi[sz]e|extract|convert|ask|query|test|remove',
  '|delete|archive|rename|copy|replace|is|are|was|were|does|did|has|if|me',
  '|such|suche|finde|lies|zeige?|schaue?|fasse?|schreibe?|erstelle?|sende|schicke?|prüfe?|übersetze?',
  '|vergleiche?|sammle|nenne?|sage?|gib|notiere?|berechne|plane?|ob|mir',
  `|${oneOf(QUESTION_WORDS.en, QUESTION_WORDS.de)}`,
  '|notes|journal|documents?|files?|folders?|pages?|web|internet|online|weather|forecast|news|headlines',
  '|e-?mails?|inbox|calendar|agenda|summary|summaries|reports?|briefing|digest|overview|poem|story|joke',
  '|prices?|rates?|status|project|notizen|dokumente?|dateien|wetter|nachrichten|schlagzeilen',
  String.raw`|zusammenfassung|bericht|überblick|kalender|tools?|scripts?|https?)\b`,
);
/** Several sentences. */
const SENTENCES = /[.?!]\s+\S/u;
/** A longer text says how something is to be done. */
const LONGEST_MESSAGE = 120;

/**
 * What is meant by a text for later, where a model has not said it: words to be delivered, or work to be done. Whatever
 * may be work is work; "Take your vitamins" is nothing that an assistant can do.
 *
 * @param request what the person asked for.
 */
export function likelyKind(text: string, request: string): JobKind {
  if (MESSAGE.test(text) || REMIND.test(request) || DUTY.test(request)) return 'reminder';
  const isMessage = text.length <= LONGEST_MESSAGE && !SENTENCES.test(text.trim()) && !WORK.test(text);
  return isMessage && !WORK.test(request.replace(/\b(?:ping|wake|nudge) me\b/giu, '')) ? 'reminder' : 'prompt';
}
