import type { AnyNode, Identifier, Pattern } from 'acorn';
import { type FunctionNode, isFunctionNode, type Tree } from './tree.ts';

/** One declared name and everything that refers to it. */
export interface Binding {
  readonly name: string;
  readonly refs: Identifier[];
  /** What it was declared with: the initialiser of `const x = …`, or the function itself. */
  readonly init: AnyNode | undefined;
  /** For `const { key: x } = init`: the key. */
  readonly key: string | undefined;
  /** Given another value after its declaration. */
  assigned: boolean;
}

type Scope = Map<string, Binding>;

const SCOPED =
  /^(?:Program|BlockStatement|ForStatement|ForInStatement|ForOfStatement|CatchClause|SwitchStatement|StaticBlock|ClassExpression|ClassDeclaration)$/u;

/** Which declaration each name means. A name without a declaration is a global. */
export class Scopes {
  readonly #tree: Tree;
  readonly #scopes = new Map<AnyNode, Scope>();
  readonly #bindings = new Map<Identifier, Binding>();
  readonly #declaring = new Set<AnyNode>();
  readonly #assignedGlobals = new Set<string>();

  constructor(tree: Tree) {
    this.#tree = tree;
    for (const node of tree.nodes)
      if (SCOPED.test(node.type) || isFunctionNode(node)) this.#scopes.set(node, new Map());
    for (const node of tree.nodes) this.#declare(node);
    for (const node of tree.nodes) if (node.type === 'Identifier' && this.#isReference(node)) this.#resolve(node);
  }

  binding(name: Identifier): Binding | undefined {
    return this.#bindings.get(name);
  }

  /** A name that no script declares or assigns, so it means what the world made it. */
  isGlobal(node: AnyNode, name?: string): node is Identifier {
    if (node.type !== 'Identifier' || (name !== undefined && node.name !== name)) return false;
    return !this.#bindings.has(node) && !this.#assignedGlobals.has(node.name) && this.#isReference(node);
  }

  /** The declaration of a function or of the variable that holds it. */
  bindingOfFunction(fn: FunctionNode): Binding | undefined {
    const parent = this.#tree.parent(fn);
    const id =
      fn.type === 'FunctionDeclaration'
        ? fn.id
        : parent?.type === 'VariableDeclarator' && parent.init === fn
          ? parent.id
          : undefined;
    return id?.type === 'Identifier' ? this.#lookup(id, id.name) : undefined;
  }

  bindingOfPattern(id: AnyNode): Binding | undefined {
    return id.type === 'Identifier' ? this.#lookup(id, id.name) : undefined;
  }

  #declare(node: AnyNode): void {
    if (node.type === 'VariableDeclarator') {
      const declaration = this.#tree.parent(node);
      const hoisted = declaration?.type === 'VariableDeclaration' && declaration.kind === 'var';
      this.#pattern(node.id, hoisted ? this.#functionScope(node) : this.#scope(node), node.init ?? undefined);
    } else if (node.type === 'FunctionDeclaration' && node.id) {
      this.#add(node.id, this.#scope(node), node);
    } else if (node.type === 'ClassDeclaration' && node.id) {
      this.#add(node.id, this.#scope(node), undefined);
    } else if (node.type === 'ClassExpression' && node.id) {
      this.#add(node.id, this.#scopes.get(node), undefined);
    } else if (node.type === 'CatchClause' && node.param) {
      this.#pattern(node.param, this.#scopes.get(node), undefined);
    } else if (/^Import\w*Specifier$/u.test(node.type) && 'local' in node) {
      this.#add(node.local as Identifier, this.#scope(node), undefined);
    }
    if (isFunctionNode(node)) this.#declareFunction(node);
  }

