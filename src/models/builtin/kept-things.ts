import { act, type Recognizer } from './intent.ts';

const THINGS = '(?:reminders?|schedules?|scheduled (?:tasks?|prompts?|jobs?|things)|alarms?|timers?|jobs?)';
const SHOW = new RegExp(
  `^(?:(?:show|list|display|give|tell|read)(?: me)?(?: all)?(?: of)?(?: my| the| our)?(?: upcoming| pending| next| scheduled)? ${THINGS}|(?:what|which)(?: are)?(?: my| the)?(?: upcoming| pending| next)? ?${THINGS}(?: do i have| have i got| are (?:there|set|pending|coming)| have i set)?|what(?:'s| is)(?: still)? scheduled|do i have (?:any )?${THINGS}|(?:my )?${THINGS})(?: please)?$`,
  'u',
);
const CANCEL = new RegExp(
  `^(?:cancel|delete|remove|drop|stop)\\s+(?:the |my )?(?:${THINGS}\\s+)?#?([a-z]+_[a-z0-9]+)$`,
  'iu',
);
/** Without an id: show what there is, with the ids. */
const CANCEL_ONE = new RegExp(
  `^(?:cancel|delete|remove|stop|turn off) (?:the |my |all |that |all my )?(?:last |next )?${THINGS}$`,
  'u',
);
const FILES =
  /^(?:list|show|display|what(?:'s| is| are)?|which)(?: me)?(?: all)?(?: in)?(?: my| the| our)?(?: project(?:'s)?)? (?:files|folder|directory)(?: (?:are there|do i have|are in (?:the|this|my) (?:project|folder)|in (?:the|this|my) (?:project|folder)))?$/u;

/** What is kept elsewhere than in notes: "list my reminders", "cancel job_...", "what files are there". */
export const lists: Recognizer = ({ text, lower }) => {
  const question = lower.replace(/[?!.\s]+$/u, '');
  if (SHOW.test(question)) return act({ tool: 'list_schedules', input: {} });
  if (CANCEL_ONE.test(question)) return act({ tool: 'list_schedules', input: {}, about: 'cancel' });
  const id = CANCEL.exec(text.replace(/[.!\s]+$/u, ''))?.[1];
  if (id !== undefined) return act({ tool: 'cancel_schedule', input: { id } });
  return FILES.test(question) ? act({ tool: 'list_directory', input: { path: '.' } }) : undefined;
};
