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

/** The names that a block declares, inside those around it. */
export class Scope {
  readonly #outer: Scope | undefined;
  readonly #entries = new Map<string, Entry>();

  constructor(outer?: Scope) {
    this.#outer = outer;
  }

  /** @returns false when this block has the name already; the first one stays. */
  declare(name: Name, kind: Entry['kind'], type: Type): boolean {
    if (this.#entries.has(name.name)) return false;
    this.#entries.set(name.name, { name, kind, type, used: false });
    return true;
  }

  /** What a name stands for here. */
  find(name: string): Entry | undefined {
    return this.#entries.get(name) ?? this.#outer?.find(name);
  }

  /** Every name that can be seen here. */
  names(): string[] {
    return [...this.#entries.keys(), ...(this.#outer?.names() ?? [])];
  }

  /** Variables of this block that nothing has looked at; those that begin with `_` are meant to be unused. */
  unused(): readonly Entry[] {
    return [...this.#entries.values()].filter(
      ({ kind, used, name }) => kind === 'variable' && !used && !name.name.startsWith('_'),
    );
  }
}
