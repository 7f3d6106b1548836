import { z } from 'zod';
import { lemma } from '../../answers/lemma.ts';
import type { Told } from '../../base/errors.ts';
import { loadExamples } from '../../base/examples.ts';
import { LISTS_FOLDER } from '../../rag/project-file-names.ts';
import { fold } from '../../words/spelling.ts';
import { fileThing, folderThing } from '../gate/origins.ts';
import { defineTool, type Tool, type ToolContext } from '../tool.ts';
import type { Author } from '../undo/kept-states.ts';

/** Where the lists of a project are kept. */
export interface ListFiles {
  read(project: string, path: string): Promise<string>;
  list(project: string, path: string): Promise<readonly { readonly name: string; readonly folder: boolean }[]>;
  exists(project: string, path: string): Promise<boolean>;
  /** The absolute path of a file. */
  place(project: string, path: string): string;
  /** Change a file as its only writer. @param change gets the text, undefined when there is no such file. */
  edit(project: string, path: string, change: (before: string | undefined) => string, by?: Author): Promise<unknown>;
}

const MAX_ITEMS = 100;
const ITEM = /^\s*[-*+]\s+(?:\[([ xX])\]\s+)?(.+?)\s*$/u;

/** An item of a list. */
export interface Item {
  readonly text: string;
  readonly done: boolean;
}

const listName = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} _-]*$/u, 'a list is named with letters, digits, blanks and -')
  .transform((name) => name.toLowerCase());
const items = z.array(z.string().trim().min(1).max(500)).max(MAX_ITEMS);

const examplesOf = loadExamples(import.meta.dirname, 'lists');

/** `change_list` and `show_lists`: the owner's lists, such as the shopping list. */
export function createListTools(files: ListFiles): Tool[] {
  return [changeTool(files), showTool(files)];
}

/** What was done to a list. */
const changedLists = z.object({
  list: z.string(),
  added: z.array(z.string()),
  there: z.array(z.string()),
  ticked: z.array(z.string()),
  removed: z.array(z.string()),
  missing: z.array(z.string()),
});

function changeTool(files: ListFiles): Tool {
  return defineTool({
    name: 'change_list',
    positional: ['list', 'add', 'tick', 'remove'],
    aliases: { list: ['name'], add: ['items'], tick: ['done', 'check'], remove: ['delete'] },
    description: "Change one of the user's lists (default: shopping).",
    input: z.object({
      list: listName.optional(),
      add: items.optional(),
      tick: items.optional(),
      remove: items.optional(),
      clear: z.boolean().optional().describe('remove all items'),
    }),
    output: changedLists,
    policy: {
      effect: 'local',
      // Removed items stay in the versions of the file.
      change: ({ remove, clear }) => (remove !== undefined || clear ? 'delete' : 'append'),
    },
    provenance: {
      writesTo: ({ list }, { turn }, output) => {
        const name = output?.list ?? list;
        return name === undefined ? undefined : thingOf(files, turn.project, name);
      },
      readsFrom: readsLists(files),
    },
    durability: { trace: 'version', versioned: true },
    presentation: {
      examples: examplesOf('change_list'),
      unremarkable: ({ there, missing }) => there.length + missing.length === 0,
      told: toldOf,
    },
    timeoutMs: 10_000,
    execute: async ({ list, ...change }, { turn, idempotencyKey, holds }) => {
      const said = change.clear ? list : await knownAs(files, turn.project, list);
      const name = said ?? (await listWith(files, turn.project, [...(change.tick ?? []), ...(change.remove ?? [])]));
      const by = { turnId: turn.id, idempotencyKey };
      let done: Omit<Changed, 'items'> | undefined;
      await files.edit(
        turn.project,
        pathOf(name),
        (before) => {
          const { items: after, ...report } = changed(parseItems(before ?? ''), change);
          done = report;
          return textOf(name, before, after);
        },
        by,
      );
      const result = { list: name, ...(done ?? NOTHING) };
      holds(...(isEcho(result, list) ? [thingOf(files, turn.project, name)] : []));
      return result;
    },
  });
}

/** Whether a result says something of the list, and not only what the call said. */
function isEcho({ list, there, ticked, removed }: Omit<Changed, 'items'> & { list: string }, said: string | undefined) {
  return (said !== undefined && said !== list) || there.length + ticked.length + removed.length > 0;
}

