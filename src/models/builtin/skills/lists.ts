import { isRecord } from '../../../base/json.ts';
import { findTime } from '../../../when/find.ts';
import type { Slots } from '../phrases.ts';
import { act, bare, type Intent, type Result, type Skill, type UserRequest } from '../request.ts';
import { ADD, ANOTHER, BUY, CLEAR, HAS, REMOVE, SHOW, TICK, TO_DO, WHICH } from './list-phrases.ts';

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
const SHOPPING = 'shopping';
/** Lists that are none of these: the program's own. */
const NOT_OURS = /^(?:tool|plugin|model|schedule|project|file|reminder|note)s?$/iu;
/** On these, "and" may belong to a title. */
const TITLES = /reading|film|movie|watch|music|book|game|song|lese|buch|bücher|musik|spiel/iu;

export const lists: Skill = {
  name: 'lists',
  command: true,
  examples: {
    en: ['add milk and eggs to my shopping list', 'what do I still need to buy?', 'tick off milk'],
    de: ['setz Milch und Eier auf die Einkaufsliste', 'was muss ich noch kaufen?', 'hake Milch ab'],
  },
  recognize: (request) => changing(request) ?? asking(request) ?? another(request),
};

/** Which list the words name, and how to go on with it; undefined for lists that are not the person's. */
function listOf(words: string | undefined): string | undefined {
  const name = nameIn(words) ?? SHOPPING;
  if (NOT_OURS.test(name)) return undefined;
  return KNOWN.find(({ words: known }) => known.test(name))?.id ?? name.replace(/-$/u, '');
}

/** The name among the words; "the list" has none. */
function nameIn(words: string | undefined): string | undefined {
  const name = words?.trim().toLowerCase() ?? '';
  return /^(?:the|my|our|this|die|der|meine|meiner|)$/u.test(name) ? undefined : name;
}

/** `shopping list`, `Einkaufsliste`. */
function nameOf(list: string, request: UserRequest): string {
  const known = KNOWN.find(({ id }) => id === list);
  if (known) return request.in(...(known.names as [string, string]));
  return request.in(`${list} list`, `Liste „${list}“`);
}

function changing(request: UserRequest): Intent | undefined {
  const { plain } = request;
  if (/^(?:what|which|how|is|are|do|does|did|was|welche|wie|ist|sind|steht|stehen)\b/iu.test(plain)) return undefined;
  for (const [form, change] of [
    [CLEAR, 'clear'],
    [REMOVE, 'remove'],
    [TICK, 'tick'],
    [ADD, 'add'],
  ] as const) {
    const slots = form(plain);
    const list = slots && listOf(slots.todo === undefined ? slots.list : 'to-do');
    if (!slots || list === undefined) continue;
    if (change === 'clear') return changed({ list, clear: true }, list, request);
    const said = slots.items ?? slots.todo ?? '';
    const items = slots.todo === undefined ? itemsOf(said, list) : [bare(said)];
    if (items.length === 0 || !arePlain(items) || isTimed(slots, request)) continue;
    const named = nameIn(slots.list) !== undefined || slots.todo !== undefined || change === 'add';
    return changed({ ...(named ? { list } : {}), [change]: items }, list, request);
  }
  return undefined;
}

/** "Buy milk tomorrow at 5" names no list, and is to be reminded of. */
function isTimed({ list, todo }: Slots, request: UserRequest): boolean {
  if (list !== undefined || todo !== undefined) return false;
  return ['once', 'repeats', 'unclear', 'day'].includes(findTime(request.plain, request)?.kind ?? '');
}

/** Things, not sentences: "buy" with a time in it is a reminder, and a pronoun names nothing. */
function arePlain(items: readonly string[]): boolean {
  return items.every(
    (item) =>
      item.split(' ').length <= 8 &&
      !/^(?:it|that|this|them|everything|all|nothing|i|we|you|there|have|has|got|a note|das|es|alles|ich|wir)\b/iu.test(
        item,
      ),
  );
}

