import { pattern } from '../../base/pattern.ts';
import { findTime } from '../../when/find.ts';
import type { Intent, Skill, UserRequest } from '../request.ts';
import { listOf } from './list-answers.ts';
import { changed } from './lists.ts';
import { reminders, scheduled } from './reminders.ts';

/** "Remind me of that tomorrow", "put that on my to-do list": one text is meant by the word. */
const WITH_THAT = [
  pattern('iu', '^(?:and |ok |now |then )?remind me (?<before>.{0,60}?) ?(?:of|about) (?:that|it|this)(?<when> .+)?$'),
  pattern('iu', '^(?:and |ok |now |then )?(?:add|put) (?:that|it|this) (?:(?:on)?to|on) (?<list>.+)$'),
  pattern('iu', '^(?:und |dann )?erinner[en]? mich (?<before>.{0,60}?) ?daran(?<when> .+)?$'),
  pattern('iu', '^(?:und |dann )?(?:setz|schreib|pack|tu)e? (?:das|es) (?:noch )?auf (?<list>.+)$'),
];
/** What we have just noted, or the one sentence that we have just quoted. */
const TEXT = pattern(
  'u',
  String.raw`^(?:Noted|Notiert): (?<noted>[^\n]+)$`,
  String.raw`|^(?!- |[^\n]{0,40}:\n)(?<quoted>[^\n]{3,300}?) ?\[[^\][\n]{1,120}\]$`,
);

export const thatText: Skill = {
  name: 'that text',
  command: true,
  examples: { en: [], de: [] },
  recognize: (request) => {
    const last = request.earlier.at(-1);
    const { noted, quoted } = (last?.by === 'assistant' && TEXT.exec(last.text)?.groups) || {};
    const said = noted ?? quoted;
    const slots = WITH_THAT.map((form) => form.exec(request.plain)?.groups).find((found) => found);
    if (said === undefined || slots === undefined) return undefined;
    return withText(said.replace(/[.!]$/u, ''), slots, request);
  },
};

function withText(said: string, slots: Readonly<Record<string, string | undefined>>, request: UserRequest) {
  const { before = '', when = '', list } = slots;
  if (list !== undefined) return onList(said, list, request);
  const time = `${before}${when}`.trim();
  const found = findTime(time, request);
  if (found?.rest === '' && found.kind === 'once')
    return scheduled({ when: found.at.toISOString(), task: said, isTask: false }, request);
  if (found?.rest === '' && found.kind === 'repeats')
    return scheduled({ when: found.words, task: said, isTask: false }, request);
  // The text's own words of time must not be taken for those of the reminder.
  if (findTime(said, request)) return undefined;
  const text = request.in(`remind me ${time} to ${said}`, `erinnere mich ${time} daran: ${said}`);
  return reminders.recognize({ ...request, text, plain: text, earlier: [] }) as Intent | undefined;
}

/** The text is one line of the list, whatever commas or "on" it has. */
function onList(said: string, words: string, request: UserRequest): Intent | undefined {
  const { todo, name } = LIST.exec(words)?.groups ?? {};
  const list = todo === undefined && name === undefined ? undefined : listOf(todo === undefined ? name : 'to-do');
  return list === undefined ? undefined : changed({ list, add: [said] }, list, request);
}

const LIST = pattern(
  'iu',
  '^(?:(?:the|my|our|die|meine|unsere) )?(?:(?<todo>to-?dos?|tasks?)',
  '|(?<name>[^ ]{0,30}(?: [^ ]{1,30}){0,2}?)[ -]?liste?)$',
);
