import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson, sha256 } from '../base/json.ts';
import { lineDiff } from '../tools/builtin/line-diff.ts';

/** Nobody has reviewed the code of a larger folder. */
const MAX_FILES = 1000;
const MAX_BYTES = 20_000_000;
/** Longer texts are compared by hash only. */
const MAX_TEXT_CHARS = 100_000;

/** Dependencies are not the owner's text; `plugin add` pins them by their lock file. */
const SKIPPED = new Set(['node_modules', '.git']);

/** A file of a plugin: its hash, and its content if that is text. */
interface ContentFile {
  readonly hash: string;
  readonly text?: string | undefined;
}

/** All files of a plugin by their path in its folder. */
export type Content = Readonly<Record<string, ContentFile>>;

/** @throws TypeError when the folder is too large for anybody to review. */
export function readContent(folder: string): Content {
  const files: Record<string, ContentFile> = {};
  let bytes = 0;
  for (const path of pathsIn(folder)) {
    bytes += statSync(join(folder, path)).size;
    if (Object.keys(files).length >= MAX_FILES || bytes > MAX_BYTES) {
      throw new TypeError(`its folder has more than ${MAX_FILES} files or ${MAX_BYTES / 1e6} MB`);
    }
    const content = readFileSync(join(folder, path));
    const text = content.length <= MAX_TEXT_CHARS && !content.includes(0) ? content.toString('utf8') : undefined;
    files[path] = { hash: sha256(content), text };
  }
  return files;
}

/** One hash of all names and hashes. */
export function digestOf(content: Content): string {
  return sha256(canonicalJson(Object.fromEntries(Object.entries(content).map(([path, { hash }]) => [path, hash]))));
}

/** The paths that differ, sorted. */
export function changedPaths(before: Content, after: Content): string[] {
  const all = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...all].filter((path) => before[path]?.hash !== after[path]?.hash).toSorted();
}

/** The changes, for the owner: each file with its removed and added lines. */
export function contentDiff(before: Content, after: Content): string[] {
  return changedPaths(before, after).flatMap((path) => {
    const [old, now] = [before[path], after[path]];
    if (!now) return [`${path}: removed`];
    const isText = now.text !== undefined && (!old || old.text !== undefined);
    return [
      `${path}:${old ? '' : ' new'}`,
      isText ? lineDiff(old?.text, now.text ?? '') : '  (no text, or a long one)',
    ];
  });
}

function pathsIn(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(({ name }) => {
      const path = below === '' ? name : `${below}/${name}`;
      const found = statSync(join(folder, path), { throwIfNoEntry: false });
      if (found?.isDirectory()) return pathsIn(folder, path);
      return found?.isFile() ? [path] : [];
    });
}
