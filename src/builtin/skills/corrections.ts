import { pattern } from '../../base/pattern.ts';
import { addToDate, localDate } from '../../when/calendar.ts';
import { withMinutes } from '../../when/choose.ts';
import { findTime } from '../../when/find.ts';
import { phrases } from '../phrases.ts';
import { act, ask, type Intent, type Skill, type UserRequest } from '../request.ts';
import { jobJustMade, jobTalkedAbout } from './job-talked-about.ts';
import { LENGTH, LENGTH_EN } from './schedule-phrases.ts';
import { later, sayMoved } from './schedules.ts';
import { clean, holdsTask } from './task-words.ts';
import { cancelled } from './which-reminder.ts';

const CORRECTION = phrases({
  en: [
    `[no|nope|sorry|oh|oops|ok|okay|actually|and|but] [no|please|wait] (make|set|move|change|put|push)
      (it|that|this|them) [back] [to|for|until] {when} [instead|rather]`,
    `(no|nope|sorry|oh|oops|actually|wait|hang on) [no|sorry|actually|wait] [better|rather|i meant|i mean|i said]
      {when}`,
    '(better|rather|i meant|i mean) {when}',
    "[or|let's|i'd] say {when} [instead]",
    '{when} (instead|rather)',
  ],
  de: [
    `[nein|ach|ah|doch|sorry|und|aber] [nein|bitte] (mach|mache|leg[e]|verleg[e]|verschieb[e]|setz[e]|änder[e]|stell[e])
      (es|das|sie|ihn|den|die) [bitte] [doch|lieber|besser] [auf] {when}`,
    `[nein|ach|doch|und|aber] [nein|bitte] (mach|mache) [doch|lieber|besser|bitte] {when} [doch|lieber|besser]
      (daraus|draus)`,
    '[nein|ach|doch|und|aber] [nein|bitte] (mach|mache) (daraus|draus) [doch|lieber|besser|bitte] {when}',
    '(nein|ach|ah|doch|sorry|moment) [nein|doch|sorry] [lieber|besser|eher|ich meine|ich meinte] {when}',
    '(lieber|besser|eher|ich meinte|ich meine) [doch] {when}',
    '(doch|dann) (lieber|besser|eher) {when}',
    '(geht|ginge) (das|es) [denn] auch [noch|vielleicht] {when}',
  ],
});
/** In front of a correction, besides what its phrases have. */
const SIGH = /^(?:(?:ach|oh|ah|nee|ne|nö|nein|ups|quatsch|halt|moment|hm+)\b[,.!]? +)+/iu;
/** By how much: "und verschieb es um einen Tag". Forward is earlier for one who brings, and may be either otherwise. */
const SHIFT = phrases({
  en: [
    `LEAD (move|push|shift|put|set|bring) (it|that|this) [back|off] [by] {length:LENGTH}
      [later|back|{sooner:earlier|sooner}]`,
    'LEAD (bring|pull) (it|that|this) {sooner:forward|up} [by] {length:LENGTH}',
    'LEAD (bring|pull) (it|that|this) [by] {length:LENGTH} {sooner:forward|up}',
    'LEAD (move) (it|that|this) {sooner:up} [by] {length:LENGTH}',
    'LEAD (move|push|shift|put|set) (it|that|this) {either:forward|ahead} [by] {length:LENGTH}',
    'LEAD (move|push|shift|put|set) (it|that|this) [by] {length:LENGTH} {either:forward|ahead}',
    'LEAD (delay|postpone|snooze|defer) (it|that|this) [by|for] {length:LENGTH}',
    `LEAD [make it|make that|make this|better|rather] {length:LENGTH} (later|{sooner:earlier|sooner})
      [would be better|is better|instead|please]`,
  ].map((phrase) =>
    phrase
      .replace('LEAD', '[and|no|but|ok|okay|actually|sorry|wait|hmm] [no|please|sorry|better|rather]')
      .replace('LENGTH', LENGTH_EN),
  ),
  de: [
    `[und|nein|ach|aber|doch] [bitte] (verschieb[e]|verleg[e]|schieb[e]|mach|zieh[e]|leg[e]) (es|das|sie|ihn|die|den)
      [bitte|doch|lieber|noch] [um] {length:LENGTH} [nach hinten|später|{sooner:nach vorne?|vor|früher|eher}]`,
    `[und|nein|ach|aber|doch] [bitte|lieber|besser|doch] {length:LENGTH} (später|{sooner:früher|eher|vorher})
      [bitte|wäre besser]`,
    '(geht|ginge) (das|es) [denn] [auch] [noch|vielleicht] {length:LENGTH} (später|{sooner:früher|eher})',
  ].map((phrase) => phrase.replace('LENGTH', LENGTH)),
});
const CANCEL = phrases({
  en: [
    `[no|nope|sorry|oh|ok|okay|actually] [please] (cancel|delete|remove|drop|scrap|forget|stop) (it|that|this|that
      one|the reminder|the timer|the alarm)
      [again|after all|please|then|now]`,
    `[so] you (can|may) (cancel|delete|remove|drop|scrap|forget) (it|that|this|that one|the reminder) [now|then]`,
  ],
  de: [
    `[nein|ach|doch|ok] [bitte] (lösch[e]|storniere|streich[e]|vergiss) (es|das|sie|ihn|die erinnerung|den wecker)
      [wieder|doch|bitte]`,
  ],
});
/** "I already called Nan, you can drop that": the reminder is known by what was done. */
const DONE_ALREADY = phrases({
  en: [
    `(i|we|i've|we've|i have|we have) [already|just] {what:\\p{L}+ .+?} [already] [and|so|now] [you can|please]
      (cancel|delete|remove|drop|scrap|forget) (it|that|this|that one|the reminder) [now|then|please]`,
    `{what:\\p{L}+ing .+?} (is|was) done [so|and|now] [you can|please] (cancel|delete|drop|forget)
      (it|that|the reminder)`,
  ],
  de: [],
});

