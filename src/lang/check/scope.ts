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
