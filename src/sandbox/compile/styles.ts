import type { AnyNode, CallExpression, ExpressionStatement, Program } from 'acorn';
import { Callees } from './callees.ts';
import type { Edits } from './edits.ts';
import { Flow, methodName } from './flow.ts';
import { Scopes } from './scopes.ts';
import { type FunctionNode, isFunctionNode, Tree } from './tree.ts';
import type { CompileWorld } from './types.ts';

/**
 * Make a script give the same answer whether or not its author wrote `await`.
 *
 * A call whose value is used is awaited, and the functions around it become async where every caller can deal with a
 * promise. Where nothing can wait (a comparator, a getter) the call stays as written, which blocks the whole script
 * until the answer arrives. A call whose promise is used stays a promise, so calls written side by side run side by
 * side.
 *
 * @param hidden  the variable through which the script reaches its surroundings: `hidden.p.name(...)` starts a call,
 *                `hidden.p1.name` does so with its first argument only.
 */
export function applyStyles(program: Program, edits: Edits, about: { world: CompileWorld; hidden: string }): void {
  const tree = new Tree(program);
  // Inside `with` no name can be resolved, so nothing is known about who calls a function.
  const isDynamic = tree.nodes.some((node) => node.type === 'WithStatement');
  if (tree.nodes.length <= MAX_NODES && !isDynamic) new Styles(tree, edits, about).apply();
}

/** A longer script runs as written: its calls block, which is slower but gives the same answer. */
const MAX_NODES = 20_000;

/** Array methods that need the callback's value at once, so a promise would be wrong. */
const ITERATORS = /^(?:map|flatMap|filter|forEach|some|every|find|findIndex|findLast|findLastIndex)$/u;

class Styles {
  readonly #tree: Tree;
  readonly #scopes: Scopes;
  readonly #flow: Flow;
  readonly #callees: Callees;
  readonly #edits: Edits;
  readonly #hidden: string;
  /** Functions that become async although their author did not write it. */
  #waiting = new Set<FunctionNode>();
  /** Nodes that contain something to await, not counting what is inside inner functions. */
  readonly #holdsWait = new Set<AnyNode>();

  constructor(tree: Tree, edits: Edits, about: { world: CompileWorld; hidden: string }) {
    this.#tree = tree;
    this.#scopes = new Scopes(tree);
    this.#flow = new Flow(this.#tree, this.#scopes);
    this.#callees = new Callees(this.#scopes, about.world);
    this.#edits = edits;
    this.#hidden = about.hidden;
  }

  apply(): void {
    this.#chooseWaiting();
    for (const node of this.#tree.nodes) if (this.#isWait(node)) this.#markWait(node);
    for (const fn of this.#waiting) this.#edits.insert(fn.start, 'async ');
    for (const node of this.#tree.nodes) {
      if (node.type === 'CallExpression') this.#rewriteCall(node);
      else if (node.type === 'Identifier' || node.type === 'MemberExpression') this.#rewriteCallback(node);
      else if (node.type === 'ExpressionStatement') this.#rewriteStatement(node);
    }
  }

  /**
   * Find the functions that become async: first all that contain an awaited call, directly or through each other, then
   * drop those with a caller that cannot wait, until nothing changes. Both loops end, since each only grows or shrinks.
   */
  #chooseWaiting(): void {
    const functions = new Set(
      this.#tree.nodes.filter(isFunctionNode).filter((fn) => !fn.async && !fn.generator && !this.#isMethod(fn)),
    );
    const calls = this.#tree.nodes.filter((node): node is CallExpression => node.type === 'CallExpression');
    for (let before = -1; before !== this.#waiting.size; ) {
      before = this.#waiting.size;
      for (const call of calls) {
        const around = this.#tree.functionAround(call);
        if (around && functions.has(around) && this.#isWaitedCall(call) && !this.#tree.isInParameters(call))
          this.#waiting.add(around);
      }
    }
    for (let before = -1; before !== this.#waiting.size; ) {
      before = this.#waiting.size;
      this.#waiting = new Set([...this.#waiting].filter((fn) => this.#mayWait(fn)));
    }
  }

  /** A call of a tool, or of one of the script's own functions that is (or becomes) async. */
  #isWaitedCall(call: CallExpression): boolean {
    return this.#callees.ofCall(call) !== undefined || this.#isLocalWaited(call);
  }

  #isLocalWaited(call: CallExpression): boolean {
    const { callee } = call;
    if (isFunctionNode(callee)) return this.#isAsync(callee);
    const binding = callee.type === 'Identifier' ? this.#scopes.binding(callee) : undefined;
    const fn = binding && !binding.assigned && binding.key === undefined ? binding.init : undefined;
    return fn !== undefined && isFunctionNode(fn) && this.#isAsync(fn);
  }

