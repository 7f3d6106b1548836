import { isAbsolute, relative, sep } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { pattern } from '../../base/pattern.ts';
import { CITED_HEADING } from '../../rag/citation.ts';
import type { DocumentText } from '../../rag/types.ts';
import type { ToolContext } from '../tool.ts';
import type { FileToolParts } from './file-tool-parts.ts';
import { withNear } from './near-files.ts';

const CITED = pattern(
  'u',
  String.raw`^\[(?<file>[^\]]+?)(?:${CITED_HEADING}, (?:lines?|pp?\.|Zeilen?|S\.) [\d-]+)?\]$`,
);

/** A path of the project, of the name in a note or a citation: `[a.md, line 3]`, `projects/home/a.md`. */
export function ownName(project: string, path: string): string {
  const inside = CITED.exec(path)?.groups?.file ?? path;
  const folder = `projects/${project}/`;
  return inside.startsWith(folder) ? inside.slice(folder.length) : inside;
}

/** Whether a project has such a file; false for anything that is not a path inside it. */
export async function isThere({ spaceOf }: FileToolParts, path: string, context: ToolContext): Promise<boolean> {
  try {
    return await spaceOf(context).exists(context.turn.project, path);
  } catch (error) {
    if (error instanceof AssistantError) return false;
    throw error;
  }
}

/**
 * The ingested document of this name; undefined where there is none.
 *
 * @throws AssistantError `bad_usage` where several have it.
 */
export async function ingestedText(
  parts: FileToolParts,
  path: string,
  context: ToolContext,
): Promise<DocumentText | undefined> {
  const { turn, holds } = context;
  const known = (await parts.ingested?.texts(turn.project, path)) ?? [];
  const deleted = await Promise.all(known.map(({ source }) => isDeleted(parts, source.path, context)));
  const [only, ...more] = known.filter((_document, at) => !deleted[at]);
  if (only === undefined || more.length === 0) return only;
  holds(...[only, ...more].map(({ source }) => source));
  const places = [only, ...more].flatMap(({ source }) => source.path ?? []).slice(0, 5);
  throw new AssistantError('bad_usage', `${more.length + 1} documents are called ${path}: ${places.join(', ')}.`, {
    hint: 'Give the whole path of one.',
  });
}

/** Whether a document was a file of the project and is not there any more: the index only has not noticed yet. */
async function isDeleted(parts: FileToolParts, path: string | undefined, context: ToolContext): Promise<boolean> {
  const folder = parts.spaceOf(context).place?.(context.turn.project, '.');
  if (path === undefined || folder === undefined) return false;
  const inside = relative(folder, path);
  if (inside.startsWith('..') || isAbsolute(inside)) return false;
  return !(await isThere(parts, inside.split(sep).join('/'), context));
}

/** Do something with a project's file. @throws AssistantError `path_refused` for a document that is elsewhere. */
export async function changing<T>(
  parts: FileToolParts,
  path: string,
  context: ToolContext,
  act: () => Promise<T>,
): Promise<T> {
  if (await isThere(parts, path, context)) return act();
  const own = ownName(context.turn.project, path);
  if (own !== path && (await isThere(parts, own, context))) {
    const hint = `Its path here is ${own}.`;
    throw new AssistantError('path_refused', `${path} was not changed. ${hint}`, { hint });
  }
  const documents = (await parts.ingested?.texts(context.turn.project, path)) ?? [];
  if (documents.length === 0)
    return act().catch(async (error: unknown) => {
      throw await withNear(parts, path, error, context);
    });
  const why = "it was ingested from outside the project's folder and can only be read here";
  const hint = 'write_file can make a changed copy in the project; the original is for the user to change.';
  throw new AssistantError('path_refused', `${path} was not changed: ${why}. ${hint}`, { hint });
}
