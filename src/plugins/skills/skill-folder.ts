import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { canonicalJson, sha256 } from '../../base/json.ts';
import { readSkillHead, type SkillHead } from './skill-text.ts';

/** The size limit of one file of a skill. */
const MAX_SKILL_FILE_BYTES = 64 * 1024;
const MAX_SKILL_FILES = 32;
const MAX_DEPTH = 4;
export const SKILL_FILE = 'SKILL.md';

/** A snapshot of a skill on disk: the bytes that are hashed are those that models see. */
export interface SkillFolder extends SkillHead {
  readonly path: string;
  /** The contents by their path in the folder, sorted. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** The hash of all names and bytes. */
  readonly hash: string;
}

/** A folder that is not a usable skill. */
export interface BrokenSkill {
  readonly path: string;
  readonly name: string;
  /** A clause. */
  readonly why: string;
}

/**
 * Read a skill with all its files. Never rejects: a problem with one folder must not affect the others.
 *
 * @param options.anyName allow another folder name, for a skill that is still to be copied.
 */
export async function readSkillFolder(path: string, { anyName = false } = {}): Promise<SkillFolder | BrokenSkill> {
  const name = basename(path);
  try {
    if ((await lstat(path)).isSymbolicLink()) return { path, name, why: 'its folder is a symbolic link' };
    const files = new Map<string, Buffer>();
    const why = await collect(path, '', files);
    if (why !== undefined) return { path, name, why };
    const text = files.get(SKILL_FILE)?.toString('utf8');
    if (text === undefined) return { path, name, why: `it has no ${SKILL_FILE}` };
    const head = readSkillHead(text, anyName ? undefined : name);
    return typeof head === 'string' ? { path, name, why: head } : { ...head, path, files, hash: hashOf(files) };
  } catch (error) {
    return { path, name, why: messageOf(error) };
  }
}

/** @returns why the folder is refused, checked before anything large is read. */
async function collect(root: string, below: string, files: Map<string, Buffer>): Promise<string | undefined> {
  if (below.split('/').length > MAX_DEPTH) return `its folders are nested deeper than ${MAX_DEPTH}`;
  const entries = await readdir(join(root, below), { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      const why = await collect(root, path, files);
      if (why !== undefined) return why;
      continue;
    }
    if (!entry.isFile()) return `${path} is a link, or no regular file`;
    if (files.size >= MAX_SKILL_FILES) return `it has more than ${MAX_SKILL_FILES} files`;
    const { size } = await lstat(join(root, path));
    if (size > MAX_SKILL_FILE_BYTES) return `${path} has ${size} bytes; ${MAX_SKILL_FILE_BYTES} are the limit`;
    files.set(path, await readFile(join(root, path)));
  }
  return undefined;
}

function hashOf(files: ReadonlyMap<string, Buffer>): string {
  return sha256(canonicalJson(Object.fromEntries([...files].map(([path, content]) => [path, sha256(content)]))));
}
