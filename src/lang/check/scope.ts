import type { Name } from '../grammar/ast.ts';
import type { Type } from './types.ts';

/** What a name stands for. */
export interface Entry {
  readonly name: Name;
  readonly kind: 'variable' | 'function' | 'tool' | 'parameter';
  readonly type: Type;
  /** Whether it was used: see `Scope.unused`. */
  used: boolean;
}

/** The names that a block declares, nested in the scope around it. */
export class Scope {
  readonly #outer: Scope | undefined;
  readonly #entries = new Map<string, Entry>();
  /** Paths such as `item.due` that are not null at this point, although their type says that they may be. */
  #nonNull: ReadonlySet<string>;

  constructor(outer?: Scope) {
    this.#outer = outer;
    this.#nonNull = outer ? outer.#nonNull : new Set();
  }

  /** The scope of a function: it runs later, when nothing is known of the values around it. */
  forBody(): Scope {
    const scope = new Scope(this);
    scope.#nonNull = new Set();
    return scope;
  }

  /** The same names, where these paths are not null. */
  knowing(paths: readonly string[]): Scope {
    if (paths.length === 0) return this;
    const scope = new Scope(this);
    scope.know(paths);
    return scope;
  }

  /** From here on these paths are not null. */
  know(paths: readonly string[]): void {
    if (paths.length > 0) this.#nonNull = new Set([...this.#nonNull, ...paths]);
  }

  /** From here on nothing is known of these variables and their fields. */
  forget(names: ReadonlySet<string>): void {
    const kept = [...this.#nonNull].filter((path) => !names.has(path.split('.', 1)[0] ?? ''));
    if (kept.length < this.#nonNull.size) this.#nonNull = new Set(kept);
  }

  isNonNull(path: string): boolean {
    return this.#nonNull.has(path);
  }

  /** @returns false when this block has the name already; the first one stays. */
  declare(name: Name, kind: Entry['kind'], type: Type): boolean {
    if (this.#entries.has(name.name)) return false;
    this.#entries.set(name.name, { name, kind, type, used: false });
    this.forget(new Set([name.name]));
    return true;
  }

  /** What a name stands for here. */
  find(name: string): Entry | undefined {
    return this.#entries.get(name) ?? this.#outer?.find(name);
  }

  /** Every name in scope. */
  names(): string[] {
    return [...this.#entries.keys(), ...(this.#outer?.names() ?? [])];
  }

  /** Variables of this block that are never read; a leading `_` marks one as deliberately unused. */
  unused(): readonly Entry[] {
    return [...this.#entries.values()].filter(
      ({ kind, used, name }) => kind === 'variable' && !used && !name.name.startsWith('_'),
    );
  }
}
