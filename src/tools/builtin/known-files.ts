import { posix } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { sha256 } from '../../base/json.ts';
import type { Turn } from '../../base/turn.ts';
import { fold } from '../../words/spelling.ts';
import { STOP_WORDS } from '../../words/stop-words.ts';

/** How many files are remembered over all conversations; those looked at longest ago are forgotten first. */
const REMEMBERED = 2000;

type Owner = Pick<Turn, 'conversationId' | 'project'>;

/**
 * Which files a conversation has read, and what they said then: a model may replace only what it knows. A program that
 * was started again has forgotten, so a file is read once more.
 */
export class KnownFiles {
  readonly #seen = new Map<string, string>();

  /** The conversation has read or written the whole of a file. */
  saw(turn: Owner, path: string, content: string): void {
    const key = keyOf(turn, path);
    this.#seen.delete(key);
    this.#seen.set(key, sha256(content));
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > REMEMBERED && oldest !== undefined) this.#seen.delete(oldest);
  }

  /** The conversation has changed a part of a file: if it knew the whole before, it still does. */
  edited(turn: Owner, path: string, { before, after }: { readonly before: string; readonly after: string }): void {
    if (this.#seen.get(keyOf(turn, path)) === sha256(before)) this.saw(turn, path, after);
  }

  /** A renamed file stays known under its new name. */
  moved(turn: Owner, { from, to }: { readonly from: string; readonly to: string }): void {
    const known = this.#seen.get(keyOf(turn, from));
    if (known !== undefined) this.#seen.set(keyOf(turn, to), known);
  }

  /**
   * May a file with the content `before` be replaced? What the person dictated word for word always may.
   *
   * @throws AssistantError `path_refused`, which says what to do.
   */
  mayReplace(
    { turn, path, content }: { readonly turn: Turn; readonly path: string; readonly content: string },
    before: string,
  ): void {
    const known = this.#seen.get(keyOf(turn, path));
    if (before === content || before.trim() === '' || known === sha256(before) || isDictated(turn, path, content))
      return;
    const why =
      known === undefined
        ? 'it exists and you have not read it since the program started'
        : 'it was changed since you read it';
    const hint = `Call read_file for it first and keep what must stay, or change a part of it with edit_file.`;
    throw new AssistantError('path_refused', `${path} was not written: ${why}. ${hint}`, { hint });
  }
}

function keyOf({ conversationId, project }: Owner, path: string): string {
  return `${conversationId} ${project} ${posix.normalize(path)}`;
}

/** Words of a request that name what is written rather than what it says. */
const NAMING = new Set(['file', 'datei', 'text']);

/** "Write milk and eggs to shop.txt": besides the content and the name the request has a verb and small words only. */
function isDictated({ text }: Turn, path: string, content: string): boolean {
  const said = content.trim();
  if (said === '' || !text.includes(path)) return false;
  const [before, ...behind] = text.replace(path, ' ').split(said);
  if (behind.length !== 1) return false;
  const words = `${before} ${behind[0]}`.match(/[\p{L}\p{N}]+/gu) ?? [];
  return (
    words.map(fold).filter((word) => !STOP_WORDS.en.has(word) && !STOP_WORDS.de.has(word) && !NAMING.has(word))
      .length <= 1
  );
}
