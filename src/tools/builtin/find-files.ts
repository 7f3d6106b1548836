import { matchesGlob } from 'node:path';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { loadExamples } from '../../base/examples.ts';
import { linearPattern } from '../../base/pattern.ts';
import { cut } from '../../base/text.ts';
import { defineTool, type Tool, type ToolContext } from '../tool.ts';
import { type FileToolParts, folderOf, nameOf, PATH, sourceOf } from './file-tool-parts.ts';
import { withNear } from './near-files.ts';
import { shown } from './shown.ts';

const MAX_LISTED = 500;
const MAX_DEPTH = 20;
/** Folders are read one by one. */
const MAX_READ = 20_000;
const MAX_SEARCHED = 2000;
const MAX_MATCHES = 100;
const MAX_LINE_CHARS = 240;
const MAX_PATTERN_CHARS = 500;
const DIR_ALIASES = ['dir', 'directory', 'folder'];

/** `list_directory`, `search_files`. */
export function findTools(parts: FileToolParts): Tool[] {
  return [listDirectory(parts), searchFiles(parts)];
}

/** The files of a project that a glob names, sorted. @throws AssistantError `file_not_found` when there is none. */
export async function matching(parts: FileToolParts, glob: string, context: ToolContext): Promise<readonly string[]> {
  const pattern = glob.replace(/^\.\//u, '');
  const all = await parts.spaceOf(context).files(context.turn.project, '.');
  const found = all.map(({ path }) => path).filter((path) => matchesGlob(path, pattern));
  if (found.length > 0) return found;
  const hint = 'list_directory shows the files.';
  const none = new AssistantError('file_not_found', `No file matches ${JSON.stringify(glob)}. ${hint}`, { hint });
  throw await withNear(parts, glob, none, context);
}

const ENTRY = z.object({ path: z.string(), bytes: z.number().optional() });

function listDirectory(parts: FileToolParts): Tool {
  const { spaceOf } = parts;
  return defineTool({
    name: 'list_directory',
    positional: ['path', 'depth'],
    aliases: { path: DIR_ALIASES },
    description: 'List a folder: folders end in /.',
    input: z.object({
      path: z.string().trim().max(1000).default('.'),
      depth: z.int().min(1).max(MAX_DEPTH).default(1),
    }),
    output: z.array(ENTRY),
    policy: { effect: 'none' },
    provenance: { readsFrom: ({ path }, context) => [folderOf(spaceOf(context), path, context)] },
    presentation: { examples: loadExamples(import.meta.dirname, 'files')('list_directory') },
    timeoutMs: 10_000,
    execute: async ({ path, depth }, context) => {
      const space = spaceOf(context);
      const all = await entriesIn(space, path, depth, context).catch(async (error: unknown) => {
        throw await withNear(parts, path, error, context);
      });
      const how = 'list one of the folders, or use search_files';
      const entries = shown(all, { most: MAX_LISTED, how }, context);
      context.holds(...entries.map((entry) => nameOf(space, entry.path.replace(/\/$/u, ''), context)));
      return [...entries];
    },
  });
}

type ListedEntry = z.output<typeof ENTRY>;

/** What is in a folder and in its folders: those behind their folder, sorted by name. */
async function entriesIn(space: Space, path: string, depth: number, context: ToolContext): Promise<ListedEntry[]> {
  const folder = path.replace(/^(?:\.\/)+/u, '').replace(/\/+$/u, '');
  const before = folder === '' || folder === '.' ? '' : `${folder}/`;
  const found: ListedEntry[] = [];
  for (const { name, folder: isFolder, bytes } of await space.list(context.turn.project, path)) {
    context.signal.throwIfAborted();
    found.push(isFolder ? { path: `${before}${name}/` } : { path: `${before}${name}`, bytes });
    if (isFolder && depth > 1) found.push(...(await entriesIn(space, `${before}${name}`, depth - 1, context)));
    if (found.length > MAX_READ) throw tooMany(path);
  }
  return found;
}

function tooMany(path: string): AssistantError {
  const hint = 'List one folder of it, or a smaller depth.';
  return new AssistantError('bad_usage', `${path} has more than ${MAX_READ} entries. ${hint}`, { hint });
}

const MATCH = z.object({ path: z.string(), line: z.number(), text: z.string() });

function searchFiles(parts: FileToolParts): Tool {
  const { spaceOf } = parts;
  return defineTool({
    name: 'search_files',
    positional: ['pattern', 'path', 'regex'],
    aliases: { pattern: ['query', 'text', 'search', 'needle'], path: DIR_ALIASES, regex: ['isRegex', 'regexp'] },
    description: `Find lines with a text or regex, at most ${MAX_MATCHES}; \`path\`: folder, file or glob.`,
    input: z.object({
      pattern: z.string().min(1).max(MAX_PATTERN_CHARS),
      path: PATH.optional(),
      regex: z.boolean().default(false),
    }),
    output: z.object({ matches: z.array(MATCH), note: z.string().optional().meta({ seldom: true }) }),
    policy: { effect: 'none' },
    provenance: { readsFrom: (_input, context) => [folderOf(spaceOf(context), '.', context)] },
    timeoutMs: 30_000,
    execute: async ({ pattern, path, regex }, context) => {
      const matches = matcher(pattern, regex);
      const found: z.output<typeof MATCH>[] = [];
      context.holds();
      const files = await searched(parts, path ?? '.', context);
      for (const file of files.slice(0, MAX_SEARCHED)) {
        context.signal.throwIfAborted();
        const text = await textOf(spaceOf(context), file, context);
        for (const [index, line] of text.split('\n').entries()) {
          if (!matches(line)) continue;
          if (found.length === MAX_MATCHES)
            return { matches: found, note: 'There are more; search for something rarer.' };
          if (found.at(-1)?.path !== file) context.holds(sourceOf(spaceOf(context), file, context));
          found.push({ path: file, line: index + 1, text: cut(line.trim(), MAX_LINE_CHARS) });
        }
      }
      const left = files.length - MAX_SEARCHED;
      return left > 0 ? { matches: found, note: `${left} files were not searched; give a path.` } : { matches: found };
    },
  });
}

type Space = ReturnType<FileToolParts['spaceOf']>;

async function searched(parts: FileToolParts, path: string, context: ToolContext): Promise<readonly string[]> {
  if (/[*?{[]/u.test(path)) return matching(parts, path, context);
  const files = parts.spaceOf(context).files(context.turn.project, path);
  const found = await files.catch(async (error: unknown) => {
    throw await withNear(parts, path, error, context);
  });
  return found.map((file) => file.path);
}

/** Binary, oversized and vanished files match nothing. */
async function textOf(space: Space, file: string, { turn }: ToolContext): Promise<string> {
  try {
    const text = await space.read(turn.project, file);
    return text.includes('\0') ? '' : text;
  } catch (error) {
    if (error instanceof AssistantError) return '';
    throw error;
  }
}

/** @throws AssistantError `bad_usage` for a regular expression that cannot be searched for. */
function matcher(pattern: string, regex: boolean): (line: string) => boolean {
  const anyCase = !/\p{Lu}/u.test(regex ? pattern.replace(/\\./gu, '') : pattern);
  const fold = (line: string) => (anyCase ? line.toLowerCase() : line);
  if (!regex) return (line) => fold(line).includes(pattern);
  const compiled = linearPattern(pattern);
  if (compiled) return (line) => compiled.test(fold(line.replace(/\r$/u, '')));
  throw new AssistantError(
    'bad_usage',
    `${JSON.stringify(pattern)} is no regular expression that can be searched for.`,
    {
      hint: 'Look-around, back references and large repetitions are not supported; search for a literal text.',
    },
  );
}
