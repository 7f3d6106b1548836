import type { AnyNode, CallExpression, Identifier } from 'acorn';
import { type Binding, type Scopes, staticKey } from './scopes.ts';
import type { CompileWorld } from './types.ts';

/** The part of the source that names a tool, and what to write in its place. */
export interface ToolName {
  readonly start: number;
  readonly end: number;
  /** Appended to `hidden.p` and the other forms: `.queryRAG`, or nothing if only `tools` itself is replaced. */
  readonly suffix: string;
}

/** Finds the places where a script names a tool: `queryRAG`, `tools.queryRAG`, and constants that hold either. */
export class Callees {
  readonly #scopes: Scopes;
  readonly #world: CompileWorld;

  constructor(scopes: Scopes, world: CompileWorld) {
    this.#scopes = scopes;
    this.#world = world;
  }

  ofCall(call: CallExpression): ToolName | undefined {
    return this.of(call.callee);
  }

  of(node: AnyNode): ToolName | undefined {
    if (node.type === 'Identifier') return this.#byName(node);
    if (node.type !== 'MemberExpression' || !this.#isTools(node.object)) return undefined;
    const { object, property, computed } = node;
    const known = computed || (property.type === 'Identifier' && this.#world.tools.has(property.name));
    return known ? { start: object.start, end: object.end, suffix: '' } : undefined;
  }

  #byName(node: Identifier): ToolName | undefined {
    if (this.#scopes.isGlobal(node)) {
      return this.#world.functions.has(node.name) ? place(node, `.${node.name}`) : undefined;
    }
    const name = this.#alias(this.#scopes.binding(node));
    return name === undefined ? undefined : place(node, `[${JSON.stringify(name)}]`);
  }

  /** `const search = webSearch`, `const search = tools.webSearch`, `const { webSearch: search } = tools`. */
  #alias(binding: Binding | undefined): string | undefined {
    if (!binding?.init || binding.assigned) return undefined;
    const { init, key } = binding;
    if (key !== undefined) return this.#isTools(init) && this.#world.tools.has(key) ? key : undefined;
    if (this.#scopes.isGlobal(init)) return this.#world.functions.has(init.name) ? init.name : undefined;
    if (init.type !== 'MemberExpression' || !this.#isTools(init.object)) return undefined;
    const name = staticKey(init.property, init.computed);
    return name !== undefined && this.#world.tools.has(name) ? name : undefined;
  }

  #isTools(node: AnyNode): boolean {
    if (this.#scopes.isGlobal(node, 'tools')) return true;
    const binding = this.#scopes.binding(node);
    const init = binding && !binding.assigned && binding.key === undefined ? binding.init : undefined;
    return init !== undefined && this.#scopes.isGlobal(init, 'tools');
  }
}

function place(node: AnyNode, suffix: string): ToolName {
  return { start: node.start, end: node.end, suffix };
}
