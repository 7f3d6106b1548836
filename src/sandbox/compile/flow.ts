import type { AnyNode, CallExpression, Identifier, MemberExpression, VariableDeclarator } from 'acorn';
import { type Scopes, staticKey } from './scopes.ts';
import { isFunctionNode, type Tree } from './tree.ts';

/** Static methods of Promise that take a list of promises. */
const COMBINATORS: ReadonlySet<string | undefined> = new Set(['all', 'allSettled', 'race', 'any']);
/** Methods of a promise itself. */
const CHAIN: ReadonlySet<string | undefined> = new Set(['then', 'catch', 'finally']);
/** Array methods whose result contains the same elements. */
const PASSING: ReadonlySet<string | undefined> = new Set(['concat', 'flat', 'slice', 'reverse']);
/** Array methods that hand each element to a function. */
const EACH: ReadonlySet<string | undefined> = new Set(['map', 'forEach']);

/**
 * Where the value of an expression flows: to something that wants a promise, or to something that wants the value
 * itself.
 *
 * The answers are conservative. Only where every use is known to want a promise is the answer "promise"; in doubt a
 * call is awaited, which costs time but never changes what the script computes.
 */
export class Flow {
  readonly #tree: Tree;
  readonly #scopes: Scopes;
  /** Answers by node. While an answer is being found it reads as `false`, which breaks cycles between variables. */
  readonly #single = new Map<AnyNode, boolean>();
  readonly #lists = new Map<AnyNode, boolean>();

  constructor(tree: Tree, scopes: Scopes) {
    this.#tree = tree;
    this.#scopes = scopes;
  }

  /**
   * Whether the value is awaited, chained or collected for `Promise.all`, directly or through a variable that is used
   * in no other way.
   */
  wantsPromise(node: AnyNode): boolean {
    return remember(this.#single, node, () => this.#findWantsPromise(node));
  }

  /** The same for a list: whether its elements are used as promises. */
  wantsPromises(list: AnyNode): boolean {
    return remember(this.#lists, list, () => this.#findWantsPromises(list));
  }

  /** One step up the tree; `wantsPromise` does the rest. */
  #findWantsPromise(node: AnyNode): boolean {
    const parent = this.#tree.parent(node);
    switch (parent?.type) {
      case 'AwaitExpression':
        return true;
      case 'ChainExpression':
        return this.wantsPromise(parent);
      case 'ConditionalExpression':
        return parent.test !== node && this.wantsPromise(parent);
      case 'LogicalExpression':
        return parent.right === node && this.wantsPromise(parent);
      case 'SequenceExpression':
        return parent.expressions.at(-1) === node && this.wantsPromise(parent);
      case 'MemberExpression':
        return this.#isChained(parent);
      case 'ArrayExpression':
        return this.wantsPromises(parent);
      case 'CallExpression':
        return this.#isPromiseResolve(parent, node) || this.#isCollected(parent);
      case 'VariableDeclarator':
        return this.#everyUse(parent, (ref) => this.wantsPromise(ref));
      default:
        return false;
    }
  }

  #findWantsPromises(list: AnyNode): boolean {
    const parent = this.#tree.parent(list);
    switch (parent?.type) {
      case 'CallExpression':
        if (parent.arguments[0] === list && COMBINATORS.has(this.#promiseMethod(parent))) return true;
        return PASSING.has(methodName(parent)) && this.wantsPromises(parent);
      case 'SpreadElement':
        return this.#spreadWantsPromises(parent);
      case 'MemberExpression':
        return this.#methodWantsPromises(parent);
      case 'ConditionalExpression':
        return parent.test !== list && this.wantsPromises(parent);
      case 'VariableDeclarator':
        return this.#everyUse(parent, (ref) => this.#listUse(ref));
      case 'ForOfStatement':
        return parent.await || this.#loopAwaits(parent.left);
      default:
        return false;
    }
  }

  /** For the call `x.then(…)`: its callee `x.then`. */
  chainOf(call: CallExpression): MemberExpression | undefined {
    return call.callee.type === 'MemberExpression' && CHAIN.has(methodName(call)) ? call.callee : undefined;
  }

  #isChained(member: MemberExpression): boolean {
    const call = this.#tree.parent(member);
    return call?.type === 'CallExpression' && this.chainOf(call) === member;
  }

  /** An argument whose callee wants promises of it: `Promise.all(list.map(fn))`, `x.then(fn)`. */
  isPromiseCallback(node: AnyNode, call: CallExpression): boolean {
    if (this.chainOf(call)) return true;
    const name = methodName(call);
    if ((name === 'map' || name === 'flatMap') && call.arguments[0] === node) return this.wantsPromises(call);
    return name === 'from' && call.arguments[1] === node && this.wantsPromises(call);
  }

  /** Whether this is certainly a promise, whatever the calling style. */
  isPromise(node: AnyNode): boolean {
    if (node.type === 'NewExpression') return this.#scopes.isGlobal(node.callee, 'Promise');
    if (node.type !== 'CallExpression') return false;
    return this.#promiseMethod(node) !== undefined || this.chainOf(node) !== undefined;
  }

  /** `all` for `Promise.all(…)`, unless the script has a `Promise` of its own. */
  #promiseMethod(call: CallExpression): string | undefined {
    const { callee } = call;
    if (callee.type !== 'MemberExpression' || !this.#scopes.isGlobal(callee.object, 'Promise')) return undefined;
    return methodName(call);
  }

  #isPromiseResolve(call: CallExpression, argument: AnyNode): boolean {
    return this.#promiseMethod(call) === 'resolve' && call.arguments[0] === argument;
  }