  #isAsync(fn: FunctionNode): boolean {
    return (fn.async && !fn.generator) || this.#waiting.has(fn);
  }

  /** Whether everything that uses this function can deal with a promise. */
  #mayWait(fn: FunctionNode): boolean {
    const binding = this.#scopes.bindingOfFunction(fn);
    if (binding) return !binding.assigned && binding.refs.every((ref) => this.#useMayWait(ref));
    if (fn.type === 'FunctionDeclaration') return true;
    const parent = this.#tree.parent(fn);
    if (parent?.type === 'ExpressionStatement' || parent?.type === 'ExportDefaultDeclaration') return true;
    return this.#useMayWait(fn);
  }

  #useMayWait(use: AnyNode): boolean {
    const parent = this.#tree.parent(use);
    if (parent?.type !== 'CallExpression') return false;
    if (parent.callee !== use) return this.#flow.isPromiseCallback(use);
    return this.#canWait(parent) || this.#flow.wantsPromise(parent);
  }

  /** Whether `await` is allowed at this place. */
  #canWait(node: AnyNode): boolean {
    let child = node;
    for (const ancestor of this.#tree.ancestors(node)) {
      if (ancestor.type === 'PropertyDefinition' || ancestor.type === 'StaticBlock') return false;
      if (isFunctionNode(ancestor)) {
        const inParameters = (ancestor.params as readonly AnyNode[]).includes(child);
        return !inParameters && (ancestor.async || this.#waiting.has(ancestor));
      }
      child = ancestor;
    }
    return true;
  }

  /** Methods, getters and setters: whoever calls them cannot be found by name. */
  #isMethod(fn: FunctionNode): boolean {
    const parent = this.#tree.parent(fn);
    if (parent?.type === 'MethodDefinition') return true;
    return parent?.type === 'Property' && (parent.method || parent.kind !== 'init');
  }

  /** Start the call through `hidden.p`, awaited unless its promise is used. */
  #rewriteCall(call: CallExpression): void {
    this.#rewriteChain(call);
    if (this.#rewriteForEach(call)) return;
    if (!this.#isWaitedCall(call)) return;
    const promise = this.#flow.wantsPromise(call);
    if (!promise && !this.#canWait(call)) return;
    const tool = this.#callees.ofCall(call);
    if (tool) this.#edits.replace(tool.start, tool.end, `${this.#hidden}.p${tool.suffix}`);
    if (!promise) this.#await(call);
  }

  /**
   * Put `await` in front, in parentheses unless it is the whole statement. Without semicolons a line that begins with
   * `(` would continue the line before as a call, hence the `void 0,`.
   */
  #await(node: AnyNode): void {
    const statement = this.#statementStart(node);
    if (statement?.expression === node) this.#edits.wrap(node.start, node.end, ['await ', '']);
    else this.#edits.wrap(node.start, node.end, [statement ? 'void 0,(await ' : '(await ', ')']);
  }

  /** The statement that begins with exactly this node. */
  #statementStart(node: AnyNode): ExpressionStatement | undefined {
    for (const ancestor of this.#tree.ancestors(node)) {
      if (ancestor.type === 'ExpressionStatement') return ancestor.start === node.start ? ancestor : undefined;
      if (ancestor.start !== node.start) return undefined;
    }
    return undefined;
  }

  /** In `list.map(fetchText)` the tool must not receive the index as its second argument. */
  #rewriteCallback(node: AnyNode): void {
    const call = this.#tree.parent(node);
    if (call?.type !== 'CallExpression' || call.callee === node) return;
    const tool = this.#callees.of(node);
    if (!tool) return;
    const promise = this.#flow.isPromiseCallback(node);
    if (!promise && !ITERATORS.test(methodName(call) ?? '')) return;
    this.#edits.replace(tool.start, tool.end, `${this.#hidden}.${promise ? 'p1' : 'b1'}${tool.suffix}`);
  }

  /** `list.forEach(async …)` drops its promises; collect and await them where that is possible. */
  #rewriteForEach(call: CallExpression): boolean {
    const [fn] = call.arguments;
    const { callee } = call;
    if (methodName(call) !== 'forEach' || callee.type !== 'MemberExpression' || !fn || !isFunctionNode(fn))
      return false;
    if (!fn.async || call.optional || callee.optional || !this.#canWait(call)) return false;
    this.#edits.wrap(call.start, call.end, [`await ${this.#hidden}.after(`, ')']);
    this.#edits.wrap(fn.start, fn.end, [`${this.#hidden}.each(`, ')']);
    return true;
  }

  /** `.then` on something that may be a plain value by now, because its call was awaited or blocks. */
  #rewriteChain(call: CallExpression): void {
    const { callee } = call;
    if (callee.type !== 'MemberExpression' || this.#flow.chainCall(callee) !== call) return;
    const { object } = callee;
    if (object.type === 'Super' || callee.optional || this.#isSurePromise(object) || this.#holdsWait.has(object))
      return;
    const statement = this.#statementStart(object);
    this.#edits.wrap(object.start, object.end, [`${statement ? 'void 0,' : ''}${this.#hidden}.chain(()=>(`, '))']);
  }

  #isSurePromise(node: AnyNode): boolean {
    if (this.#flow.isPromise(node)) return true;
    return node.type === 'CallExpression' && this.#isWaitedCall(node);
  }

  /** Whether the script pauses at this node. */
  #isWait(node: AnyNode): boolean {
    if (node.type === 'AwaitExpression' || node.type === 'YieldExpression') return true;
    return node.type === 'CallExpression' && this.#isWaitedCall(node);
  }

  /** Mark everything up to the function around, stopping where somebody marked before. */
  #markWait(node: AnyNode): void {
    this.#holdsWait.add(node);
    for (const ancestor of this.#tree.ancestors(node)) {
      if (isFunctionNode(ancestor) || this.#holdsWait.has(ancestor)) return;
      this.#holdsWait.add(ancestor);
    }
  }

  /** A statement that only starts something is awaited, so that the next statement finds it done. */
  #rewriteStatement({ expression }: ExpressionStatement): void {
    if (expression.type !== 'CallExpression' || !this.#flow.isPromise(expression)) return;
    const started = this.#canWait(expression) ? ['await ', ''] : [`${this.#hidden}.track(`, ')'];
    this.#edits.wrap(expression.start, expression.end, [started[0] ?? '', started[1] ?? '']);
  }
}
