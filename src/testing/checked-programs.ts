import { join } from 'node:path';
import { AssistantError } from '../base/errors.ts';
import { type Checked, checkFile, type Module } from '../lang/check/check.ts';

/** Texts by the names of their files. */
export type Files = Readonly<Record<string, string>>;

/** The caret of a person who writes: no program has one. */
const CARET = '^';

/** A text with a caret in it: the text without it, and where it stood. */
export function atCaret(marked: string): { readonly source: string; readonly offset: number } {
  const offset = marked.indexOf(CARET);
  if (offset < 0) throw new Error(`There is no caret in ${marked}`);
  return { source: marked.replace(CARET, ''), offset };
}

/** The first of some programs that exist only here, checked. */
export function checkedFiles(files: Files, tools: readonly string[] = []): Module {
  return checkedProgram(files, tools).main;
}

/** The same with all that it imports. */
export function checkedProgram(files: Files, tools: readonly string[] = []): Checked {
  const paths = new Map(Object.entries(files).map(([name, text]) => [join('/programs', name), text]));
  const read = (path: string) => {
    const text = paths.get(path);
    if (text === undefined) throw new AssistantError('file_not_found', 'No such file.', { hint: 'Check the path.' });
    return text;
  };
  return checkFile([...paths.keys()][0] ?? '', { read, tools });
}
