import type { AnyNode, CallExpression, ExpressionStatement, MemberExpression, Program } from 'acorn';
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
 * @param hidden  the variable through which the script reaches the host: `hidden.p.name(...)` starts a call,
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
const ITERATORS: ReadonlySet<string | undefined> = new Set([
  ...['map', 'flatMap', 'filter', 'forEach', 'some', 'every', 'find', 'findIndex', 'findLast', 'findLastIndex'],
]);

/** The place of a function that is the script's result. */
const STATEMENTS: ReadonlySet<string | undefined> = new Set(['ExpressionStatement', 'ExportDefaultDeclaration']);

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
    const calls = this.#tree.nodes.filter((node): node is CallExpression => node.type === 'CallExpression');
    for (let before = -1; before !== this.#waiting.size; ) {
      before = this.#waiting.size;
      for (const call of calls) {
        const runner = this.#tree.runner(call);
        if (!runner || runner.type === 'Program' || runner.async || runner.generator) continue;
        if (this.#isWaitedCall(call)) this.#waiting.add(runner);
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
    const binding = this.#scopes.binding(callee);
    const fn = binding && !binding.assigned && binding.key === undefined ? binding.init : undefined;
    return fn !== undefined && isFunctionNode(fn) && this.#isAsync(fn);
  }

  #isAsync(fn: FunctionNode): boolean {
    return (fn.async && !fn.generator) || this.#waiting.has(fn);
  }

  /** Whether everything that uses this function can deal with a promise, under its own name or a variable's. */
  #mayWait(fn: FunctionNode): boolean {
    if (fn.type !== 'ArrowFunctionExpression' && fn.id && !this.#usesMayWait(fn.id)) return false;
    const parent = this.#tree.parent(fn);
    if (parent?.type === 'VariableDeclarator') return this.#usesMayWait(parent.id);
    return fn.type === 'FunctionDeclaration' || STATEMENTS.has(parent?.type) || this.#useMayWait(fn);
  }

  #usesMayWait(name: AnyNode): boolean {
    const binding = this.#scopes.binding(name);
    return binding !== undefined && !binding.assigned && binding.refs.every((ref) => this.#useMayWait(ref));
  }

  #useMayWait(use: AnyNode): boolean {
    const parent = this.#tree.parent(use);
    if (parent?.type !== 'CallExpression') return false;
    if (parent.callee !== use) return this.#flow.isPromiseCallback(use, parent);
    return this.#canWait(parent) || this.#flow.wantsPromise(parent);
  }

  /** Whether `await` is allowed at this place. */
  #canWait(node: AnyNode): boolean {
    const runner = this.#tree.runner(node);
    return runner !== undefined && (runner.type === 'Program' || runner.async || this.#waiting.has(runner));
  }

  /** Start the call through `hidden.p`, awaited unless its promise is used. */
  #rewriteCall(call: CallExpression): void {
    this.#rewriteChain(call);
    this.#rewriteForEach(call);
    if (!this.#isWaitedCall(call)) return;
    const promise = this.#flow.wantsPromise(call);
    if (!promise && !this.#canWait(call)) return;
    const tool = this.#callees.ofCall(call);
    if (tool) this.#edits.replace(tool.start, tool.end, `${this.#hidden}.p${tool.suffix}`);
    if (!promise) this.#await(call);
  }

  /**
   * Put `await` in front, in parentheses unless it is the whole statement. Without semicolons, a line that begins with
   * `(` would continue the previous line as a call, hence the leading `void 0,`.
   */
  #await(node: AnyNode): void {
    const statement = this.#statementStart(node);
    if (statement?.expression === node) this.#edits.wrap(node.start, node.end, ['await ', '']);
    else {
      const first = statement && !this.#isStart(statement);
      this.#edits.wrap(node.start, node.end, [first ? 'void 0,(await ' : '(await ', ')']);
    }
  }

  /** The statement that begins with exactly this node. */
  #statementStart(node: AnyNode): ExpressionStatement | undefined {
    for (const ancestor of this.#tree.ancestors(node)) {
      if (ancestor.type === 'ExpressionStatement') return ancestor.start === node.start ? ancestor : undefined;
    }
    return undefined;
  }

  /** In `list.map(fetchText)` the tool must not receive the index as its second argument. */
  #rewriteCallback(node: AnyNode): void {
    const call = this.#tree.parent(node);
    if (call?.type !== 'CallExpression' || call.callee === node) return;
    const tool = this.#callees.of(node);
    if (!tool) return;
    const promise = this.#flow.isPromiseCallback(node, call);
    if (!promise && !ITERATORS.has(methodName(call))) return;
    this.#edits.replace(tool.start, tool.end, `${this.#hidden}.${promise ? 'p1' : 'b1'}${tool.suffix}`);
  }

  /** `list.forEach(async …)` drops its promises; collect and await them where that is possible. */
  #rewriteForEach(call: CallExpression): void {
    const {
      callee,
      arguments: [fn],
    } = call;
    if (methodName(call) !== 'forEach' || !fn || !isFunctionNode(fn) || !fn.async) return;
    if (call.optional || (callee as MemberExpression).optional || !this.#canWait(call)) return;
    this.#edits.wrap(call.start, call.end, [`await ${this.#hidden}.after(`, ')']);
    this.#edits.wrap(fn.start, fn.end, [`${this.#hidden}.each(`, ')']);
  }

  /** `.then` on what may now be a plain value, because its call was awaited or blocks. */
  #rewriteChain(call: CallExpression): void {
    const chain = this.#flow.chainOf(call);
    if (!chain || chain.optional || chain.object.type === 'Super') return;
    const { object } = chain;
    if (this.#flow.isPromise(object) || this.#holdsWait.has(object)) return;
    this.#edits.wrap(object.start, object.end, [`${this.#hidden}.chain(()=>(`, '))']);
  }

  /** Whether the script pauses at this node. */
  #isWait(node: AnyNode): boolean {
    if (node.type === 'AwaitExpression' || node.type === 'YieldExpression') return true;
    return node.type === 'CallExpression' && this.#isWaitedCall(node);
  }

  /** Mark everything up to the enclosing function, stopping at nodes that are already marked. */
  #markWait(node: AnyNode): void {
    this.#holdsWait.add(node);
    for (const ancestor of this.#tree.ancestors(node)) {
      if (isFunctionNode(ancestor) || this.#holdsWait.has(ancestor)) return;
      this.#holdsWait.add(ancestor);
    }
  }

  /** A statement that only starts something is awaited, so that the next statement finds it done. */
  #rewriteStatement(statement: ExpressionStatement): void {
    if (!this.#isStart(statement)) return;
    const { expression } = statement;
    const around = this.#canWait(expression) ? (['await ', ''] as const) : ([`${this.#hidden}.track(`, ')'] as const);
    this.#edits.wrap(expression.start, expression.end, around);
  }

  #isStart({ expression }: ExpressionStatement): boolean {
    return expression.type === 'CallExpression' && this.#flow.isPromise(expression);
  }
}