  #declareFunction(node: FunctionNode): void {
    const own = this.#scopes.get(node);
    if (node.type === 'FunctionExpression' && node.id) this.#add(node.id, own, undefined);
    for (const param of node.params) this.#pattern(param, own, undefined);
  }

  #pattern(pattern: Pattern, scope: Scope | undefined, init: AnyNode | undefined): void {
    if (pattern.type === 'Identifier') this.#add(pattern, scope, init);
    else if (pattern.type === 'AssignmentPattern') this.#pattern(pattern.left, scope, undefined);
    else if (pattern.type === 'RestElement') this.#pattern(pattern.argument, scope, undefined);
    else if (pattern.type === 'ArrayPattern') {
      for (const element of pattern.elements) if (element) this.#pattern(element, scope, undefined);
    } else if (pattern.type === 'ObjectPattern') {
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') this.#pattern(property.argument, scope, undefined);
        else if (property.value.type === 'Identifier') this.#add(property.value, scope, init, keyName(property));
        else this.#pattern(property.value, scope, undefined);
      }
    }
  }

  #add(id: Identifier, scope: Scope | undefined, init: AnyNode | undefined, key?: string): void {
    this.#declaring.add(id);
    const known = scope?.get(id.name);
    if (known) known.assigned = true;
    else scope?.set(id.name, { name: id.name, refs: [], init, key, assigned: false });
  }

  #resolve(id: Identifier): void {
    const binding = this.#lookup(id, id.name);
    const assigned = this.#isAssigned(id);
    if (!binding) {
      if (assigned) this.#assignedGlobals.add(id.name);
      return;
    }
    this.#bindings.set(id, binding);
    if (assigned) binding.assigned = true;
    else binding.refs.push(id);
  }

  #lookup(node: AnyNode, name: string): Binding | undefined {
    for (const ancestor of this.#tree.ancestors(node)) {
      const found = this.#scopes.get(ancestor)?.get(name);
      if (found) return found;
    }
    return undefined;
  }

  #scope(node: AnyNode): Scope | undefined {
    for (const ancestor of this.#tree.ancestors(node)) {
      const scope = this.#scopes.get(ancestor);
      if (scope && ancestor.type !== 'ClassDeclaration' && ancestor.type !== 'ClassExpression') return scope;
    }
    return undefined;
  }

  #functionScope(node: AnyNode): Scope | undefined {
    for (const ancestor of this.#tree.ancestors(node)) {
      if (isFunctionNode(ancestor) || ancestor.type === 'Program' || ancestor.type === 'StaticBlock')
        return this.#scopes.get(ancestor);
    }
    return undefined;
  }

  #isAssigned(id: Identifier): boolean {
    let node: AnyNode = id;
    for (const ancestor of this.#tree.ancestors(id)) {
      if (ancestor.type === 'AssignmentExpression') return ancestor.left === node;
      if (ancestor.type === 'UpdateExpression') return true;
      if (ancestor.type === 'ForInStatement' || ancestor.type === 'ForOfStatement') return ancestor.left === node;
      if (!/^(?:ObjectPattern|ArrayPattern|AssignmentPattern|RestElement|Property)$/u.test(ancestor.type)) return false;
      if (ancestor.type === 'AssignmentPattern' && ancestor.right === node) return false;
      node = ancestor;
    }
    return false;
  }

  #isReference(id: Identifier): boolean {
    if (this.#declaring.has(id)) return false;
    const parent = this.#tree.parent(id);
    if (!parent) return false;
    if (parent.type === 'MemberExpression') return parent.object === id || parent.computed;
    if (parent.type === 'Property' || parent.type === 'MethodDefinition' || parent.type === 'PropertyDefinition') {
      return parent.key !== id || parent.computed;
    }
    return !/^(?:LabeledStatement|BreakStatement|ContinueStatement|MetaProperty|(?:Import|Export)\w*Specifier|ImportAttribute)$/u.test(
      parent.type,
    );
  }
}

function keyName(property: { readonly key: AnyNode; readonly computed: boolean }): string | undefined {
  const { key, computed } = property;
  if (key.type === 'Identifier' && !computed) return key.name;
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : undefined;
}