function toldOf({ added, there, ticked, removed, missing }: Omit<Changed, 'items'>) {
  const unchanged = missing.length > 0 ? 'missing' : there.length > 0 ? 'already_there' : 'unchanged';
  return { code: added.length + ticked.length + removed.length > 0 ? 'changed' : unchanged, values: {} };
}

/** One list by its items, several by how much is open on each. */
function shownOf(lists: readonly { readonly list: string; readonly items: readonly Item[] }[]): Told {
  const textsOf = (items: readonly Item[], isDone: boolean) =>
    items.filter(({ done }) => done === isDone).map(({ text }) => text);
  const [only, ...others] = lists;
  if (!only) return { code: 'no_lists', values: {} };
  const counted = lists.map(({ list, items: all }) => ({ list, count: textsOf(all, false).length }));
  if (others.length > 0) return { code: 'lists', values: { lists: counted } };
  const [open, done] = [textsOf(only.items, false), textsOf(only.items, true)];
  const code = open.length > 0 ? 'open' : done.length > 0 ? 'all_done' : 'no_items';
  return { code, values: { list: only.list, open, done, lists: counted } };
}

function showTool(files: ListFiles): Tool {
  return defineTool({
    name: 'show_lists',
    positional: ['list'],
    aliases: { list: ['name'] },
    description: "The user's lists.",
    input: z.object({ list: listName.optional() }),
    output: z.array(z.object({ list: z.string(), items: z.array(z.object({ text: z.string(), done: z.boolean() })) })),
    policy: { effect: 'none' },
    provenance: { readsFrom: readsLists(files) },
    presentation: { examples: examplesOf('show_lists'), told: shownOf },
    timeoutMs: 10_000,
    execute: async ({ list }, { turn, holds }: ToolContext) => {
      const names = await namesOf(files, turn.project);
      const known = await knownAs(files, turn.project, list);
      const wanted = names.filter((name) => known === undefined || name === known);
      holds(...wanted.map((name) => thingOf(files, turn.project, name)));
      return Promise.all(
        wanted.map(async (name) => ({
          list: name,
          items: parseItems(await files.read(turn.project, pathOf(name))),
        })),
      );
    },
  });
}

/** Words of a list may mean any of them, so an error may name any. */
function readsLists(files: ListFiles) {
  return (_input: unknown, { turn }: ToolContext) => [folderThing(files.place(turn.project, LISTS_FOLDER))];
}

interface Change {
  readonly add?: readonly string[] | undefined;
  readonly tick?: readonly string[] | undefined;
  readonly remove?: readonly string[] | undefined;
  readonly clear?: boolean | undefined;
}

interface Changed {
  readonly items: Item[];
  readonly added: string[];
  readonly there: string[];
  readonly ticked: string[];
  readonly removed: string[];
  /** Items that were to be ticked or removed but are not on the list. */
  readonly missing: string[];
}

const NOTHING = { added: [], there: [], ticked: [], removed: [], missing: [] };

/** The items after a change, and what it did. A ticked item that is added again is open again. */
function changed(before: readonly Item[], { add = [], tick = [], remove = [], clear = false }: Change): Changed {
  const done: Changed = {
    items: clear ? [] : [...before],
    added: [],
    there: [],
    ticked: [],
    removed: clear ? before.map(({ text }) => text) : [],
    missing: [],
  };
  for (const text of add) {
    const at = done.items.findIndex((item) => sameText(item.text, text));
    const known = done.items[at];
    if (known && !known.done) done.there.push(known.text);
    else {
      done.items.splice(at < 0 ? done.items.length : at, at < 0 ? 0 : 1, { text, done: false });
      done.added.push(text);
    }
  }
  for (const text of tick) {
    const at = placeOf(done.items, text);
    const item = done.items[at];
    if (!item) done.missing.push(text);
    else {
      done.items[at] = { ...item, done: true };
      done.ticked.push(item.text);
    }
  }
  for (const text of remove) {
    const [item] = done.items.splice(placeOf(done.items, text), 1);
    if (item) done.removed.push(item.text);
    else done.missing.push(text);
  }
  return done;
}

