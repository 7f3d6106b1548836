import { z } from 'zod';
import { sha256 } from '../../base/json.ts';
import type { Turn } from '../../base/turn.ts';
import type { DocumentText, PassageSource } from '../../rag/types.ts';
import { fileThing, folderThing, nameThing } from '../gate/origins.ts';
import type { ControlChange } from '../stakes.ts';
import { OUTSIDE, type ToolContext } from '../tool.ts';
import { isMeant, obeyedBy } from './control-files.ts';
import type { KnownFiles } from './known-files.ts';
import { lineDiff } from './line-diff.ts';
import type { FileSpace } from './project-files.ts';

/** Called before a file is written, which waits for it. */
export type OnWrite = (turn: Turn, path: string, content: string) => Promise<void>;

/** The ingested documents as the file tools know them. */
export interface Ingested {
  /** The documents that a path or a citation means. */
  texts(project: string, name: string): Promise<readonly DocumentText[]>;
  /** Whether somebody other than the owner wrote one of them. */
  anyUntrusted(sources: readonly PassageSource[]): Promise<boolean>;
}

/** What the file tools share. */
export interface FileToolParts {
  /** The files that a call works on: of its project, or of its conversation's workspace. */
  readonly spaceOf: (context: ToolContext) => FileSpace;
  readonly onWrite: OnWrite;
  readonly known: KnownFiles;
  /** Absent where there are no documents besides the files. */
  readonly ingested?: Ingested | undefined;
}

export const PATH = z.string().trim().min(1).max(1000);
export const PATH_ALIASES = ['file', 'filename', 'file_path', 'filePath', 'relativeFilePath'];

/** The name by which a file is marked; a workspace has no marks, since all of it is untrusted. */
export function thingOf(space: FileSpace, path: string, { turn }: ToolContext): string | undefined {
  const place = space.place?.(turn.project, path);
  return place === undefined ? undefined : fileThing(place);
}

/** The same, for what a call reads. */
export function sourceOf(space: FileSpace, path: string, context: ToolContext): string {
  return thingOf(space, path, context) ?? OUTSIDE;
}

/** What a file or folder is called. */
export function nameOf(space: FileSpace, path: string, { turn }: ToolContext): string {
  const place = space.place?.(turn.project, path);
  return place === undefined ? OUTSIDE : nameThing(place);
}

/** All that is in a folder. */
export function folderOf(space: FileSpace, path: string, { turn }: ToolContext): string {
  const place = space.place?.(turn.project, path);
  return place === undefined ? OUTSIDE : folderThing(place);
}

/** Stands for the content of a file that is to go. */
export const GONE = Symbol('no file');

/**
 * What a call would change in a file that this or another program obeys; undefined for any other file, and where
 * nothing
 * changes. In a workspace there are none: nothing outside obeys what is there.
 *
 * @param after what the file would hold; undefined where the call will fail by itself.
 */
export async function controlChange(
  space: FileSpace,
  path: string,
  after: (before: string) => string | typeof GONE | undefined,
  context: ToolContext,
): Promise<ControlChange | undefined> {
  if (space.look === undefined || !(await isControlled(space, path, context))) return undefined;
  const before = await space.look(context.turn.project, path);
  const next = after(before?.text ?? '');
  if (next === undefined) return undefined;
  const stake = { before: before?.hash, after: next === GONE ? undefined : sha256(next) };
  if (stake.before === stake.after) return undefined;
  return { diff: lineDiff(before?.text, next === GONE ? '' : next), stakes: [stake] };
}

/**
 * Whether the owner has to agree to a change of a file. What Wooster obeys always; what programs follow unless the
 * owner asked for just that; and once untrusted content was read, whatever is not plain text, since nobody knows all
 * that programs follow.
 */
export async function isControlled(space: FileSpace, path: string, { turn, untrusted, said }: ToolContext) {
  const obeyed = space.place === undefined ? 'text' : obeyedBy(path);
  if (obeyed === 'text' || obeyed === 'wooster') return obeyed === 'wooster';
  if (untrusted || obeyed === 'unknown') return untrusted;
  const others = (await space.files(turn.project, '.').catch(() => [])).filter((file) => file.path !== path);
  return !isMeant(
    path,
    said.join('\n'),
    others.map((file) => file.path),
  );
}
