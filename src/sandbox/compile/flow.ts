import type { AnyNode, CallExpression, Identifier, VariableDeclarator } from 'acorn';
import type { Scopes } from './scopes.ts';
import { type FunctionNode, isFunctionNode, type Tree } from './tree.ts';

/** Static methods of Promise that take a list of promises. */
const COMBINATORS = new Set(['all', 'allSettled', 'race', 'any']);
/** Methods of a promise itself. */
const CHAIN = new Set(['then', 'catch', 'finally']);
/** Array methods whose result contains the same elements. */
const PASSING = new Set(['concat', 'flat', 'slice', 'reverse']);

/**
 * Where the value of an expression goes: to something that wants a promise, or to something that wants the value
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

  /** One step up the tree; `wantsPromise` follows the rest. */
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
        return parent.object === node && this.chainCall(parent) !== undefined;
      case 'ArrayExpression':
        return this.wantsPromises(parent);
      case 'CallExpression':
        return this.#isPromiseResolve(parent, node) || this.#isCollected(parent, node);
      case 'VariableDeclarator':
        return parent.init === node && this.#everyUse(parent, (ref) => this.wantsPromise(ref));
      default:
        return false;
    }
  }

  #findWantsPromises(list: AnyNode): boolean {
    const parent = this.#tree.parent(list);
    switch (parent?.type) {
      case 'CallExpression':
        if (parent.arguments[0] === list && this.isCombinator(parent)) return true;
        return this.#isPassing(parent) && this.wantsPromises(parent);
      case 'SpreadElement':
        return this.#spreadWantsPromises(parent);
      case 'MemberExpression':
        return parent.object === list && this.#methodWantsPromises(parent);
      case 'ConditionalExpression':
        return parent.test !== list && this.wantsPromises(parent);
      case 'VariableDeclarator':
        return parent.init === list && this.#everyUse(parent, (ref) => this.#listUse(ref), true);
      case 'ForOfStatement':
        return parent.right === list && (parent.await || this.#loopAwaits(parent.left));
      default:
        return false;
    }
  }

  /** `Promise.all(…)` and the other combinators. */
  isCombinator(node: AnyNode): node is CallExpression {
    if (node.type !== 'CallExpression') return false;
    const name = this.#promiseMethod(node);
    return name !== undefined && COMBINATORS.has(name);
  }

  /** For the callee `x.then`: the call `x.then(…)`. */
  chainCall(member: AnyNode): CallExpression | undefined {
    if (member.type !== 'MemberExpression' || member.computed || member.property.type !== 'Identifier')
      return undefined;
    if (!CHAIN.has(member.property.name)) return undefined;
    const call = this.#tree.parent(member);
    return call?.type === 'CallExpression' && call.callee === member ? call : undefined;
  }

  /** A callback whose caller wants promises: `Promise.all(list.map(fn))`, `x.then(fn)`. */
  isPromiseCallback(node: AnyNode): boolean {
    const call = this.#tree.parent(node);
    if (call?.type !== 'CallExpression' || call.callee === node) return false;
    if (call.callee.type === 'MemberExpression' && this.chainCall(call.callee) === call) return true;
    const name = methodName(call);
    if ((name === 'map' || name === 'flatMap') && call.arguments[0] === node) return this.wantsPromises(call);
    return name === 'from' && call.arguments[1] === node && this.wantsPromises(call);
  }

  /** Whether this is certainly a promise, whatever the calling style. */
  isPromise(node: AnyNode): boolean {
    if (node.type === 'NewExpression') return this.#scopes.isGlobal(node.callee, 'Promise');
    if (node.type !== 'CallExpression') return false;
    return this.#promiseMethod(node) !== undefined || this.chainCall(node.callee) === node;
  }

  /** `all` for `Promise.all(…)`, unless the script has a `Promise` of its own. */
  #promiseMethod(call: CallExpression): string | undefined {
    const { callee } = call;
    if (callee.type !== 'MemberExpression' || !this.#scopes.isGlobal(callee.object, 'Promise')) return undefined;
    return callee.property.type === 'Identifier' ? callee.property.name : undefined;
  }

  #isPromiseResolve(call: CallExpression, argument: AnyNode): boolean {
    return this.#promiseMethod(call) === 'resolve' && call.arguments[0] === argument;
  }

  /** `list.push(…)` on a list that is only passed to `Promise.all`. */
  #isCollected(call: CallExpression, argument: AnyNode): boolean {
    if (methodName(call) !== 'push' || call.callee === argument) return false;
    const list = call.callee.type === 'MemberExpression' ? call.callee.object : undefined;
    const binding = list?.type === 'Identifier' ? this.#scopes.binding(list) : undefined;
    if (!binding?.init || binding.assigned || binding.init.type !== 'ArrayExpression') return false;
    return this.wantsPromises(binding.init);
  }

  #isPassing(call: CallExpression): boolean {
    return PASSING.has(methodName(call) ?? '');
  }

  #spreadWantsPromises(spread: AnyNode): boolean {
    const list = this.#tree.parent(spread);
    if (list?.type === 'ArrayExpression') return this.wantsPromises(list);
    return list?.type === 'CallExpression' && this.#isCollected(list, spread);
  }

  #methodWantsPromises(member: AnyNode): boolean {
    const call = this.#tree.parent(member);
    if (call?.type !== 'CallExpression' || call.callee !== member) return false;
    if (this.#isPassing(call)) return this.wantsPromises(call);
    const callback = call.arguments[0];
    const each = /^(?:map|forEach)$/u.test(methodName(call) ?? '');
    return each && callback !== undefined && isFunctionNode(callback) && this.#parameterWantsPromise(callback);
  }

  /** In `list.map((p) => …)`: whether `p` is used as a promise only. */
  #parameterWantsPromise(fn: FunctionNode): boolean {
    const [first] = fn.params;
    const refs = first ? this.#scopes.binding(first)?.refs : undefined;
    return refs !== undefined && refs.length > 0 && refs.every((ref) => this.wantsPromise(ref));
  }

  /** In `for (const p of list) …`: whether `p` is used as a promise only. */
  #loopAwaits(left: AnyNode): boolean {
    if (left.type !== 'VariableDeclaration') return false;
    const id = left.declarations[0]?.id;
    const refs = id ? this.#scopes.binding(id)?.refs : undefined;
    return refs !== undefined && refs.length > 0 && refs.every((ref) => this.wantsPromise(ref));
  }

  /** One use of a list of promises; `undefined` where it says nothing either way, as `list.length` does. */
  #listUse(ref: Identifier): boolean | undefined {
    const parent = this.#tree.parent(ref);
    if (parent?.type === 'MemberExpression' && parent.object === ref && parent.property.type === 'Identifier') {
      if (parent.property.name === 'length') return undefined;
      const call = this.#tree.parent(parent);
      if (parent.property.name === 'push' && call?.type === 'CallExpression' && call.callee === parent)
        return undefined;
    }
    return this.wantsPromises(ref);
  }

  /** @param some also ask for at least one use that says yes. */
  #everyUse(declarator: VariableDeclarator, use: (ref: Identifier) => boolean | undefined, some = false): boolean {
    const binding = this.#scopes.binding(declarator.id);
    if (!binding || binding.assigned || binding.refs.length === 0 || declarator.id.type !== 'Identifier') return false;
    const uses = binding.refs.map(use);
    return !uses.includes(false) && (!some || uses.includes(true));
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

/** `map` for `list.map(…)`. */
export function methodName(call: CallExpression): string | undefined {
  const { callee } = call;
  if (callee.type !== 'MemberExpression' || callee.computed) return undefined;
  return callee.property.type === 'Identifier' ? callee.property.name : undefined;
}
