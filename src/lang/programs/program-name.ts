import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Tool } from '../../tools/tool.ts';

/** `Morning brief-2` becomes `morning_brief_2`. Model APIs limit the length, and want a letter first. */
export function toolName(file: string): string {
  const words = wordsOf(file).join('_');
  if (/^[a-z]/u.test(words)) return words.slice(0, 60);
  return `program_${words.slice(0, 50) || createHash('sha256').update(file).digest('hex').slice(0, 8)}`;
}

/** The words of a name, small and without accents: of a file, a tool, or as people say it. */
export function wordsOf(name: string): string[] {
  const plain = basename(name, '.tl').normalize('NFKD').replace(/\p{M}/gu, '');
  const apart = plain.replace(/(?<=[a-z0-9])(?=[A-Z])/gu, ' ').toLowerCase();
  return apart.split(/[^a-z0-9]+/u).filter((word) => word !== '');
}

const ORIGIN = 'program ';

/** Who brought the tools of a program along. */
export function originOf(name: string): string {
  return `${ORIGIN}${name}.tl`;
}

export function isProgramTool({ origin }: Pick<Tool, 'origin'>): boolean {
  return origin?.startsWith(ORIGIN) === true;
}
