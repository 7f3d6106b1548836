import type { Tool } from './tool.ts';

/** Words that are in every description. */
const COMMON = new Set(
  'a an and are be by for from get in into is it its of on or that the this to tool use with'.split(' '),
);

/** The tools that match some words, best first: a word in a name counts more than one in a description. */
export function findTools<T extends Pick<Tool, 'name' | 'description'>>(tools: readonly T[], query: string): T[] {
  const wanted = [...new Set(wordsOf(query))].filter((word) => !COMMON.has(word));
  const scored = tools.map((tool) => ({ tool, score: scoreOf(tool, wanted) })).filter(({ score }) => score > 0);
  return scored.sort((a, b) => b.score - a.score).map(({ tool }) => tool);
}

function scoreOf({ name, description }: Pick<Tool, 'name' | 'description'>, wanted: readonly string[]): number {
  const inName = wordsOf(name);
  const inText = new Set(wordsOf(description));
  return wanted.reduce((sum, word) => {
    if (inName.includes(word)) return sum + 4;
    if (inName.some((each) => each.startsWith(word) || word.startsWith(each))) return sum + 2;
    return sum + (inText.has(word) ? 1 : 0);
  }, 0);
}

/** In small letters, in the singular. */
function wordsOf(text: string): string[] {
  const words =
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => word.replace(/(?<=\w{3})s$/u, ''));
}
