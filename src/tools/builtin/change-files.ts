import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { refusal, told } from '../../when/told.ts';
import { defineTool, type Tool, type ToolContext } from '../tool.ts';
import {
  controlDiff,
  type FileToolParts,
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
        return controlDiff(spaceOf(context), path, after, context);
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
      const { turn, idempotencyKey } = context;
      let [where, before] = ['', ''];
      const change = async (text: string | undefined) => {
        if (text === undefined) throw notThere(path);
        const replaced = replaceOnce(text, old, by);
        if (!replaced.ok) throw notReplaced(path, replaced.problem);
        [where, before] = [replaced.where, text];
        await onWrite(turn, path, replaced.text);
        return replaced.text;
      };
      const author = { turnId: turn.id, idempotencyKey };
      const edit = () => spaceOf(context).edit(turn.project, path, change, author);
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
    description: 'Move or rename a file of the project. `to` must be free.',
    input: z.object({ from: PATH, to: PATH }),
    output: z.string(),
    policy: {
      effect: 'local',
      change: 'overwrite',
      control: ({ from, to }, context) => movedControl(spaceOf(context), { from, to }, context),
    },
    provenance: {
      // Its labels move with it.
      readsFrom: ({ from }, context) => [sourceOf(spaceOf(context), from, context)],
      writesTo: ({ to }, context) => thingOf(spaceOf(context), to, context),
    },
    durability: { trace: 'version', versioned: true },
    timeoutMs: 10_000,
    execute: async ({ from, to: given }, context) => {
      const { turn, idempotencyKey } = context;
      const space = spaceOf(context);
      const to = given.endsWith('/') ? `${given}${from.split('/').at(-1)}` : given;
      if (await space.exists(turn.project, to)) throw inTheWay(to);
      if (turn.origin === 'schedule') await onWrite(turn, to, await space.read(turn.project, from));
      const by = { turnId: turn.id, idempotencyKey };
      await changing(parts, from, context, () => space.move(turn.project, { from, to }, by));
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
    description: 'Delete one file of the project; the user can undo it.',
    input: z.object({ path: PATH }),
    output: z.string(),
    policy: {
      effect: 'local',
      change: 'delete',
      control: ({ path }, context) => controlDiff(spaceOf(context), path, () => '', context),
    },
    provenance: { readsFrom: [] },
    durability: { trace: 'version', versioned: true },
    timeoutMs: 10_000,
    execute: async ({ path }, context) => {
      const { turn, idempotencyKey } = context;
      const by = { turnId: turn.id, idempotencyKey };
      await changing(parts, path, context, () => spaceOf(context).delete(turn.project, path, by));
      return `Deleted ${path}.`;
    },
  });
}

/** The diff for a control file that is moved away or created. */
async function movedControl(
  space: FileSpace,
  { from, to }: { readonly from: string; readonly to: string },
  context: ToolContext,
): Promise<string | undefined> {
  const gone = await controlDiff(space, from, () => '', context);
  if (!(await isControlled(space, to, context))) return gone;
  const exists = await space.exists(context.turn.project, from);
  return lineDiff(undefined, exists ? await space.read(context.turn.project, from) : '');
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
