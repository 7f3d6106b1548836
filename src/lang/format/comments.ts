import type { Comment } from '../grammar/ast.ts';
import type { Location } from '../grammar/location.ts';

/** Places the comments of a file when it is printed: each goes to the nearest statement, field or arm. */
export class Comments {
  readonly #comments: readonly Comment[];
  readonly #placed = new Set<Comment>();

  constructor(comments: readonly Comment[]) {
    this.#comments = comments;
  }

  /** Take the comments between two locations, as lines of their own. */
  between(from: number, to: number): readonly Comment[] {
    return this.#take(({ location: { start } }) => start.offset >= from && start.offset < to);
  }

  /** Take the trailing comments on a node's last line, up to `to`. */
  behind({ end }: Location, to: number): string {
    const found = this.#take(
      ({ location: { start } }) => start.offset >= end.offset && start.offset < to && start.line === end.line,
    );
    return found.map(({ text }) => ` ${text}`).join('');
  }

  /** The comments inside a node that none of its children took. */
  leftIn({ start, end }: Location): readonly Comment[] {
    return this.#take((comment) => {
      const { offset } = comment.location.start;
      return offset >= start.offset && offset < end.offset && !this.#placed.has(comment);
    });
  }

  /** The same query gives the same comments again, since several layouts are tried before one is chosen. */
  #take(chosen: (comment: Comment) => boolean): readonly Comment[] {
    const found = this.#comments.filter(chosen);
    for (const comment of found) this.#placed.add(comment);
    return found;
  }
}