  /** `list.push(…)` on a list that is only passed to `Promise.all`. */
  #isCollected(call: CallExpression): boolean {
    if (call.callee.type !== 'MemberExpression' || methodName(call) !== 'push') return false;
    const init = this.#scopes.binding(call.callee.object)?.init;
    return init?.type === 'ArrayExpression' && this.wantsPromises(init);
  }

  #spreadWantsPromises(spread: AnyNode): boolean {
    const list = this.#tree.parent(spread);
    if (list?.type === 'ArrayExpression') return this.wantsPromises(list);
    return list?.type === 'CallExpression' && this.#isCollected(list);
  }

  #methodWantsPromises(member: AnyNode): boolean {
    const call = this.#tree.parent(member);
    if (call?.type !== 'CallExpression' || call.callee !== member) return false;
    const name = methodName(call);
    if (PASSING.has(name)) return this.wantsPromises(call);
    const [callback] = call.arguments;
    return EACH.has(name) && callback !== undefined && isFunctionNode(callback) && this.#isAwaited(callback.params[0]);
  }

  /** In `for (const p of list) …`: whether `p` is used as a promise only. */
  #loopAwaits(left: AnyNode): boolean {
    return left.type === 'VariableDeclaration' && this.#isAwaited(left.declarations[0]?.id);
  }

  /** Whether a name is used as a promise only, and at least once. */
  #isAwaited(name: AnyNode | undefined): boolean {
    const refs = (name && this.#scopes.binding(name)?.refs) ?? [];
    return refs.length > 0 && refs.every((ref) => this.wantsPromise(ref));
  }

  /** One use of a list of promises; `undefined` for a neutral one, such as `list.length`. */
  #listUse(ref: Identifier): boolean | undefined {
    const parent = this.#tree.parent(ref);
    if (parent?.type === 'MemberExpression') {
      const name = staticKey(parent.property, parent.computed);
      if (name === 'length') return undefined;
      const call = this.#tree.parent(parent);
      if (name === 'push' && call?.type === 'CallExpression' && call.callee === parent) return undefined;
    }
    return this.wantsPromises(ref);
  }

  /** Whether no use of a variable says no, and at least one says yes. */
  #everyUse(declarator: VariableDeclarator, use: (ref: Identifier) => boolean | undefined): boolean {
    const binding = this.#scopes.binding(declarator.id);
    if (!binding || binding.assigned) return false;
    const uses = binding.refs.map(use);
    return !uses.includes(false) && uses.includes(true);
  }
}

function remember(known: Map<AnyNode, boolean>, node: AnyNode, find: () => boolean): boolean {
  const before = known.get(node);
  if (before !== undefined) return before;
  known.set(node, false);
  const found = find();
  known.set(node, found);
  return found;
}

/** `map` for `list.map(…)` and `list['map'](…)`. */
export function methodName({ callee }: CallExpression): string | undefined {
  return callee.type === 'MemberExpression' ? staticKey(callee.property, callee.computed) : undefined;
}
