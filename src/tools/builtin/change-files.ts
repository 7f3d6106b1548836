import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { refusal, told } from '../../when/told.ts';
import type { ControlChange } from '../stakes.ts';
import { defineTool, type Tool, type ToolContext } from '../tool.ts';
import { authorOf } from '../undo/kept-states.ts';
import {
  controlChange,
  type FileToolParts,
  GONE,
  isControlled,
  PATH,
  PATH_ALIASES,
  sourceOf,
  thingOf,
} from './file-tool-parts.ts';
import { changing } from './ingested.ts';
import { lineDiff } from './line-diff.ts';
import { type FileSpace, notThere } from './project-files.ts';
import { replaceOnce } from './replace-once.ts';

const MAX_PART_CHARS = 200_000;

/** `edit_file`, `move_file`, `delete_file`. */
export function changeTools(parts: FileToolParts): Tool[] {
  return [editFile(parts), moveFile(parts), deleteFile(parts)];
}

function editFile(parts: FileToolParts): Tool {
  const { spaceOf, onWrite, known } = parts;
  return defineTool({
    name: 'edit_file',
    positional: ['path', 'old', 'new'],
    aliases: {
      path: PATH_ALIASES,
      old: ['old_string', 'oldString', 'old_text', 'oldText', 'search', 'find'],
      new: ['new_string', 'newString', 'new_text', 'newText', 'replace', 'replacement'],
    },
    description: 'Replace `old` (once in the file) by `new`.',
    input: z.object({ path: PATH, old: z.string().min(1).max(MAX_PART_CHARS), new: z.string().max(MAX_PART_CHARS) }),
    output: z.string(),
    policy: {
      effect: 'local',
      change: 'overwrite',
      control: ({ path, old, new: by }, context) => {
        const after = (before: string) => {
          const replaced = replaceOnce(before, old, by);
          return replaced.ok ? replaced.text : undefined;
        };
        return controlChange(spaceOf(context), path, after, context);
      },
    },
    provenance: {
      // A refusal quotes the line that comes nearest to `old`.
      readsFrom: ({ path }, context) => [sourceOf(spaceOf(context), path, context)],
      writesTo: ({ path }, context) => thingOf(spaceOf(context), path, context),
    },
    durability: { trace: 'version', versioned: true },
    presentation: { unremarkable: () => true },
    timeoutMs: 10_000,
    execute: async ({ path, old, new: by }, context) => {
      const { turn } = context;
      let [where, before] = ['', ''];
      const change = async (text: string | undefined) => {
        if (text === undefined) throw notThere(path);
        const replaced = replaceOnce(text, old, by);
        if (!replaced.ok) throw notReplaced(path, replaced.problem);
        [where, before] = [replaced.where, text];
        await onWrite(turn, path, replaced.text);
        return replaced.text;
      };
      const edit = () => spaceOf(context).edit(turn.project, path, change, authorOf(context));
      const after = await changing(parts, path, context, edit);
      known.edited(turn, path, { before, after });
      context.holds();
      return `Replaced in ${path}, ${where}.`;
    },
  });
}

function moveFile(parts: FileToolParts): Tool {
  const { spaceOf, onWrite, known } = parts;
  return defineTool({
    name: 'move_file',
    positional: ['from', 'to'],
    aliases: {
      from: ['source', 'src', 'path', 'old_path', 'oldPath'],
      to: ['destination', 'dest', 'target', 'new_path', 'newPath'],
    },
    description: 'Move or rename a project file; `to` must be free.',
    input: z.object({ from: PATH, to: PATH }),
    output: z.string(),
    policy: {
      effect: 'local',
      change: 'overwrite',
      control: (names, context) => movedControl(spaceOf(context), named(names), context),
    },
    provenance: {
      // Its labels move with it.
      readsFrom: ({ from }, context) => [sourceOf(spaceOf(context), from, context)],
      writesTo: (names, context) => thingOf(spaceOf(context), named(names).to, context),
    },
    durability: { trace: 'version', versioned: true },
    timeoutMs: 10_000,
    execute: async (names, context) => {
      const { turn } = context;
      const space = spaceOf(context);
      const { from, to } = named(names);
      if (await space.exists(turn.project, to)) throw inTheWay(to);
      if (turn.origin === 'schedule') await onWrite(turn, to, await space.read(turn.project, from));
      await changing(parts, from, context, () => space.move(turn.project, { from, to }, authorOf(context)));
      known.moved(turn, { from, to });
      return `Moved ${from} to ${to}.`;
    },
  });
}

function deleteFile(parts: FileToolParts): Tool {
  const { spaceOf } = parts;
  return defineTool({
    name: 'delete_file',
    positional: ['path'],
    aliases: { path: PATH_ALIASES },
    description: 'Delete a project file.',
    input: z.object({ path: PATH }),
    output: z.string(),
    policy: {
      effect: 'local',
      change: 'delete',
      control: ({ path }, context) => controlChange(spaceOf(context), path, () => GONE, context),
    },
    provenance: { readsFrom: [] },
    durability: { trace: 'version', versioned: true },
    timeoutMs: 10_000,
    execute: async ({ path }, context) => {
      const space = spaceOf(context);
      const act = () => space.delete(context.turn.project, path, authorOf(context));
      await changing(parts, path, context, act);
      return `Deleted ${path}.`;
    },
  });
}

interface Names {
  readonly from: string;
  readonly to: string;
}

/** A file moved into a folder keeps its name. */
function named({ from, to }: Names): Names {
  return { from, to: to.endsWith('/') ? `${to}${from.split('/').at(-1)}` : to };
}

/** What becomes of a control file that is moved away or created: both names, as one without the other is neither. */
async function movedControl(
  space: FileSpace,
  { from, to }: Names,
  context: ToolContext,
): Promise<ControlChange | undefined> {
  const isCreated = await isControlled(space, to, context);
  if (space.look === undefined || !(isCreated || (await isControlled(space, from, context)))) return undefined;
  const moved = await space.look(context.turn.project, from);
  if (!moved) return undefined;
  const { text, hash } = moved;
  const diff = isCreated ? lineDiff(undefined, text) : lineDiff(text, '');
  return {
    diff,
    stakes: [
      { before: hash, after: undefined },
      { before: undefined, after: hash },
    ],
  };
}

function notReplaced(path: string, problem: string): AssistantError {
  return new AssistantError('path_refused', `${path} was not changed: ${problem}`, {
    hint: 'Give `old` exactly as read_file shows it.',
  });
}

function inTheWay(path: string): AssistantError {
  const hint = 'Choose another name, or delete_file it first.';
  return refusal('path_refused', told('file_there', { path }), { hint, advises: true });
}
