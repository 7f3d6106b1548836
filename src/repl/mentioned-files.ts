import { realpath, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { counted } from '../base/text.ts';
import type { Material } from '../base/turn.ts';
import type { App } from '../face/app.ts';
import { fileMaterial, fitting, MAX_MATERIAL_CHARS } from '../face/file-material.ts';
import { pastedPictures } from './pasted-pictures.ts';

/** A line that names more files than this was not written by hand. */
const MAX_FILES = 20;
/** Nor one with more `@` names than this: pasted programs are full of them. */
const MAX_NAMES = 100;
const MAX_MISSING_TOLD = 5;

/** The files that a line names, and what to tell the person about them. */
export interface Mentioned {
  /** The line as it is asked. */
  readonly text: string;
  readonly material: readonly Material[];
  readonly notes: readonly string[];
}

/**
 * Read the files of the project that a line names as `@plan.md`, and pictures whose paths were dropped on the terminal.
 * `@` words that name no such file stay words. Of others, hidden files and what lies outside the folder, also through
 * symbolic links, are never read: lines may be pasted.
 *
 * @throws AssistantError `bad_usage` when a file is there but cannot be read.
 */
export async function mentionedFiles(
  text: string,
  project: string,
  { app, signal }: { readonly app: App; readonly signal: AbortSignal },
): Promise<Mentioned> {
  const folder = app.knowledge.projects.folder(project);
  const { paths: given, line } = pastedPictures(text);
  const material: Material[] = [];
  const notes: string[] = [];
  let left = MAX_MATERIAL_CHARS;
  const names = [...given, ...namesIn(text)];
  const missing: string[] = [];
  for (const name of names.slice(0, MAX_NAMES)) {
    signal.throwIfAborted();
    const isGiven = given.includes(name);
    const path = await (isGiven ? fileAt(name) : fileIn(folder, name));
    if (path === undefined) {
      if (!isGiven && /[./]/u.test(name)) missing.push(name);
    } else if (material.length === MAX_FILES || left < 1)
      notes.push(`(${name} is left out: that is too much at once.)`);
    else {
      const whole = {
        ...(await fileMaterial(path, app, signal)),
        name: isGiven ? basename(path) : relative(folder, path),
      };
      const fits = fitting(whole, left);
      left -= fits.text.length;
      material.push(fits);
      const size = counted(whole.text.length, 'character');
      notes.push(fits === whole ? `(with ${name}, ${size})` : `(with ${name}: its start and end, of ${size})`);
    }
  }
  return {
    text: material.length > 0 ? line : text,
    material,
    notes: [...notes, ...missingNotes(missing, names.length - MAX_NAMES)],
  };
}

/** @param unseen  how many names were not checked. */
function missingNotes(missing: readonly string[], unseen: number): string[] {
  const told = missing.slice(0, MAX_MISSING_TOLD);
  const more = missing.length - told.length;
  return [
    ...told.map((name) => `(There is no file ${name} in the project: it is asked about by name only.)`),
    ...(more > 0 ? [`(Nor are there ${more} more that stand behind @.)`] : []),
    ...(unseen > 0 ? [`(${counted(unseen, 'further word')} behind @ were not looked for.)`] : []),
  ];
}

/** The names after `@` at the start of words, each once, without the punctuation of the sentence. */
function namesIn(text: string): string[] {
  const names = [...text.matchAll(/(?<=^|[\s("'])@([^\s@]+)/gu)].map(([, name = '']) =>
    name.replace(/[.,;:!?)"']+$/u, ''),
  );
  return [...new Set(names)].filter((name) => name !== '');
}

async function fileAt(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ? path : undefined;
}

async function fileIn(folder: string, name: string): Promise<string | undefined> {
  try {
    const inside = await realpath(folder);
    const path = await realpath(join(folder, name));
    const parts = relative(inside, path).split(sep);
    if (parts.some((part) => part === '' || part.startsWith('.'))) return undefined;
    return (await stat(path)).isFile() ? join(folder, parts.join(sep)) : undefined;
  } catch {
    return undefined;
  }
}
