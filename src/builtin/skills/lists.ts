import { isRecord } from '../../base/json.ts';
import { pattern } from '../../base/pattern.ts';
import { findTime } from '../../when/find.ts';
import type { Slots } from '../phrases.ts';
import { act, ask, bare, type Intent, type Result, type Skill, type UserRequest } from '../request.ts';
import { doneItems, listOf, nameIn, nameOf, openItems, SHOPPING, sayItems, sayLists, textsOf } from './list-answers.ts';
import { followUpIn, listAtHand } from './list-follow-ups.ts';
import { buyingThen, needing } from './list-needs.ts';
import {
  ADD,
  BUY,
  CLEAR,
  COUNT,
  HAS,
  PACK,
  REMOVE,
  SHOW,
  SHOW_THERE,
  START,
  SWAP,
  TICK,
  TO_DO,
  WHICH,
} from './list-phrases.ts';
import { DICTATED } from './note-phrases.ts';

/** On these, "and" may belong to a title. */
const TITLES = /reading|film|movie|watch|music|book|game|song|lese|buch|bücher|musik|spiel/iu;

export const lists: Skill = {
  name: 'lists',
  command: true,
  examples: {
    en: ['add milk and eggs to my shopping list', 'what do I still need to buy?', 'tick off milk'],
    de: ['setz Milch und Eier auf die Einkaufsliste', 'was muss ich noch kaufen?', 'hake Milch ab'],
  },
  recognize: (request) =>
    starting(request) ??
    shownThere(request) ??
    swapping(request) ??
    followUp(request) ??
    changing(request) ??
    needing(request) ??
    asking(request),
};

function changing(request: UserRequest): Intent | undefined {
  const plain = request.plain.replace(/^(?:and|oh|also|plus|then)[, ]+(?=\S)|,? (?:too|as well|also)$/giu, '');
  if (/^(?:what|which|how|is|are|do|does|did|was|welche|wie|ist|sind|steht|stehen)\b/iu.test(plain)) return undefined;
  if (DICTATED.test(plain)) return undefined;
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
    const items = slots.todo === undefined ? itemsOf(said, list) : tasksOf(said);
    if (items.length === 0 || !arePlain(items)) continue;
    if (isTimed(slots, request)) return buyingThen(request);
    const named = nameIn(slots.list) !== undefined || slots.todo !== undefined || change === 'add';
    return changed({ ...(named ? { list } : {}), [change]: items }, list, request);
  }
  return undefined;
}

/** Tasks are split at commas alone, and only where each is short: "book flights, fix bike". */
function tasksOf(said: string): string[] {
  const tasks = said.split(/[,;] ?(?:and )?/iu).map(bare);
  return tasks.every((task) => task !== '' && task.split(' ').length <= 5) ? tasks : [bare(said)];
}

/** "Buy milk tomorrow at 5" names no list, and is to be reminded of. */
function isTimed({ list, todo }: Slots, request: UserRequest): boolean {
  if (list !== undefined || todo !== undefined) return false;
  return ['once', 'repeats', 'unclear', 'day'].includes(findTime(request.plain, request)?.kind ?? '');
}

/** Things, not sentences: "buy" with a time in it is a reminder, and a pronoun names nothing. */
function arePlain(items: readonly string[]): boolean {
  return items.every((item) => item.split(' ').length <= 8 && !NO_THING.test(item));
}

const NO_THING = pattern(
  'iu',
  '^(?:it|that|this|them|everything|all|nothing|i|we|you|there|have|has|got|put|add|remind|a note|das|es|alles|ich',
  String.raw`|wir|notiz|erinnerung)\b| on (?:the|my|our) .{0,40}list$`,
);

const LEADING = /^(?:(?:and|und|the|some|more|also|noch|etwas|auch|die|das|den|der|bitte|mal|ein paar) )+/iu;
const AFTERTHOUGHT = ',? (?:mit|bitte|auch|noch|doch|wieder|dazu|drauf|mal|too|as well|please)';
/** Begins at the first of several, or a long row of them would be read from each one on. */
const TRAILING = pattern('iu', `(?<!${AFTERTHOUGHT})(?:${AFTERTHOUGHT})+$`);

