import { z } from 'zod';
import { loadExamples } from '../../base/examples.ts';
import { localTime } from '../../when/calendar.ts';
import { inputWords } from '../gate/effect-rows.ts';
import type { ControlChange } from '../stakes.ts';
import { defineTool, OUTSIDE, type Tool, type ToolContext } from '../tool.ts';
import type { Change, Undo } from '../undo/undo.ts';
import { obeyedBy } from './control-files.ts';
import { lineDiff } from './line-diff.ts';

/** Models are not told of it beforehand. */
const SELDOM = { seldom: true } as const;

const row = z.object({
  id: z.string(),
  at: z.string(),
  tool: z.string(),
  what: z.string(),
  paths: z.array(z.string()).optional().meta(SELDOM),
  /** Made in another conversation. */
  elsewhere: z.literal(true).optional().meta(SELDOM),
});
type Row = z.output<typeof row>;

const report = z.object({
  outcome: z.enum(['undone', 'nothing_to_undo', 'changed_since', 'no_such_change']),
  undone: z.array(row).meta(SELDOM),
  /** What became of what. */
  things: z.array(z.string()),
});
type Report = z.output<typeof report>;

const examplesOf = loadExamples(import.meta.dirname, 'undo-change');
/** As long as a person reads a line. */
const WHAT_CHARS = 120;
const LISTED = 20;
/** What is told of a change of this conversation, this conversation has said itself. */
const sourcesOf = (rows: readonly Row[]) => rows.flatMap(({ elsewhere }) => (elsewhere ? [OUTSIDE] : []));

/** `list_changes` and `undo_change`: what `wooster undo` can bring back, for models and people in their own words. */
export function createUndoTools(undo: Pick<Undo, 'changes' | 'effect' | 'files'>): Tool[] {
  return [listTool(undo), undoTool(undo)];
}

function listTool(undo: Pick<Undo, 'changes'>): Tool {
  return defineTool({
    name: 'list_changes',
    description: 'What undo_change can take back.',
    input: z.object({
      path: z.string().trim().min(1).max(1000).optional(),
      since: z.iso.date().optional(),
    }),
    output: z.array(row),
    policy: { effect: 'none' },
    presentation: { examples: examplesOf('list_changes') },
    timeoutMs: 10_000,
    execute: async ({ path, since = '' }, context) => {
      const rows: Row[] = [];
      for await (const change of undo.changes(context.turn.project)) {
        const found = rowOf(change, context);
        if (found.at >= since && (path === undefined || isOf(change, path))) rows.push(found);
        // One more than is shown tells that there are more.
        if (rows.length > LISTED) break;
      }
      if (rows.length > LISTED) context.beside?.('Older changes are not listed: give a path.');
      const listed = rows.slice(0, LISTED);
      context.holds(...sourcesOf(listed));
      return listed;
    },
  });
}

function undoTool(undo: Pick<Undo, 'changes' | 'effect' | 'files'>): Tool {
  return defineTool({
    name: 'undo_change',
    positional: ['id'],
    aliases: { id: ['change', 'effect'] },
    description: 'Undo the last change here, or the one with this id.',
    input: z.object({ id: z.string().trim().min(1).max(100).optional() }),
    output: report,
    policy: { effect: 'local', change: 'overwrite', control: ({ id }, context) => obeyedAgain(undo, id, context) },
    // What undoing replaces is kept as the change before it was.
    durability: { versioned: true },
    presentation: {
      examples: examplesOf('undo_change'),
      told: ({ outcome, undone: [first], things }) => ({
        code: outcome,
        values: { ...(first && { what: first.what, tool: first.tool }), things: things.join('; ') },
      }),
    },
    timeoutMs: 30_000,
    execute: async ({ id }, context): Promise<Report> => {
      const change = await chosen(undo, id, context);
      if (!change) {
        context.holds();
        return { outcome: id === undefined ? 'nothing_to_undo' : 'no_such_change', undone: [], things: [] };
      }
      const { outcome, things } = await undo.effect(change.id, { untrusted: context.untrusted });
      const row = rowOf(change, context);
      context.holds(...sourcesOf([row]));
      const isDone = outcome === 'undone' || outcome === 'unchanged';
      return {
        outcome: isDone ? 'undone' : outcome === 'changed' ? 'changed_since' : 'nothing_to_undo',
        undone: [row],
        things: [...things],
      };
    },
  });
}

/**
 * What undoing would do to files that are obeyed. A change of this conversation, while that has read only the owner's
 * texts, was agreed to here: taking it back is no more than that.
 */
async function obeyedAgain(
  undo: Pick<Undo, 'changes' | 'files'>,
  id: string | undefined,
  context: ToolContext,
): Promise<ControlChange | undefined> {
  const change = await chosen(undo, id, context);
  if (!change) return undefined;
  const { untrusted, turn } = context;
  const asks = (path: string) => {
    const obeyed = obeyedBy(path);
    if (untrusted) return obeyed !== 'text';
    return obeyed === 'wooster' && change.conversationId !== turn.conversationId;
  };
  const files = (await undo.files(change.id)).filter(({ path }) => asks(path));
  if (files.length === 0) return undefined;
  return {
    diff: files.map(({ path, now, earlier }) => `  ${path}\n${lineDiff(now?.text, earlier?.text ?? '')}`).join('\n'),
    stakes: files.map(({ now, earlier }) => ({ before: now?.hash, after: earlier?.hash })),
  };
}

/** The newest of the conversation, or the one that is named: never one of another project. */
async function chosen(
  undo: Pick<Undo, 'changes'>,
  id: string | undefined,
  { turn }: ToolContext,
): Promise<Change | undefined> {
  for await (const change of undo.changes(turn.project))
    if (id === undefined ? change.conversationId === turn.conversationId : change.id === id) return change;
  return undefined;
}

function isOf({ paths }: Change, path: string): boolean {
  const plain = path.replace(/^\.\//u, '');
  return paths.some((each) => each === plain || each.endsWith(`/${plain}`));
}

function rowOf({ id, at, tool, input, paths, conversationId }: Change, { turn, timeZone }: ToolContext): Row {
  const elsewhere = conversationId === turn.conversationId ? {} : { elsewhere: true as const };
  const files = paths.length === 0 ? {} : { paths: [...paths] };
  return {
    id,
    at: localTime(new Date(at), timeZone).slice(0, 16),
    tool,
    what: inputWords(input, WHAT_CHARS),
    ...files,
    ...elsewhere,
  };
}
