import { z } from 'zod';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { loadExamples } from '../../base/examples.ts';
import { counted } from '../../base/text.ts';
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
import { withNear } from './near-files.ts';
import type { FileSpace } from './project-files.ts';

/** The most characters that one call reads or writes. */
const MAX_CONTENT_CHARS = 1_000_000;
/** What is said beside a part of a file takes this much of a model's view. */
const NOTE_CHARS = 300;
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

const PASSAGE = z.object({
  path: z.string(),
  citation: z.string(),
  text: z.string(),
  /** Lines behind the text, which did not fit. */
  more: z.number().optional().meta({ seldom: true }),
});
type Passage = z.output<typeof PASSAGE>;

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
      limit: z.int().min(1).max(100_000).optional().describe('lines'),
    }),
    output: z.union([z.string(), z.array(PASSAGE)]),
    policy: { effect: 'none' },
    provenance: {
      readsFrom: ({ path }, context) => [path].flat().map((file) => sourceOf(parts.spaceOf(context), file, context)),
    },
    presentation: { examples: loadExamples(import.meta.dirname, 'files')('read_file'), whole: true },
    timeoutMs: 10_000,
    execute: async ({ path, offset, limit }, context) => {
      const single = typeof path === 'string' && !(await isGlob(parts, path, context)) ? path : undefined;
      const files = single === undefined ? [...(await filesOf(parts, path, context))] : [single];
      const most = Math.floor(mostChars(context) / files.length);
      const read = (file: string) =>
        readLines(parts, { file, offset, limit, most }, context).catch(async (error: unknown) => {
          throw await withNear(parts, file, error, context);
        });
      if (single !== undefined) {
        const { text, citation: place, more } = await read(single);
        context.beside?.(more === undefined ? place : `${place} ${readOn(more, offset, text)}`);
        return text;
      }
      const found: Passage[] = [];
      context.holds();
      for (const file of files) found.push(await read(file).catch(unreadable(file)));
      return found;
    },
  });
}

interface Part {
  readonly file: string;
  readonly offset: number;
  readonly limit: number | undefined;
  /** The most characters. */
  readonly most: number;
}

/** A script gets all of a file, a model as many lines as it is shown. */
function mostChars({ viewChars }: ToolContext): number {
  return viewChars === undefined ? MAX_CONTENT_CHARS : Math.max(1, Math.min(MAX_CONTENT_CHARS, viewChars - NOTE_CHARS));
}

function readOn(more: number, offset: number, text: string): string {
  return `${counted(more, 'line')} more: read on with offset ${offset + text.split('\n').length}.`;
}

async function readLines(parts: FileToolParts, part: Part, context: ToolContext): Promise<Passage> {
  const { turn } = context;
  const { file: given } = part;
  const own = ownName(turn.project, given);
  const file = own !== given && (await isThere(parts, own, context)) ? own : given;
  const document = (await isThere(parts, file, context)) ? undefined : await ingestedText(parts, file, context);
  if (document) {
    context.holds(document.source);
    const { text, more } = linesOf(document.text, part, context);
    return { path: document.file, citation: `[${document.file}]`, text, ...more };
  }
  const space = parts.spaceOf(context);
  context.holds(sourceOf(space, file, context));
  const content = await space.read(turn.project, file);
  parts.known.saw(turn, file, content);
  const { text, lines, more } = linesOf(content, part, context);
  return { path: file, citation: citation({ file, lines }), text, ...more };
}

interface Lines {
  readonly text: string;
  readonly lines: [from: number, to: number];
  readonly more?: { readonly more: number };
}

/**
 * The lines that were asked for, and which they are. What is left out is never said in the text, which may be written
 * back.
 *
 * @throws AssistantError `bad_usage` where a script asks for more than one call gives.
 */
function linesOf(content: string, { offset, limit, most }: Part, { inScript }: ToolContext): Lines {
  const lines = content.split('\n');
  // A trailing line break does not start another line.
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  const wanted = lines.slice(offset - 1, limit === undefined ? undefined : offset - 1 + limit);
  const shown = wanted.slice(0, fitting(wanted, most));
  if (inScript && shown.length < wanted.length) throw tooLong(lines.length, most);
  const last = offset - 1 + shown.length;
  const rest = lines.length - last;
  const text = offset === 1 && rest === 0 ? content : shown.join('\n');
  return { text, lines: [offset, Math.max(offset, last)], ...(rest > 0 && { more: { more: rest } }) };
}

/** How many lines have room, at least one. */
function fitting(lines: readonly string[], most: number): number {
  let chars = 0;
  const first = lines.findIndex((line) => {
    chars += line.length + 1;
    return chars > most + 1;
  });
  return first < 0 ? lines.length : Math.max(1, first);
}

function tooLong(lines: number, most: number): AssistantError {
  const hint = `Read it in parts, with offset (first line) and limit (lines).`;
  return new AssistantError('bad_usage', `It has ${lines} lines; one call reads ${most} characters. ${hint}`, { hint });
}

/** One file that cannot be read does not keep the others from being read. */
function unreadable(file: string): (error: unknown) => Passage {
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
    presentation: { examples: loadExamples(import.meta.dirname, 'files')('write_file'), unremarkable: () => true },
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
