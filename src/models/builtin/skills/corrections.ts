import { findTime } from '../../../when/find.ts';
import { phrases } from '../phrases.ts';
import { act, ask, type Intent, type Skill, type UserRequest } from '../request.ts';
import { sayMoved } from './schedules.ts';
import { clean } from './task-words.ts';

const CORRECTION = phrases({
  en: [
    `[no|nope|sorry|oh|oops|ok|okay|actually|and|but] [no|please|wait] (make|set|move|change|put|push)
      (it|that|this|them) [back] [to|for|until] {when}`,
    `(no|nope|sorry|oh|oops|actually|wait|hang on) [no|sorry|actually|wait] [better|rather|i meant|i mean|i said]
      {when}`,
    '(better|rather|i meant|i mean) {when}',
    "let's say {when} instead",
    '{when} (instead|rather)',
  ],
  de: [
    `[nein|ach|ah|doch|sorry|und|aber] [nein|bitte] (mach|mache|leg[e]|verleg[e]|verschieb[e]|setz[e]|änder[e]|stell[e])
      (es|das|sie|ihn|den|die) [bitte] [doch|lieber|besser] [auf] {when}`,
    '(mach|mache) [doch|lieber|besser|bitte] {when} (daraus|draus)',
    '(nein|ach|ah|doch|sorry|moment) [nein|doch|sorry] [lieber|besser|eher|ich meine|ich meinte] {when}',
    '(lieber|besser|eher|ich meinte|ich meine) [doch] {when}',
    '(doch|dann) (lieber|besser|eher) {when}',
  ],
});
const JOB = /\bjob_[0-9a-z]+\b/gu;

/** "Make that half past ten": another time for the reminder that was just talked about. */
export const corrections: Skill = {
  name: 'corrections',
  command: true,
  examples: { en: ['make that half past ten'], de: ['mach das um halb elf'] },
  recognize(request) {
    const { when } = CORRECTION(request.plain) ?? {};
    const found = when === undefined ? undefined : findTime(when, request);
    if (when === undefined || !found || clean(found.rest) !== '') return undefined;
    const id = jobTalkedAbout(request);
    return id === undefined ? whichOne(when, request) : moved(id, when, request);
  },
};

/** The only one in the newest answer that names any. */
function jobTalkedAbout({ earlier }: UserRequest): string | undefined {
  for (const { by, text } of earlier.toReversed()) {
    if (by !== 'assistant') continue;
    const ids = new Set(text.match(JOB) ?? []);
    if (ids.size > 0) return ids.size === 1 ? [...ids][0] : undefined;
  }
  return undefined;
}

function moved(id: string, when: string, request: UserRequest): Intent {
  return act({ tool: 'reschedule', input: { id, when }, say: ({ value, text }) => sayMoved(value, text, request) });
}

function whichOne(when: string, request: UserRequest): Intent {
  const question = request.in('Which reminder do you want to move?', 'Welche Erinnerung soll verschoben werden?');
  return ask(question, (answer) => request.in(`move ${answer} to ${when}`, `verschiebe ${answer} auf ${when}`));
}