/** Split at commas and "and"; a quotation stays whole. */
function itemsOf(words: string, list: string): string[] {
  const quoted = [...words.matchAll(/["“„]([^"”“„]+)["”“]/gu)].map(([, item = '']) => item.trim());
  if (quoted.length > 0) return quoted;
  const between = TITLES.test(list) ? /[,;]/u : /[,;] ?(?:(?:and|und) )?| (?:and|und|&|plus|sowie) /iu;
  return words
    .replace(/\s+/gu, ' ')
    .split(between)
    .map((item) => bare(item).replace(LEADING, '').replace(TRAILING, ''))
    .filter((item) => item !== '');
}

export function changed(input: Record<string, unknown>, list: string, request: UserRequest): Intent {
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
  const buying = BUY(plain);
  if (buying) return shopping(request, buying.shop ?? buying.where);
  const has = HAS(plain);
  const list = has && listOf(has.list ?? listAtHand(request.earlier)?.list);
  // "Do we need to bring towels?" asks what the papers say.
  const isThing = !/^(?:to|zum|zur) /iu.test(has?.item ?? '');
  if (has && isThing && list !== undefined) return shownItem(bare(has.item ?? '').replace(LEADING, ''), list, request);

  const counted = COUNT(plain);
  const hand = counted?.there === undefined ? counted : listAtHand(request.earlier);
  const countedList = hand && listOf(hand.list);
  if (countedList !== undefined) return count(countedList, request);
  if (TO_DO(plain)) return shown({ list: 'to-do' }, 'to-do', request);
  if (PACK(plain)) return shown({ list: 'packing' }, 'packing', request);
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

function count(list: string, request: UserRequest): Intent {
  const name = nameOf(list, request);
  return act({
    tool: 'show_lists',
    input: { list },
    say: ({ value }) => {
      const [open, done] = [openItems(value, list).length, doneItems(value, list).length];
      const ticked = done === 0 ? '' : request.in(`, and ${done} ticked off`, `, dazu ${done} abgehakt`);
      return request.in(
        `${open} ${open === 1 ? 'thing is' : 'things are'} open on your ${name}${ticked}.`,
        `Auf der ${name}: ${open} offen${ticked}.`,
      );
    },
  });
}

/** What is noted as to be bought counts as well, in either language: "note: buy oat milk". */
function shopping(request: UserRequest, shop?: string): Intent {
  const words = ['buy', 'kaufen'].map((query) => ({ tool: 'list_notes', input: { query }, say: () => '' }));
  const ofShop = shop?.replace(/^(?:the|a|dem|der|den) /iu, '').toLowerCase();
  const list = { tool: 'show_lists', input: ofShop === undefined ? { list: SHOPPING } : {}, say: () => '' };
  if (!request.can('list_notes')) return shown({ list: SHOPPING }, SHOPPING, request);
  return {
    kind: 'act',
    actions: [list, ...words],
    together: ([lists, ...notes]) => {
      // A shop may have a list of its own.
      if (ofShop !== undefined && openItems(lists?.value, ofShop).length > 0)
        return sayItems(
          openItems(lists?.value, ofShop),
          doneItems(lists?.value, ofShop),
          nameOf(ofShop, request),
          request,
        );
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

/** "Eine Liste mit Geschenken" is one of "Geschenke". */
const DATIVE = /(?<=[elr])n$/u;

/** "Make a packing list with passport and charger". A list that exists already gets them as well. */
function starting(request: UserRequest): Intent | undefined {
  const slots = START(request.plain);
  const list = slots && listOf((slots.list ?? slots.things?.replace(DATIVE, ''))?.replace(/ (?:with|mit)$/iu, ''));
  if (!slots || list === undefined || list.split(' ').length > 3) return undefined;
  const items = itemsOf(slots.items ?? '', list);
  if (items.length > 0) return arePlain(items) ? changed({ list, add: items }, list, request) : undefined;
  const name = nameOf(list, request);
  const question = request.in(`What should I put on your ${name}?`, `Was soll auf die ${name}?`);
  return ask(question, (answer) => {
    // "Put a scarf on it" answers as well as "a scarf".
    const said = followUpIn(answer)?.items ?? answer;
    return request.in(`add ${said} to my ${list} list`, `setz ${said} auf die ${list}liste`);
  });
}

/** "What's left on it?": of the list that the request before was about. */
function shownThere(request: UserRequest): Intent | undefined {
  const hand = SHOW_THERE(request.plain) && listAtHand(request.earlier);
  const list = hand && listOf(hand.todo === undefined ? hand.list : 'to-do');
  if (list === undefined) return undefined;
  return list === SHOPPING ? shopping(request) : shown({ list }, list, request);
}

/** "Swap the oat milk for soya milk": on a list that is named, or at hand. */
function swapping(request: UserRequest): Intent | undefined {
  const said = SWAP(request.plain);
  const hand = said && (said.list === undefined ? listAtHand(request.earlier) : said);
  const list = hand && listOf(hand.todo === undefined ? hand.list : 'to-do');
  if (!said || list === undefined || isTimed(said, request)) return undefined;
  const [remove, add] = [itemsOf(said.out ?? '', list), itemsOf(said.items ?? '', list)];
  if (remove.length === 0 || add.length === 0 || ![...remove, ...add].every((item) => arePlain([item])))
    return undefined;
  return changed({ list, remove, add }, list, request);
}

/** "Also cheddar", "take sunscreen off it", "Mehl habe ich schon": the list that the request before was about. */
function followUp(request: UserRequest): Intent | undefined {
  const said = followUpIn(request.plain);
  const hand = said && listAtHand(request.earlier);
  const list = hand && listOf(hand.todo === undefined ? hand.list : 'to-do');
  if (!said || list === undefined || namesList(request)) return undefined;
  const items = itemsOf(said.items, list);
  if (items.length === 0 || !arePlain(items) || QUESTIONS.test(said.items)) return undefined;
  // What is to be bought may stand on the list of a shop: the tool knows which list has it.
  const named = hand?.list !== undefined || hand?.todo !== undefined || said.change === 'add';
  return changed({ ...(named ? { list } : {}), [said.change]: items }, list, request);
}

/** A list of its own counts more than the one before. */
function namesList({ plain }: UserRequest): boolean {
  return [ADD, TICK, REMOVE, CLEAR].some((form) => nameIn(form(plain)?.list) !== undefined);
}

/** "And what is on it?" adds nothing. */
const QUESTIONS = pattern(
  'iu',
  '^(?:what|who|whose|where|when|why|which|how|is|are|was|were|does|do|did|can|could|remind|note|its|my',
  String.raw`|was|wer|wo|wann|warum|wie|welche\w?|ist|sind|hat|erinnere?|notiere?)\b`,
);
