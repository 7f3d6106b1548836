import { isRecord } from '../../base/json.ts';
import type { UserRequest } from '../request.ts';

/** Names for one list in both languages, and what it is called in them. */
const KNOWN: readonly { readonly id: string; readonly words: RegExp; readonly names: readonly [string, string] }[] = [
  {
    id: 'shopping',
    words: /^(?:shopping|grocery|groceries|buy|buying|einkaufs?|einkaufs-?|einkäufe|einkauf|lebensmittel)-?$/iu,
    names: ['shopping list', 'Einkaufsliste'],
  },
  {
    id: 'to-do',
    words: /^(?:to-?do|to do|task|tasks|aufgaben|to-?do-|todo-)$/iu,
    names: ['to-do list', 'Aufgabenliste'],
  },
  { id: 'packing', words: /^(?:packing|pack|koffer)-?$/iu, names: ['packing list', 'Packliste'] },
  { id: 'reading', words: /^(?:reading|book|books|lese|bücher|leseliste)-?$/iu, names: ['reading list', 'Leseliste'] },
  { id: 'wish', words: /^(?:wish|wunsch)-?$/iu, names: ['wish list', 'Wunschliste'] },
];
export const SHOPPING = 'shopping';
/** Lists that are none of these: the program's own. */
const NOT_OURS = /^(?:tool|plugin|model|schedule|project|file|reminder|note)s?$/iu;

/** The "Umzugsliste" is the one for the "Umzug". */
const JOINING_S = /(?<=(?:ung|heit|keit|tion|schaft|tum|ling|zug|tag|nacht|fall|gang|trag|satz|stand))s$/iu;

/** Which list the words name, and how to go on with it; undefined for lists that are not the person's. */
export function listOf(words: string | undefined): string | undefined {
  const name = nameIn(words) ?? SHOPPING;
  if (NOT_OURS.test(name)) return undefined;
  return KNOWN.find(({ words: known }) => known.test(name))?.id ?? name.replace(/-$/u, '').replace(JOINING_S, '');
}

/** The name among the words; "the list" has none. */
export function nameIn(words: string | undefined): string | undefined {
  const name =
    words
      ?.trim()
      .toLowerCase()
      .replace(/^(?:the|my|our|a|an|that) (?=\S)/u, '') ?? '';
  return /^(?:the|my|our|this|die|der|meine|meiner|)$/u.test(name) ? undefined : name;
}

/** `shopping list`, `Einkaufsliste`. */
export function nameOf(list: string, request: UserRequest): string {
  const known = KNOWN.find(({ id }) => id === list);
  if (known) return request.in(...(known.names as [string, string]));
  return request.in(`${list} list`, `Liste „${list}“`);
}

export function sayLists(value: unknown, list: string, all: boolean, request: UserRequest): string {
  if (!all) return sayItems(openItems(value, list), doneItems(value, list), nameOf(list, request), request);
  const every = Array.isArray(value) ? value.filter(isRecord) : [];
  if (every.length === 0) return request.in('You have no lists yet.', 'Es gibt noch keine Listen.');
  const lines = every.map(({ list: id }) => {
    const open = openItems(value, String(id)).length;
    return `- ${nameOf(String(id), request)} (${open} ${request.in('open', 'offen')})`;
  });
  return `${request.in('Your lists', 'Deine Listen')}:\n${lines.join('\n')}`;
}

export function sayItems(open: readonly string[], done: readonly string[], name: string, request: UserRequest): string {
  const ticked = done.length === 0 ? '' : `\n${request.in('Ticked off', 'Abgehakt')}: ${done.join(', ')}`;
  if (open.length === 0 && done.length === 0) return request.in(`Your ${name} is empty.`, `Die ${name} ist leer.`);
  if (open.length === 0)
    return `${request.in(`Nothing is left on your ${name}.`, `Auf der ${name} ist nichts mehr offen.`)}${ticked}`;
  const items = open.map((item) => `- ${item}`).join('\n');
  return `${request.in(`Your ${name}`, nameWithArticle(name))}:\n${items}${ticked}`;
}

const nameWithArticle = (name: string) => (name.startsWith('Liste') ? name : `Deine ${name}`);

export function openItems(value: unknown, list: string): string[] {
  return itemsIn(value, list, false);
}

export function doneItems(value: unknown, list: string): string[] {
  return itemsIn(value, list, true);
}

function itemsIn(value: unknown, list: string, done: boolean): string[] {
  const lists = Array.isArray(value) ? value.filter(isRecord) : [];
  // The tool knows a list by a part of its name.
  const isPart = (name: string) => list.split(' ').every((word) => name.split(' ').includes(word));
  const isEnd = (name: string) => list.length > 3 && name.includes(list.slice(0, -1));
  const fitting = lists.filter(({ list: name }) => isPart(String(name)) || isEnd(String(name)));
  const [only, ...others] = fitting;
  const found = lists.find((each) => each.list === list) ?? (others.length === 0 ? only : undefined);
  const items: unknown = isRecord(found) ? found.items : [];
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown) => (isRecord(item) && item.done === done ? [String(item.text)] : []));
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
