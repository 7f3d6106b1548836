import { AssistantError } from '../../base/errors.ts';
import { editDistance } from '../../base/text.ts';
import type { ToolContext } from '../tool.ts';
import { type FileToolParts, nameOf } from './file-tool-parts.ts';

/** The most files that are named. */
const NAMED = 3;
const WORD = /[\p{L}\p{N}]{3,}/gu;

/** An error about a file that is not there, which says what is near; any other as it is. */
export async function withNear(parts: FileToolParts, path: string, thrown: unknown, context: ToolContext) {
  if (!(thrown instanceof AssistantError) || thrown.code !== 'file_not_found') return thrown;
  const space = parts.spaceOf(context);
  const all = await space.files(context.turn.project, '.').catch(() => []);
  const near = nearest(
    path,
    all.map((file) => file.path),
  );
  if (near.length === 0) return thrown;
  context.holds(...near.map((each) => nameOf(space, each, context)));
  const { code, message, hint, told, cause } = thrown;
  const text = `${message} Near: ${near.join(', ')}.`;
  return new AssistantError(code, text, { hint, cause, ...(told && { told }) });
}

/** The paths that share most words with the one that was asked for, or are one slip away from it. */
function nearest(path: string, all: readonly string[]): string[] {
  const wanted = new Set(path.toLowerCase().match(WORD));
  const name = (each: string) => each.slice(each.lastIndexOf('/') + 1).toLowerCase();
  const scored = all.map((each) => {
    const shared = new Set((each.toLowerCase().match(WORD) ?? []).filter((word) => wanted.has(word))).size;
    const isSlip = editDistance(name(each), name(path)) <= Math.max(1, name(path).length / 4);
    return { path: each, score: shared + (isSlip ? 2 : 0) };
  });
  // An ending that all files have tells nothing.
  const least = Math.min(...scored.map(({ score }) => score));
  const near = scored.filter(({ score }) => score > least || (score > 1 && all.length <= NAMED));
  return near
    .sort((a, b) => b.score - a.score)
    .slice(0, NAMED)
    .map((each) => each.path);
}