/** "Make that half past ten": another time for the reminder that was just talked about. */
export const corrections: Skill = {
  name: 'corrections',
  command: true,
  examples: { en: ['make that half past ten'], de: ['mach das um halb elf'] },
  recognize(request) {
    const gone = CANCEL(request.plain) ? jobJustMade(request) : undefined;
    if (gone !== undefined) return cancelled(gone, request);
    const done = DONE_ALREADY(request.plain)?.what?.replace(/[,;.]$/u, '');
    if (done !== undefined) return cancelled(done, request);
    const by = SHIFT(request.plain);
    const shifted = by && jobTalkedAbout(request);
    if (by?.either !== undefined && shifted !== undefined)
      return ask(request.in('Earlier or later?', 'Früher oder später?'), (answer) =>
        request.in(`make it ${by.length} ${answer}`, `${by.length} ${answer}`),
      );
    if (by && shifted !== undefined) return moved(shifted, later(by, request), request);
    const said = (CORRECTION(request.plain.replace(SIGH, '')) ?? CORRECTION(request.plain))?.when;
    const isBare = /^\d{1,2}$/u.test(said ?? '') && jobTalkedAbout(request) !== undefined;
    const when = isBare ? timeOf(said ?? '', request.in('at', 'um')) : said;
    const found = when === undefined ? undefined : findTime(when, request);
    if (when === undefined || !found || clean(found.rest) !== '') return justTime(request);
    const id = jobTalkedAbout(request);
    const twofold = onADay(when, request);
    const [only, other] = twofold ?? [];
    if (id !== undefined && only !== undefined && other === undefined)
      return moved(id, timeOf(only, request.in('at', 'um')), request);
    if (twofold !== undefined) {
      const or = twofold.join(request.in(' or ', ' oder '));
      return ask(request.in(`When: ${or}?`, `Wann: ${or}?`), (answer) => {
        const chosen = withMinutes(answer, twofold);
        return request.in(`make that ${timeOf(chosen, 'at')}`, `mach das auf ${timeOf(chosen, 'um')}`);
      });
    }
    return id === undefined ? whichOne(when, request) : moved(id, when, request);
  },
};

/** The two readings that a time of day has even on a known day: "Viertel nach sechs". */
function onADay(when: string, request: UserRequest): readonly string[] | undefined {
  const tomorrow = addToDate(request.now, 1, { unit: 'day', timeZone: request.timeZone });
  const found = findTime(`${localDate(tomorrow, request.timeZone)} ${when}`, request);
  if (found?.kind !== 'unclear' || found.between.length !== 2) return undefined;
  const answer = request.earlier.findLast(({ by }) => by === 'assistant')?.text ?? '';
  return GETTING_UP.test(answer) ? found.between.slice(0, 1) : found.between;
}

/** Nobody wants to be woken in the evening. */
const GETTING_UP = /\b(?:wake up|aufstehen)\b/iu;

/** "18" alone is a time here. */
const timeOf = (answer: string, lead: string) => (/^\d{1,2}$/u.test(answer) ? `${lead} ${answer}` : answer);

/** "Doch erst um 11", "Saturday", "11 would be better", straight after a reminder was made or moved. */
function justTime(request: UserRequest): Intent | undefined {
  const id = jobJustMade(request);
  if (id === undefined || ADDING.test(request.plain)) return undefined;
  const plain = request.plain.replace(/[.!?]+$/u, '').replace(INSTEAD_OF, '$<other>');
  const said = AGAIN.test(plain) ? plain.replace(ASKING, '') : plain;
  const text = said.replace(
    /^(?<lead>(?:\p{L}+ ){0,2})(?<hour>\d{1,2})(?= (?:would|is|wäre|ist|passt)|$)/u,
    (...found) => {
      const { lead, hour } = found.at(-1) as { lead: string; hour: string };
      return `${lead}${request.in('at', 'um')} ${hour}`;
    },
  );
  const found = findTime(text, request);
  const clear = found?.kind === 'unclear' ? found.between.length === 2 : found !== undefined;
  return found && clear && !holdsTask(clean(found.rest)) ? moved(id, found.words, request) : undefined;
}

/** "And tomorrow?" asks for more, "and at 11" would be one more. */
const ADDING = /^(?:and|und|also|what|when|was|wann|is|ist)\b/iu;
/** "Not at 10, at 11", "um 11 statt um 10": the other one counts. */
const INSTEAD_OF = pattern(
  'iu',
  '^(?:not|nicht) [^,]{1,40}, ?(?:but |sondern |rather )?(?<other>.{1,60})$',
  '| (?:statt|instead of|anstatt) .{1,60}$',
);
const AGAIN = /\b(?:rather|instead|better|lieber|besser|eher|doch)\b/iu;
const ASKING = /\b(?:remind me|erinnere? mich|(?:kannst du )?mich|erinnern)\b/giu;

function moved(id: string, when: string, request: UserRequest): Intent {
  return act({ tool: 'reschedule', input: { id, when }, say: ({ value, text }) => sayMoved(value, text, request) });
}

function whichOne(when: string, request: UserRequest): Intent {
  const question = request.in('Which reminder do you want to move?', 'Welche Erinnerung soll verschoben werden?');
  return ask(question, (answer) => request.in(`move ${answer} to ${when}`, `verschiebe ${answer} auf ${when}`));
}
