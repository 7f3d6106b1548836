import { homedir } from 'node:os';
import { basename } from 'node:path';
import { pattern } from '../base/pattern.ts';
import { kindOf } from '../rag/read/kinds.ts';

/** As terminals insert the path of a file that is dropped on them: in quotes, or with a backslash before each blank. */
const PASTED = pattern(
  'gu',
  String.raw`(?<=^|\s)(?:'(?<single>~?/[^'\n]{1,1000})'|"(?<double>~?/[^"\n]{1,1000})"`,
  String.raw`|(?<bare>~?/(?:\\.|[^\s\\]){1,1000}))`,
);
/** Nobody drops more at once. */
const MOST = 20;

/** A line with the pictures that were dropped into it. */
export interface PastedPictures {
  /** Their absolute paths, each once. Whether there are such files is not looked at. */
  readonly paths: readonly string[];
  /** The line with `@letter.jpg` instead of each path, whose folders are not part of the question. */
  readonly line: string;
}

export function pastedPictures(given: string): PastedPictures {
  const paths = new Set<string>();
  const line = given.replace(PASTED, (whole, single?: string, double?: string, bare = '') => {
    const end = /[.,;:!?)]*$/u.exec(bare)?.[0] ?? '';
    const written = single ?? double ?? bare.slice(0, bare.length - end.length).replace(/\\(.)/gu, '$1');
    const path = written.replace(/^~(?=\/)/u, homedir());
    if (kindOf(path) !== 'picture' || (!paths.has(path) && paths.size === MOST)) return whole;
    paths.add(path);
    return `@${basename(path)}${end}`;
  });
  return { paths: [...paths], line };
}
