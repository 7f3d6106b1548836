import { isRecord } from '../../base/json.ts';
import { findTime } from '../../when/find.ts';
import { saysYes } from '../choice.ts';
import { withoutCourtesy } from '../courtesy.ts';
import { act, ask, type Intent, type Result, type UserRequest } from '../request.ts';
import { thingsIn } from '../things.ts';
import type { Handler, Understanding } from '../understanding.ts';
import { beginsAsQuestion } from './query-documents.ts';

const USUAL = 'shopping';

/**
 * Change a list that is named, or that is at hand. The input has what was said of each change, and `at`: `hand` where
 * only the list at hand can be meant, `hand or usual` where else the shopping list is, `found` where the tool knows
 * which list has the things.
 */
const changeList: Handler = (input, request) => {
  const { call } = request;
  if (beginsAsQuestion(withoutCourtesy(request.text))) return undefined;
  const hand = () => listAtHand(request);
  if (typeof input.offer === 'string') return hand() === undefined ? offered(input.offer, request) : undefined;
  const list = typeof input.list === 'string' ? input.list : input.at === undefined ? undefined : hand();
  if (input.at === 'hand' && list === undefined) return undefined;
  if (input.start === true) return list === undefined ? undefined : started(list, request);
  const changes = Object.entries(input).flatMap(([key, value]): [string, unknown][] =>
    CHANGES.has(key) ? [[key, typeof value === 'string' ? namedBy(value, list, request) : value]] : [],
  );
  const isNothing = changes.some(([, value]) => Array.isArray(value) && value.length === 0);
  if (changes.length === 0 || isNothing || (input.loose === true && isTimed(request))) return undefined;
  const named = list ?? (input.at === 'hand or usual' ? USUAL : undefined);
  return act(call('change_list', { ...(named !== undefined && { list: named }), ...Object.fromEntries(changes) }));
};

/** "That" is the note that the request before took. */
function namedBy(said: string, list: string | undefined, { done = [] }: Understanding): readonly string[] {
  if (said !== 'that') return thingsIn(said, list);
  const noted = done.findLast(({ ago, tool }) => ago === 1 && tool === 'write_note')?.input.text;
  return typeof noted === 'string' ? [noted.replace(/[.!]$/u, '')] : [];
}

/** "Buy milk tomorrow" is to be reminded of. */
function isTimed(request: UserRequest): boolean {
  return ['once', 'repeats', 'unclear', 'day'].includes(findTime(request.plain, request)?.kind ?? '');
}

const CHANGES: ReadonlySet<string> = new Set(['add', 'tick', 'remove', 'clear']);

/** Show a list, or say of one thing whether it is on it. What is noted as to be bought belongs to the shopping list. */
const showLists: Handler = (input, request) => {
  const hand = input.at === undefined ? undefined : listAtHand(request);
  if (input.at === 'hand' && hand === undefined) return undefined;
  const list = typeof input.list === 'string' ? input.list : input.at === undefined ? undefined : (hand ?? USUAL);
  const shown = request.call('show_lists', list === undefined ? {} : { list });
  if (typeof input.item === 'string') {
    const { item } = input;
    // "Do we need to bring towels?" asks what the papers say.
    if (request.text.includes(` to ${item}`)) return undefined;
    return act({ ...shown, say: ({ value }) => sayWhether(item, { value, list: list ?? USUAL }, request) });
  }
  if (list !== USUAL || input.alone === true || !request.can('list_notes')) return act(shown);
  const noted = ['buy', 'kaufen'].map((query) => ({ tool: 'list_notes', input: { query }, say: () => '' }));
  return {
    kind: 'act',
    actions: [shown, ...noted],
    together: ([lists, ...notes]) => [lists && shown.say(lists), sayNoted(notes, request)].filter(Boolean).join('\n'),
  };
};

/** The list that the request before was about, as it was named, or as the tool found it. */
function listAtHand({ done = [], doneBefore }: Understanding): string | undefined {
  const action = doneBefore().find(({ tool }) => tool === 'change_list' || tool === 'show_lists');
  if (action === undefined) return undefined;
  const found = done.findLast(({ ago, tool }) => ago === 1 && tool === 'change_list')?.value;
  if (action.tool === 'change_list' && isRecord(found) && typeof found.list === 'string') return found.list;
  return typeof action.input.list === 'string' ? action.input.list : USUAL;
}

/** "I need a break" is no line of the shopping list. */
function offered(thing: string, { tell }: UserRequest): Intent {
  return ask(tell('offer to list', { thing }), (answer) =>
    saysYes(answer) ? tell('put on shopping list', { thing }) : answer,
  );
}

/** "Put a scarf on it" answers as well as "a scarf". */
const ON_IT = /^\p{L}+ (.+?) (?:on|to|onto) (?:it|there)[.!]*$/iu;

function started(list: string, { tell }: UserRequest): Intent {
  return ask(tell('ask what to list', { list }), (answer) =>
    tell('put on list', { list, things: answer.replace(ON_IT, '$1') }),
  );
}

function sayWhether(
  item: string,
  { value, list }: { readonly value: unknown; readonly list: string },
  { tell }: UserRequest,
): string {
  const lists = Array.isArray(value) ? value.filter(isRecord) : [];
  const items = lists.flatMap(({ items: rows }) => (Array.isArray(rows) ? rows.filter(isRecord) : []));
  const same = items.filter(({ text }) => String(text).toLowerCase().includes(item.toLowerCase()));
  const isOpen = same.some(({ done }) => done !== true);
  return tell(isOpen ? 'on list' : same.length > 0 ? 'ticked on list' : 'not on list', { item, list });
}

function sayNoted(notes: readonly Result[], { tell }: UserRequest): string {
  const found = notes.flatMap(({ value }) => (Array.isArray(value) ? value.filter(isRecord) : []));
  const texts = [...new Set(found.map(({ text }) => String(text)))];
  return texts.length === 0 ? '' : tell('in notes', { texts });
}

export const LISTS = { change_list: changeList, show_lists: showLists };
