import type { Comment } from '../grammar/ast.ts';
import type { Location } from '../grammar/location.ts';

/** Where the comments of a file go when it is printed anew: each to the statement, field or arm nearest to it. */
export class Comments {
  readonly #comments: readonly Comment[];
  readonly #placed = new Set<Comment>();

  constructor(comments: readonly Comment[]) {
    this.#comments = comments;
  }

  /** Those that stand between two places, as lines of their own. They count as placed. */
  between(from: number, to: number): readonly Comment[] {
    return this.#take(({ location: { start } }) => start.offset >= from && start.offset < to);
  }

  /** Those behind a node on its last line, up to `to`. They count as placed. */
  behind({ end }: Location, to: number): string {
    const found = this.#take(
      ({ location: { start } }) => start.offset >= end.offset && start.offset < to && start.line === end.line,
    );
    return found.map(({ text }) => ` ${text}`).join('');
  }

  /** Those inside a node that nothing inside it has taken. */
  leftIn({ start, end }: Location): readonly Comment[] {
    return this.#take((comment) => {
      const { offset } = comment.location.start;
      return offset >= start.offset && offset < end.offset && !this.#placed.has(comment);
    });
  }

  /** Asking again for the same place gives the same: layouts are tried before one is chosen. */
  #take(chosen: (comment: Comment) => boolean): readonly Comment[] {
    const found = this.#comments.filter(chosen);
    for (const comment of found) this.#placed.add(comment);
    return found;
  }
}
