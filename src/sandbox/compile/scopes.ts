import type { AnyNode, Identifier } from 'acorn';
import { analyze, type Definition, type Reference, type Variable } from 'eslint-scope';
import type { Tree } from './tree.ts';

/** A declared name: every place that reads it, and its value. */
export interface Binding {
  readonly refs: readonly Identifier[];
  /** What it was declared with: the initializer of `const x = …`, or the function itself. */
  readonly init: AnyNode | undefined;
  /** For `const { key: x } = init`: the key. */
  readonly key: string | undefined;
  /** Whether it is declared twice or reassigned. */
  readonly assigned: boolean;
}

/** Which declaration each name refers to. A name without a declaration is a global. */
export class Scopes {
  readonly #bindings = new Map<AnyNode, Binding>();
  /** Names of globals by where they are written. */
  readonly #globals: ReadonlyMap<AnyNode, string>;

  constructor(tree: Tree) {
    // `module` accepts imports and, unlike `script`, resolves top-level declarations.
    const options = { ecmaVersion: 2022, sourceType: 'module', ignoreEval: true } as const;
    const { scopes } = analyze(tree.program as Parameters<typeof analyze>[0], options);
    for (const scope of scopes) for (const variable of scope.variables) this.#bind(variable);
    const unresolved = scopes[0]?.through ?? [];
    const assigned = new Set(unresolved.filter((ref) => ref.isWrite()).map((ref) => ref.identifier.name));
    const globals = unresolved.map(nodeOf).filter(({ name }) => !assigned.has(name));
    this.#globals = new Map(globals.map((node) => [node, node.name]));
  }

  /** What `name` refers to; undefined for a global. */
  binding(name: AnyNode): Binding | undefined {
    return this.#bindings.get(name);
  }

  /** A name that the script neither declares nor assigns, so it refers to a global of its environment. */
  isGlobal(node: AnyNode, name?: string): node is Identifier {
    const found = this.#globals.get(node);
    return found !== undefined && (name ?? found) === found;
  }

  #bind({ defs, references }: Variable): void {
    const [first] = defs;
    if (!first) return; // `arguments`
    const binding: Binding = {
      refs: references.filter((ref) => !ref.isWrite()).map(nodeOf),
      ...initialOf(first),
      assigned: defs.length > 1 || references.some((ref) => ref.isWrite() && !ref.init),
    };
    for (const definition of defs) this.#bindings.set(definition.name as Identifier, binding);
    for (const ref of references) this.#bindings.set(nodeOf(ref), binding);
  }
}

/** eslint-scope is typed for ESTree, whose nodes may lack positions; acorn's have them. */
function nodeOf(ref: Reference): Identifier {
  return ref.identifier as Identifier;
}

const UNKNOWN = { init: undefined, key: undefined };

/** The value of a name, if the declaration tells: functions, `const x = init` and `const { key: x } = init`. */
function initialOf(definition: Definition): Pick<Binding, 'init' | 'key'> {
  const node = definition.node as AnyNode;
  if (definition.type === 'FunctionName') return { init: node, key: undefined };
  if (node.type !== 'VariableDeclarator') return UNKNOWN;
  const init = node.init ?? undefined;
  if (node.id === definition.name) return { init, key: undefined };
  const properties = node.id.type === 'ObjectPattern' ? node.id.properties : [];
  const named = properties.find((each) => each.type === 'Property' && each.value === definition.name);
  return named?.type === 'Property' ? { init, key: staticKey(named.key, named.computed) } : UNKNOWN;
}

/** The name of a property, if it is a literal: `a.name`, `a['name']`, `{ name: x }`. */
export function staticKey(key: AnyNode, computed: boolean): string | undefined {
  if (key.type === 'Identifier' && !computed) return key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
}
