import { pattern } from '../../base/pattern.ts';
import { act, ask, bare, type Intent, type Recognizer } from './intent.ts';

/** Ways of asking for a note; the group is its text: `note: ...`, `take a note that ...`, `remember that ...`. */
const TAKE: readonly RegExp[] = [
  pattern(
    'isu',
    String.raw`^(?:log|write|add|put|save|append|enter)\s+(?:this\s+)?(?:to|in|into|on)\s+(?:my `,
    String.raw`|the )?(?:journal|notes?|inbox|diary|log)\s*[:,-]?\s*(.*)$`,
  ),
  pattern(
    'isu',
    String.raw`^(?:take|make|keep|write|create|add|save|leave|jot down|put down)\s+(?:(?:me|us)\s+)?(?:an?`,
    String.raw`|the|this|another)?\s*(?:quick |short |new )?note\b(?:\s+(?:that says|of this|that|saying`,
    String.raw`|about|of|to(?: self)?|for me|reading|down|which says))?\s*[:,-]?\s*(.*)$`,
  ),
  /^(?:new note|note|memo|cap|capture|jot|idea|todo|to-do|inbox|journal|log)\s*(?:to self|to myself)?\s*:\s*(.*)$/isu,
  /^(?:note|jot|write|put|get)\s+(?:this\s+|that\s+|it\s+)?down\b(?:\s+that)?\s*[:,-]?\s*(.*)$/isu,
  /^(?:note|record|log)\s+(?:that|this|to self)?\s*[:,-]?\s*(.*)$/isu,
  /^(?:remember|memorize|memorise|keep in mind|don't forget|do not forget)\s+(?:that|this|to)?\s*[:,-]?\s*(.*)$/isu,
  /^(?:save|keep|store|put)\s+(?:this|that)(?:\s+(?:for later|as a note|in my notes))?\s*[:,-]\s*(.*)$/isu,
  /^(?:for the record|memo to self|note to self)\s*[:,-]\s*(.*)$/isu,
];
/** "I parked on level 3, please remember that." */
const AFTERWARDS =
  /^(.+?)[,.;]?\s+(?:please\s+)?(?:remember|note|write down|keep in mind|save)\s+(?:that|this|it)(?:\s+down)?[.!]?$/isu;
/** `add the gate code to my notes`. */
const INTO_NOTES = pattern(
  'isu',
  String.raw`^(?:add|put|save|write|append|log|enter|record|store)\s+(.+?)\s+(?:to|in|into|on)\s+(?:my `,
  '|the )?(?:notes?|journal|inbox|diary|log)$',
);
/** `put milk on the shopping list`: the thing, then the name of the list. */
const ONTO_LIST = pattern(
  'isu',
  String.raw`^(?:add|put|append|write|include)\s+(.+?)\s+(?:to|on|onto|in|into)\s+(?:my |the `,
  String.raw`|our )?([\p{L}\p{N}' -]{1,40}?)\s*list$`,
);
/** `we need more salt` goes on the shopping list. */
const NEED = /^(?:we|i) need (?:more |some |to buy )(.+)$/isu;

/** `show my notes`, `what have I noted so far`, `do I have any notes`. */
const SHOW = pattern(
  'u',
  '^(?:(?:show|list|read|display|print|see|view|open|get|give me|go through|recite',
  String.raw`|tell me)(?: me| back| out)?(?: all)?(?: of)? (?:my|the|all|our|these|those)?\s*(?:recent `,
  '|latest |last |saved )?(?:notes?|journal|inbox|memos)(?: entries| back| again',
  '| so far)?(?: to me)?|(?:what|which) (?:notes|memos) (?:do i have|have i (?:taken|made',
  '|written)|are there|did i (?:take|make|write))|what(?: have (?:i|you) noted| did (?:i',
  "|you) note| did (?:i|you) write)(?: down| so far)?|what(?:'s| is| are) (?:in )?my (?:notes",
  '|journal|inbox)|(?:my )?notes|any notes|do i have (?:any )?notes)(?: please)?$',
);
/** `what is on my shopping list`; the group is the name of the list. */
const SHOW_LIST = pattern(
  'u',
  "^(?:what(?:'s| is| do i have| have i got| are the things)?(?: still)? (?:on|in)",
  '|show(?: me)?|read(?: me)?(?: out)?|list|display|see|view|tell me|print',
  "|give me)(?: what is on| what's on)?(?: all)?(?: the things on)? (?:my|the",
  String.raw`|our) ([\p{L}\p{N}' -]{1,40}?) list$`,
);

/** Notes and the lists kept in them: "note: ...", "add milk to my shopping list", "show my notes". */
export const notes: Recognizer = ({ text, lower }) => {
  const question = lower.replace(/[?!.\s]+$/u, '');
  if (SHOW.test(question)) return act({ tool: 'list_notes', input: {} });
  if (/^what (?:do i|should i|must i) (?:need to |have to )?(?:buy|get)(?: today| at the shop)?$/u.test(question)) {
    return act({ tool: 'list_notes', input: {}, about: 'shopping list' });
  }
  const list = SHOW_LIST.exec(question)?.[1];
  if (list !== undefined && !/^(?:tool|plugin|model|schedule|project)s?$/u.test(list))
    return act({ tool: 'list_notes', input: {}, about: listName(list) });
  const onto = ONTO_LIST.exec(withoutStop(text));
  if (onto) return writeDown(`${listName(onto[2] ?? '')}: ${bare(onto[1] ?? '')}`);
  const into = INTO_NOTES.exec(withoutStop(text))?.[1];
  if (into !== undefined) return /^(?:an?|the|this) note$/iu.test(into) ? ask('What should I note?') : writeDown(into);
  const need = NEED.exec(withoutStop(text))?.[1];
  if (need !== undefined) return writeDown(`shopping list: ${bare(need)}`);
  const before = AFTERWARDS.exec(text)?.[1];
  if (before !== undefined) return writeDown(before);
  const found = TAKE.map((form) => form.exec(text)?.[1]).find((rest) => rest !== undefined);
  return found === undefined ? undefined : writeDown(found);
};

/** An empty note is asked about rather than saved. */
function writeDown(raw: string): Intent {
  const text = bare(raw.replace(/^(?:that|to self)\b[:,]?\s*/iu, ''));
  return text === '' ? ask('What should I note?') : act({ tool: 'write_note', input: { text } });
}

const listName = (words: string) => `${words.trim().toLowerCase() || 'to-do'} list`;
const withoutStop = (text: string) => text.replace(/[.!?\s]+$/u, '');
