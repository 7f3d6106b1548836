import { defineTool, localDate, type Tool, type ToolContext, z } from '#plugin';
import { type Action, readAction, tag, writeAction } from './action.ts';
import { findItem, type Item, withText } from './list-file.ts';
import { type Lists, type Offer, oneLine, stamp } from './lists.ts';

const COMMON = { timeoutMs: 5000 } as const;
const WHICH = z.union([z.string().trim().min(1), z.number().int().positive()]);
const DAY_MS = 86_400_000;
const Filter = z.object({
  context: z.string().optional(),
  project: z.string().optional(),
  due: z.union([z.enum(['today', 'overdue', 'week']), z.iso.date()]).optional(),
  status: z.enum(['open', 'done', 'all']).default('open'),
});

export function actionTools(lists: Lists, offer: Offer): Tool[] {
  return [view(lists, offer), add(lists, offer), complete(lists, offer), edit(lists, offer), others(lists, offer)];
}

function view({ next }: Lists, offer: Offer): Tool {
  return defineTool({
    name: 'view_next_actions',
    description: "List the user's next actions with their numbers: all, or those of a context, project or due date.",
    input: Filter,
    ...COMMON,
    policy: { effect: 'none' },
    provenance: { readsFrom: [next.source] },
    presentation: { offer },
    execute: async (filter, { now, timeZone }) => {
      const items = await next.items();
      const open = items.filter(({ done }) => !done);
      const day = (days: number) => localDate(new Date(now().getTime() + days * DAY_MS), timeZone);
      return items
        .map((item) => ({ item, action: readAction(item.text) }))
        .filter(({ item, action }) => fits(item, action, filter, day))
        .map(({ item, action }) => rowOf(item, action, open.indexOf(item) + 1));
    },
  });
}

function rowOf({ done }: Item, { text, context, project, due }: Action, number: number) {
  const tags = { ...(context && { context }), ...(project && { project }), ...(due && { due }) };
  return { ...(done ? { done } : { number }), text, ...tags };
}

/** Dates are compared in the owner's zone, whatever zone the machine is in. */
function fits(item: Item, action: Action, filter: z.output<typeof Filter>, day: (days: number) => string): boolean {
  const { due } = filter;
  if (filter.status !== 'all' && item.done !== (filter.status === 'done')) return false;
  if (filter.context && !same(action.context, filter.context)) return false;
  if (filter.project && !same(action.project, filter.project)) return false;
  if (due === undefined) return true;
  if (action.due === undefined) return false;
  if (due === 'today') return action.due === day(0);
  if (due === 'overdue') return action.due < day(0);
  return due === 'week' ? action.due <= day(7) : action.due === due;
}

function same(a: string | undefined, b: string): boolean {
  return a?.toLowerCase() === tag(b)?.toLowerCase();
}

function add({ next }: Lists, offer: Offer): Tool {
  return defineTool({
    name: 'add_next_action',
    positional: ['text'],
    aliases: { text: ['action', 'task', 'description', 'title'] },
    description: "Add one action to the user's next actions. `due` is a date: 2026-12-24.",
    input: z.object({
      text: z.string().trim().min(1).max(2000),
      context: z.string().optional(),
      project: z.string().optional(),
      due: z.iso.date().optional(),
    }),
    ...COMMON,
    policy: { effect: 'local', change: 'append' },
    provenance: { readsFrom: [], writesTo: () => next.source },
    presentation: { offer },
    execute: async (input, context) => {
      const said = readAction(oneLine(input.text));
      const notes = [...said.notes, `(Captured: ${stamp(context)})`];
      const tags = { context: tag(input.context) ?? said.context, project: tag(input.project) ?? said.project };
      const line = `- [ ] ${writeAction({ text: said.text, ...tags, due: input.due ?? said.due, notes })}`;
      await next.change(() => ({ append: [line], result: undefined }));
      return `Added: ${line}`;
    },
  });
}

function complete({ next, versioned }: Lists, offer: Offer): Tool {
  return defineTool({
    name: 'complete_next_action',
    positional: ['action'],
    aliases: { action: ['identifier', 'id', 'text', 'number', 'item'] },
    description: 'Tick off one next action, by its number in view_next_actions, its id or words that only it has.',
    input: z.object({ action: WHICH }),
    ...COMMON,
    policy: { effect: 'local' },
    provenance: { readsFrom: [next.source], writesTo: () => next.source },
    durability: { versioned },
    presentation: { offer },
    execute: ({ action }, context) =>
      next.change((items) => {
        const found = findItem(items, action);
        const text = withText(found, `${found.text} (Completed: ${stamp(context)})`, true);
        return { replace: new Map([[found.line, text]]), result: `Done: ${readAction(found.text).text}` };
      }),
  });
}

function edit({ next, versioned }: Lists, offer: Offer): Tool {
  const field = z.string().nullish();
  return defineTool({
    name: 'edit_next_action',
    positional: ['action', 'updates'],
    aliases: { action: ['identifier', 'id', 'number', 'item'] },
    description: 'Change text, context, project or due date of one next action; null takes one away.',
    input: z.object({
      action: WHICH,
      updates: z.object({
        text: z.string().trim().min(1).max(2000).optional(),
        context: field,
        project: field,
        due: z.iso.date().nullish(),
      }),
    }),
    ...COMMON,
    policy: { effect: 'local' },
    provenance: { readsFrom: [next.source], writesTo: () => next.source },
    durability: { versioned },
    presentation: { offer },
    execute: ({ action, updates }) =>
      next.change((items) => {
        const found = findItem(items, action);
        const text = writeAction(updated(readAction(found.text), updates));
        return { replace: new Map([[found.line, withText(found, text)]]), result: `Changed to: ${text}` };
      }),
  });
}

interface Updates {
  readonly text?: string | undefined;
  readonly context?: string | null | undefined;
  readonly project?: string | null | undefined;
  readonly due?: string | null | undefined;
}

function updated(action: Action, { text, context, project, due }: Updates): Action {
  const change = (old: string | undefined, value: string | null | undefined) =>
    value === undefined ? old : tag(value ?? '');
  return {
    text: text === undefined ? action.text : oneLine(text),
    context: change(action.context, context),
    project: change(action.project, project),
    due: due === undefined ? action.due : (due ?? undefined),
    notes: action.notes,
  };
}

/** The two lists that are reviewed now and then. */
function others(lists: Lists, offer: Offer): Tool {
  return defineTool({
    name: 'view_gtd_list',
    positional: ['list'],
    description: 'List what the user waits for from others, or may do some day.',
    input: z.object({ list: z.enum(['waiting', 'someday']) }),
    ...COMMON,
    policy: { effect: 'none' },
    provenance: { readsFrom: ({ list }) => [lists[list].source] },
    presentation: { offer },
    execute: async ({ list }, _context: ToolContext) =>
      (await lists[list].items()).filter(({ done }) => !done).map(({ text }) => text),
  });
}