/** Split at commas and "and"; a quotation stays whole. */
function itemsOf(words: string, list: string): string[] {
  const quoted = [...words.matchAll(/["“„]([^"”“„]+)["”“]/gu)].map(([, item = '']) => item.trim());
  if (quoted.length > 0) return quoted;
  const between = TITLES.test(list) ? /[,;]/u : /[,;] ?(?:(?:and|und) )?| (?:and|und|&|plus|sowie) /iu;
  return words
    .replace(/\s+/gu, ' ')
    .split(between)
    .map((item) => bare(item).replace(/^(?:the|some|more|also|noch|etwas|auch|die|das|den|bitte) | mit$/giu, ''))
    .filter((item) => item !== '');
}

function changed(input: Record<string, unknown>, list: string, request: UserRequest): Intent {
  return act({ tool: 'change_list', input, say: (result) => sayChange(result, list, request) });
}

/** What the tool says that it did, and nothing else. */
function sayChange({ value }: Result, asked: string, request: UserRequest): string {
  if (!isRecord(value)) return String(value);
  const name = nameOf(typeof value.list === 'string' ? value.list : asked, request);
  const of = (field: string) => joined(textsOf(value[field]), request);
  const lines = [
    of('added') && request.in(`Added to your ${name}: ${of('added')}.`, `Auf der ${name}: ${of('added')}.`),
    of('there') && request.in(`Already on your ${name}: ${of('there')}.`, `Schon auf der ${name}: ${of('there')}.`),
    of('ticked') &&
      request.in(`Ticked off on your ${name}: ${of('ticked')}.`, `Abgehakt auf der ${name}: ${of('ticked')}.`),
    of('removed') &&
      request.in(`Removed from your ${name}: ${of('removed')}.`, `Von der ${name} genommen: ${of('removed')}.`),
    of('missing') && request.in(`Not on your ${name}: ${of('missing')}.`, `Nicht auf der ${name}: ${of('missing')}.`),
  ].filter((line) => line);
  return lines.length > 0 ? lines.join('\n') : request.in(`Your ${name} is empty.`, `Die ${name} ist leer.`);
}

function joined(items: readonly string[], request: UserRequest): string {
  const and = request.in(' and ', ' und ');
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')}${and}${items.at(-1)}`;
}

function asking(request: UserRequest): Intent | undefined {
  const { plain } = request;
  if (WHICH(plain)) return shown({}, SHOPPING, request);
  if (BUY(plain)) return shopping(request);
  const has = HAS(plain);
  const list = has && listOf(has.list);
  if (has && list !== undefined) return shownItem(bare(has.item ?? ''), list, request);

  if (TO_DO(plain)) return shown({ list: 'to-do' }, 'to-do', request);
  const asked = SHOW(plain);
  const found = asked && listOf(asked.list);
  if (!asked || found === undefined) return undefined;
  return found === SHOPPING ? shopping(request) : shown({ list: found }, found, request);
}

function shown(input: Record<string, unknown>, list: string, request: UserRequest): Intent {
  return act({
    tool: 'show_lists',
    input,
    say: ({ value }) => sayLists(value, list, input.list === undefined, request),
  });
}

/** What is noted as to be bought counts as well, in either language: "note: buy oat milk". */
function shopping(request: UserRequest): Intent {
  const words = ['buy', 'kaufen'].map((query) => ({ tool: 'list_notes', input: { query }, say: () => '' }));
  const list = { tool: 'show_lists', input: { list: SHOPPING }, say: () => '' };
  if (!request.can('list_notes')) return shown({ list: SHOPPING }, SHOPPING, request);
  return {
    kind: 'act',
    actions: [list, ...words],
    together: ([lists, ...notes]) => {
      const noted = notes.flatMap(({ value }) => toBuy(value));
      const known = openItems(lists?.value, SHOPPING);
      const extra = noted.filter((item) => !known.some((each) => each.toLowerCase() === item.toLowerCase()));
      return sayItems([...known, ...extra], doneItems(lists?.value, SHOPPING), nameOf(SHOPPING, request), request);
    },
  };
}

/** "buy oat milk", "oat milk kaufen": the thing, from a note that says no more than that. */
function toBuy(value: unknown): string[] {
  const texts = Array.isArray(value) ? value.flatMap((note) => (isRecord(note) ? [String(note.text)] : [])) : [];
  return texts.flatMap((noted) => {
    const text = noted.replace(/[^\S\n]+/gu, ' ').trim();
    const said = /^(?:to |we need to |i need to )?(?:buy|get|kaufe?|besorgen?)[:,]? (.+?)[.!]?$/iu.exec(text)?.[1];
    const german = /^(.+) (?:kaufen|einkaufen|besorgen)[.!]?$/iu.exec(text)?.[1];
    const thing = said ?? german;
    return thing === undefined || thing.length > 80 ? [] : itemsOf(thing, SHOPPING);
  });
}

function shownItem(item: string, list: string, request: UserRequest): Intent {
  const name = nameOf(list, request);
  const same = (other: string) => other.toLowerCase().includes(item.toLowerCase());
  return act({
    tool: 'show_lists',
    input: { list },
    say: ({ value }) => {
      if (openItems(value, list).some(same))
        return request.in(`Yes, ${item} is on your ${name}.`, `Ja, ${item} steht auf der ${name}.`);
      const done = doneItems(value, list).some(same);
      if (done) return request.in(`${item} is ticked off on your ${name}.`, `${item} ist auf der ${name} abgehakt.`);
      return request.in(`No, ${item} is not on your ${name}.`, `Nein, ${item} steht nicht auf der ${name}.`);
    },
  });
}

function sayLists(value: unknown, list: string, all: boolean, request: UserRequest): string {
  if (!all) return sayItems(openItems(value, list), doneItems(value, list), nameOf(list, request), request);
  const every = Array.isArray(value) ? value.filter(isRecord) : [];
  if (every.length === 0) return request.in('You have no lists yet.', 'Es gibt noch keine Listen.');
  const lines = every.map(({ list: id }) => {
    const open = openItems(value, String(id)).length;
    return `- ${nameOf(String(id), request)} (${open} ${request.in('open', 'offen')})`;
  });
  return `${request.in('Your lists', 'Deine Listen')}:\n${lines.join('\n')}`;
}

function sayItems(open: readonly string[], done: readonly string[], name: string, request: UserRequest): string {
  const ticked = done.length === 0 ? '' : `\n${request.in('Ticked off', 'Abgehakt')}: ${done.join(', ')}`;
  if (open.length === 0 && done.length === 0) return request.in(`Your ${name} is empty.`, `Die ${name} ist leer.`);
  if (open.length === 0)
    return `${request.in(`Nothing is left on your ${name}.`, `Auf der ${name} ist nichts mehr offen.`)}${ticked}`;
  const items = open.map((item) => `- ${item}`).join('\n');
  return `${request.in(`Your ${name}`, nameWithArticle(name))}:\n${items}${ticked}`;
}

const nameWithArticle = (name: string) => (name.startsWith('Liste') ? name : `Deine ${name}`);

function openItems(value: unknown, list: string): string[] {
  return itemsIn(value, list, false);
}

function doneItems(value: unknown, list: string): string[] {
  return itemsIn(value, list, true);
}

function itemsIn(value: unknown, list: string, done: boolean): string[] {
  const found = Array.isArray(value) ? value.find((each) => isRecord(each) && each.list === list) : undefined;
  const items: unknown = isRecord(found) ? found.items : [];
  if (!Array.isArray(items)) return [];
  return items.flatMap((item: unknown) => (isRecord(item) && item.done === done ? [String(item.text)] : []));
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** "And eggs" goes on the list that the request before went on. */
function another(request: UserRequest): Intent | undefined {
  const before = request.earlier.findLast(({ by }) => by === 'person')?.text;
  const slots = before === undefined ? undefined : ANOTHER(request.plain);
  const added = slots && before !== undefined ? ADD(before.replace(/(?<![?.!\s])[?.!\s]+$/u, '')) : undefined;
  const list = added && listOf(added.todo === undefined ? added.list : 'to-do');
  if (!slots || list === undefined) return undefined;
  const items = itemsOf(slots.items ?? '', list);
  return items.length === 0 ? undefined : changed({ list, add: items }, list, request);
}
