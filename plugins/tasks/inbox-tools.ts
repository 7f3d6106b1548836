import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { defineTool, replaceFile, type Tool, type ToolContext, z } from '#plugin';
import { tag, writeAction } from './action.ts';
import { findItem, withText } from './list-file.ts';
import { type Lists, type Offer, oneLine, stamp } from './lists.ts';

const COMMON = { timeoutMs: 5000 } as const;
const WHICH = z.union([z.string().trim().min(1), z.number().int().positive()]);
const Move = z.object({
  item: WHICH,
  to: z.enum(['next', 'waiting', 'someday', 'archive']),
  context: z.string().optional(),
  project: z.string().optional(),
  due: z.iso.date().optional(),
  who: z.string().optional().describe('for waiting: who owes it'),
});

export function inboxTools(lists: Lists, offer: Offer): Tool[] {
  return [
    captureItem(lists, offer),
    viewInbox(lists, offer),
    completeItem(lists, offer),
    moveItem(lists, offer),
    waitFor(lists, offer),
  ];
}

function captureItem({ inbox }: Lists, offer: Offer): Tool {
  return defineTool({
    name: 'capture_item',
    positional: ['text'],
    aliases: { text: ['item', 'task', 'description', 'title'] },
    description: "Add a line to the user's GTD inbox; for journal notes: write_note.",
    input: z.object({ text: z.string().trim().min(1).max(2000) }),
    ...COMMON,
    policy: { effect: 'local', change: 'append' },
    provenance: { readsFrom: [], writesTo: () => inbox.source },
    presentation: { offer: (turn) => existsSync(inbox.path) || offer(turn) },
    execute: async ({ text }, context) => {
      const line = `- [ ] ${stamp(context)} ${oneLine(text)}`;
      await inbox.change(() => ({ append: [line], result: undefined }));
      return `Captured in gtd/inbox.md: ${line}`;
    },
  });
}

function viewInbox({ inbox }: Lists, offer: Offer): Tool {
  return defineTool({
    name: 'view_inbox_items',
    description: "List the user's GTD inbox.",
    input: z.object({}),
    ...COMMON,
    policy: { effect: 'none' },
    provenance: { readsFrom: [inbox.source] },
    presentation: { offer: (turn) => existsSync(inbox.path) || offer(turn) },
    execute: async () => (await inbox.items()).filter(({ done }) => !done).map(({ line }) => line.text),
  });
}

function completeItem({ inbox, versioned }: Lists, offer: Offer): Tool {
  return defineTool({
    name: 'complete_inbox_item',
    positional: ['item'],
    aliases: { item: ['identifier', 'id', 'text', 'number'] },
    description: 'Tick off one item of the inbox, by its number in view_inbox_items or by its words.',
    input: z.object({ item: WHICH }),
    ...COMMON,
    policy: { effect: 'local' },
    provenance: { readsFrom: [inbox.source], writesTo: () => inbox.source },
    durability: { versioned },
    presentation: { offer },
    execute: ({ item }, context) =>
      inbox.change((items) => {
        const found = findItem(items, item);
        const text = withText(found, `${found.text} (Completed: ${stamp(context)})`, true);
        return { replace: new Map([[found.line, text]]), result: `Done: ${found.text}` };
      }),
  });
}

function moveItem(lists: Lists, offer: Offer): Tool {
  return defineTool({
    name: 'move_inbox_item',
    positional: ['item', 'to'],
    aliases: { item: ['identifier', 'id', 'text', 'number'], to: ['destination', 'list'] },
    description: 'Move one item of the inbox to the next actions, the waiting or someday list, or put it away.',
    input: Move,
    ...COMMON,
    policy: { effect: 'local' },
    provenance: {
      readsFrom: [lists.inbox.source],
      // What it puts away gets a file of its own, which no tool reads.
      writesTo: ({ to }) => [lists.inbox.source, ...(to === 'archive' ? [] : [lists[to].source])],
    },
    durability: { versioned: lists.versioned },
    presentation: { offer },
    execute: async (input, context) => {
      // Added to the new list before it leaves the old one: a failure in between duplicates it, but never loses it.
      const found = findItem(await lists.inbox.items(), input.item);
      await place(lists, { ...input, text: found.text.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? /u, '') }, context);
      await lists.inbox.change((items) => {
        const again = items.find(({ line }) => line.text === found.line.text);
        return { replace: new Map(again ? [[again.line, undefined]] : []), result: undefined };
      });
      return `Moved to ${input.to}: ${found.text}`;
    },
  });
}

async function place(lists: Lists, item: z.output<typeof Move> & { text: string }, context: ToolContext) {
  const { to, text, due } = item;
  const at = stamp(context);
  if (to === 'archive') return archive(lists.archive, text, context);
  if (to === 'next') {
    const parts = { text, due, context: tag(item.context), project: tag(item.project) };
    const line = `- [ ] ${writeAction({ ...parts, notes: [`(Captured: ${at})`] })}`;
    return lists.next.change(() => ({ append: [line], result: undefined }));
  }
  const line = to === 'someday' ? `- [ ] ${text} (Captured: ${at})` : waitingLine(text, item.who, at);
  return lists[to].change(() => ({ append: [line], result: undefined }));
}

function waitFor({ waiting }: Lists, offer: Offer): Tool {
  return defineTool({
    name: 'add_waiting_for_item',
    positional: ['description', 'waitingFor'],
    aliases: { description: ['text', 'item', 'what'], waitingFor: ['who', 'person'] },
    description: 'Note what the user waits for, and from whom.',
    input: z.object({ description: z.string().trim().min(1).max(2000), waitingFor: z.string().trim().min(1) }),
    ...COMMON,
    policy: { effect: 'local', change: 'append' },
    provenance: { readsFrom: [], writesTo: () => waiting.source },
    presentation: { offer },
    execute: async ({ description, waitingFor }, context) => {
      const line = waitingLine(oneLine(description), waitingFor, stamp(context));
      await waiting.change(() => ({ append: [line], result: undefined }));
      return `Added: ${line}`;
    },
  });
}

function waitingLine(text: string, who: string | undefined, at: string): string {
  return `- [ ] ${text} - Waiting For: ${oneLine(who ?? 'somebody')} (Logged: ${at.slice(0, 10)}, Captured: ${at})`;
}

/** One file per item, named after when and what. */
async function archive(folder: string, text: string, { now }: ToolContext): Promise<void> {
  const at = now().toISOString();
  const name = text
    .slice(0, 30)
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/gu, '');
  const path = join(folder, `${at.replace(/[:.]/gu, '-')}_${name}.md`);
  await replaceFile(path, `---\narchived: ${at}\n---\n${text}\n`);
}