/** By the whole text, else by a part of it that only one item has: "milk" for "2 l of milk". */
function placeOf(items: readonly Item[], text: string): number {
  const exact = items.findIndex((item) => sameText(item.text, text));
  if (exact >= 0) return exact;
  const part = ` ${fold(text)}`;
  const ways = [(item: string) => ` ${fold(item)}`.includes(part), (item: string) => speaksOf(item, text)];
  for (const fits of ways) {
    const parts = items.flatMap((item, index) => (fits(item.text) ? [index] : []));
    const open = parts.filter((index) => !items[index]?.done);
    const fitting = open.length > 0 ? open : parts;
    if (fitting.length > 0) return fitting.length === 1 ? (fitting[0] ?? items.length) : items.length;
  }
  return items.length;
}

/** Whether every longer word of a text is in an item, as it stands or inflected: "painted the fence". */
function speaksOf(item: string, text: string): boolean {
  const wordsOf = (words: string) => fold(words).match(/\p{L}{4,}/gu) ?? [];
  const own = wordsOf(item);
  const said = wordsOf(text);
  return (
    said.length > 0 &&
    said.every((word) =>
      own.some((other) => word.startsWith(other) || other.startsWith(word) || lemma(word) === lemma(other)),
    )
  );
}

/** Singular and plural of many words are one: "egg" and "eggs". */
function sameText(a: string, b: string): boolean {
  const plain = (text: string) => fold(text).replace(/s$/u, '');
  return plain(a) === plain(b);
}

async function listWith(files: ListFiles, project: string, texts: readonly string[]): Promise<string> {
  for (const name of await namesOf(files, project)) {
    const there = parseItems(await files.read(project, pathOf(name)));
    if (texts.length > 0 && texts.every((text) => placeOf(there, text) < there.length)) return name;
  }
  return 'shopping';
}

/** Lists that everybody has: "packing" is not an abbreviation of another list. */
const GENERAL: ReadonlySet<string> = new Set(['shopping', 'to-do', 'packing', 'reading', 'wish']);

/** "The berg list" is the list "berg trip" where no other has the word. */
async function knownAs(files: ListFiles, project: string, said: string | undefined): Promise<string | undefined> {
  if (said === undefined || GENERAL.has(said)) return said;
  const names = await namesOf(files, project);
  const words = said.split(' ');
  const fitting = names.filter((name) => words.every((word) => name.split(' ').includes(word)) || isEndOf(said, name));
  const [only, ...others] = fitting;
  return names.includes(said) || others.length > 0 ? said : (only ?? said);
}

/** "Geschenke" finds the compound "Weihnachtsgeschenke". */
function isEndOf(said: string, name: string): boolean {
  const [end, whole] = [said, name].map((word) => fold(word).replace(/(?:e[nr]?|n|s)$/u, ''));
  if (end === undefined || whole === undefined || end.length < 4) return false;
  return whole.endsWith(end) && /\p{L}$/u.test(whole.slice(0, -end.length));
}

async function namesOf(files: ListFiles, project: string): Promise<string[]> {
  if (!(await files.exists(project, LISTS_FOLDER))) return [];
  const entries = await files.list(project, LISTS_FOLDER);
  return entries.filter(({ name, folder }) => !folder && name.endsWith('.md')).map(({ name }) => name.slice(0, -3));
}

/** The list's file as the gate knows it. */
function thingOf(files: ListFiles, project: string, name: string): string {
  return fileThing(files.place(project, pathOf(name)));
}

function pathOf(name: string): string {
  return `${LISTS_FOLDER}/${name}.md`;
}

/** The items of a list as its file has them. */
export function parseItems(text: string): Item[] {
  return text.split('\n').flatMap((line) => {
    const [, mark, item] = ITEM.exec(line) ?? [];
    return item === undefined ? [] : [{ text: item, done: mark === 'x' || mark === 'X' }];
  });
}

/** Everything above the first item stays: a heading, or text of the person's. */
function textOf(name: string, before: string | undefined, after: readonly Item[]): string {
  const lines = (before ?? '').split('\n');
  const first = lines.findIndex((line) => ITEM.test(line));
  const above = before === undefined ? `# ${name}\n` : (first < 0 ? lines : lines.slice(0, first)).join('\n').trimEnd();
  const body = after.map(({ text, done }) => `- [${done ? 'x' : ' '}] ${text.replace(/\s+/gu, ' ')}`);
  return `${[`${above.trimEnd()}\n`, ...body].join('\n')}\n`;
}
