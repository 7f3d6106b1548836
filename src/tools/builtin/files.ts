import { z } from 'zod';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { loadExamples } from '../../base/examples.ts';
import { citation } from '../../rag/citation.ts';
import { defineTool, type Tool, type ToolContext } from '../tool.ts';
import { authorOf } from '../undo/kept-states.ts';
import { changeTools } from './change-files.ts';
import {
  controlChange,
  type FileToolParts,
  type Ingested,
  type OnWrite,
  PATH,
  PATH_ALIASES,
  sourceOf,
  thingOf,
} from './file-tool-parts.ts';
import { findTools, matching } from './find-files.ts';
import { ingestedText, isThere, ownName } from './ingested.ts';
import { KnownFiles } from './known-files.ts';
import type { FileSpace } from './project-files.ts';

const DEFAULT_LINES = 400;
const MAX_CONTENT_CHARS = 1_000_000;
/** The most files that one call reads. */
const MAX_FILES = 20;

/**
 * `read_file`, `write_file`, `edit_file`, `move_file`, `delete_file`, `list_directory`, `search_files`.
 *
 * @param spaceOf the files a conversation works on now: its project's folder or its workspace.
 */
export function createFileTools(
  spaceOf: (conversationId: string) => FileSpace,
  { onWrite = async () => {}, ingested }: { readonly onWrite?: OnWrite; readonly ingested?: Ingested } = {},
): Tool[] {
  const parts = {
    ingested,
    spaceOf: ({ turn }: ToolContext) => spaceOf(turn.conversationId),
    onWrite,
    known: new KnownFiles(),
  };
  return [readFile(parts), writeFile(parts), ...changeTools(parts), ...findTools(parts)];
}

const PASSAGE = z.object({ path: z.string(), citation: z.string(), text: z.string() });

function readFile(parts: FileToolParts): Tool {
  return defineTool({
    name: 'read_file',
    positional: ['path', 'offset', 'limit'],
    aliases: { path: [...PATH_ALIASES, 'paths', 'files'] },
    description: 'Read a file or document.',
    input: z.object({
      path: z
        .union([PATH, z.array(PATH).min(1).max(MAX_FILES)])
        .describe(`also a glob (notes/*.md), up to ${MAX_FILES} files`),
      offset: z.int().min(1).default(1).describe('first line'),
      limit: z.int().min(1).max(10_000).default(DEFAULT_LINES).describe(`lines, ${DEFAULT_LINES} unless given`),
    }),
    output: z.union([z.string(), z.array(PASSAGE)]),
    policy: { effect: 'none' },
    provenance: {
      readsFrom: ({ path }, context) => [path].flat().map((file) => sourceOf(parts.spaceOf(context), file, context)),
    },
    presentation: { examples: loadExamples(import.meta.dirname, 'files')('read_file') },
    timeoutMs: 10_000,
    execute: async ({ path, offset, limit }, context) => {
      const read = (file: string) => readLines(parts, { file, offset, limit }, context);
      const single = typeof path === 'string' && !(await isGlob(parts, path, context)) ? path : undefined;
      if (single !== undefined) return (await read(single)).text;
      const found: z.output<typeof PASSAGE>[] = [];
      context.holds();
      for (const file of await filesOf(parts, path, context)) found.push(await read(file).catch(unreadable(file)));
      return found;
    },
  });
}

interface Part {
  readonly file: string;
  readonly offset: number;
  readonly limit: number;
}

async function readLines(parts: FileToolParts, part: Part, context: ToolContext): Promise<z.output<typeof PASSAGE>> {
  const { turn } = context;
  const { file: given } = part;
  const own = ownName(turn.project, given);
  const file = own !== given && (await isThere(parts, own, context)) ? own : given;
  const document = (await isThere(parts, file, context)) ? undefined : await ingestedText(parts, file, context);
  if (document) {
    context.holds(document.source);
    return { path: document.file, citation: `[${document.file}]`, text: linesOf(document.text, part).text };
  }
  const space = parts.spaceOf(context);
  context.holds(sourceOf(space, file, context));
  const content = await space.read(turn.project, file);
  parts.known.saw(turn, file, content);
  const { text, lines } = linesOf(content, part);
  return { path: file, citation: citation({ file, lines }), text };
}

/** The lines that were asked for, and which they are. */
function linesOf(content: string, { offset, limit }: Part): { text: string; lines: [number, number] } {
  const lines = content.split('\n');
  // A trailing line break does not start another line.
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  const shown = lines.slice(offset - 1, offset - 1 + limit);
  const last = offset - 1 + shown.length;
  const whole = offset === 1 && last === lines.length;
  const rest = lines.length - last;
  const text = whole ? content : shown.join('\n');
  return {
    text: rest > 0 ? `${text}\n… ${rest} more lines; read on with offset ${last + 1}.` : text,
    lines: [offset, Math.max(offset, last)],
  };
}

/** One file that cannot be read does not keep the others from being read. */
function unreadable(file: string): (error: unknown) => z.output<typeof PASSAGE> {
  return (error) => {
    if (!(error instanceof AssistantError)) throw error;
    return { path: file, citation: '', text: `(not read: ${messageOf(error)})` };
  };
}

/** A file whose name happens to contain glob characters is taken literally. */
async function isGlob({ spaceOf }: FileToolParts, path: string, context: ToolContext): Promise<boolean> {
  const isCitation = /^\[.*\]$/u.test(path);
  return !isCitation && /[*?{[]/u.test(path) && !(await spaceOf(context).exists(context.turn.project, path));
}

async function filesOf(parts: FileToolParts, paths: string | readonly string[], context: ToolContext) {
  const files = new Set<string>();
  for (const path of [paths].flat()) {
    const some = (await isGlob(parts, path, context)) ? await matching(parts, path, context) : [path];
    for (const file of some) files.add(file);
  }
  if (files.size <= MAX_FILES) return files;
  throw new AssistantError('bad_usage', `${files.size} files match; at most ${MAX_FILES} are read at once.`, {
    hint: 'Give a narrower glob, or use search_files or query_rag.',
  });
}

function writeFile({ spaceOf, onWrite, known }: FileToolParts): Tool {
  return defineTool({
    name: 'write_file',
    positional: ['path', 'content'],
    aliases: { path: PATH_ALIASES, content: ['text', 'body', 'data'] },
    description: 'Create a text file, or replace one you have read.',
    input: z.object({ path: PATH, content: z.string().max(MAX_CONTENT_CHARS) }),
    output: z.string(),
    policy: {
      effect: 'local',
      change: async ({ path }, context) =>
        (await spaceOf(context).exists(context.turn.project, path)) ? 'overwrite' : 'append',
      control: ({ path, content }, context) => controlChange(spaceOf(context), path, () => content, context),
    },
    provenance: {
      readsFrom: [],
      replaces: true,
      writesTo: ({ path }, context) => thingOf(spaceOf(context), path, context),
    },
    durability: { trace: 'version', versioned: true },
    presentation: { examples: loadExamples(import.meta.dirname, 'files')('write_file') },
    timeoutMs: 10_000,
    execute: async ({ path, content }, context) => {
      const { turn } = context;
      const space = spaceOf(context);
      if (await space.exists(turn.project, path)) {
        const before = await space.read(turn.project, path);
        if (!context.agreed) known.mayReplace({ turn, path, content }, before);
      }
      await onWrite(turn, path, content);
      await space.write(turn.project, path, content, authorOf(context));
      known.saw(turn, path, content);
      return `Wrote ${content.length} characters to ${path}.`;
    },
  });
}
