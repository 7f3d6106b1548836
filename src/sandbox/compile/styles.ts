import type { AnyNode, CallExpression, ExpressionStatement, Program } from 'acorn';
import { Callees } from './callees.ts';
import type { CompileWorld } from './compile.ts';
import type { Edits } from './edits.ts';
import { Flow, methodName } from './flow.ts';
import { Scopes } from './scopes.ts';
import { type FunctionNode, isFunctionNode, Tree } from './tree.ts';

/**
 * Make every calling style right. A call whose value is wanted is awaited, in functions that can be made to wait;
 * where nothing can wait (a comparator, a getter) it blocks, which is what an untouched call does. A call whose
 * promise is wanted stays a promise, so calls that stand side by side in the text run side by side.
 *
 * @param hidden the name of the script's world: `hidden.p.name` starts a call, `hidden.p1` takes one argument only.
 */
export function applyStyles(program: Program, edits: Edits, about: { world: CompileWorld; hidden: string }): void {
  const tree = new Tree(program);
  if (tree.nodes.length <= MAX_NODES) new Styles(tree, edits, about).apply();
}

/** A longer script runs as it is written: its calls block, which is slower but no less right. */
const MAX_NODES = 20_000;

const ITERATORS = /^(?:map|flatMap|filter|forEach|some|every|find|findIndex|findLast|findLastIndex)$/u;

class Styles {
  readonly #tree: Tree;
  readonly #scopes: Scopes;
  readonly #flow: Flow;
  readonly #callees: Callees;
  readonly #edits: Edits;
  readonly #hidden: string;
  /** Functions of the script that will be asynchronous though they were not written so. */
  #waiting = new Set<FunctionNode>();
  /** Nodes that hold something to wait for, inner functions not counted. */
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

  /** Begin with every function that would have to wait, and let go of those that somebody calls who cannot. */
  #chooseWaiting(): void {
    const functions = new Set(
      this.#tree.nodes.filter(isFunctionNode).filter((fn) => !fn.async && !fn.generator && !this.#isMethod(fn)),
    );
    const calls = this.#tree.nodes.filter((node): node is CallExpression => node.type === 'CallExpression');
    for (let before = -1; before !== this.#waiting.size; ) {
      before = this.#waiting.size;
      for (const call of calls) {
        const around = this.#tree.functionAround(call);
        if (around && functions.has(around) && this.#isWaitedCall(call) && !this.#inParameters(call))
          this.#waiting.add(around);
      }
    }
    for (let before = -1; before !== this.#waiting.size; ) {
      before = this.#waiting.size;
      this.#waiting = new Set([...this.#waiting].filter((fn) => this.#mayWait(fn)));
    }
  }

  /** A call of a tool, or of a function of the script that is asynchronous. */
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

  /** Can everybody who uses this function live with a promise? */
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

  /** May `await` stand at this place? */
  #canWait(node: AnyNode): boolean {
    let child = node;
    for (const ancestor of this.#tree.ancestors(node)) {
      if (
        ancestor.type === 'PropertyDefinition' ||
        ancestor.type === 'StaticBlock' ||
        ancestor.type === 'WithStatement'
      )
        return false;
      if (isFunctionNode(ancestor)) {
        const inParameters = (ancestor.params as readonly AnyNode[]).includes(child);
        return !inParameters && (ancestor.async || this.#waiting.has(ancestor));
      }
      child = ancestor;
    }
    return true;
  }

  #inParameters(node: AnyNode): boolean {
    let child = node;
    for (const ancestor of this.#tree.ancestors(node)) {
      if (isFunctionNode(ancestor)) return (ancestor.params as readonly AnyNode[]).includes(child);
      child = ancestor;
    }
    return false;
  }

  #isMethod(fn: FunctionNode): boolean {
    const parent = this.#tree.parent(fn);
    if (parent?.type === 'MethodDefinition') return true;
    return parent?.type === 'Property' && (parent.method || parent.kind !== 'init');
  }

  #rewriteCall(call: CallExpression): void {
    if (this.#inWith(call)) return;
    this.#rewriteChain(call);
    if (this.#rewriteForEach(call)) return;
    if (!this.#isWaitedCall(call)) return;
    const promise = this.#flow.wantsPromise(call);
    if (!promise && !this.#canWait(call)) return;
    const tool = this.#callees.ofCall(call);
    if (tool) this.#edits.replace(tool.start, tool.end, `${this.#hidden}.p${tool.suffix}`);
    if (!promise) this.#await(call);
  }

  /** `await`, in parentheses only where they are needed: a line that begins with `(` may join the line before. */
  #await(node: AnyNode): void {
    const statement = this.#statementStart(node);
    if (statement?.expression === node) this.#edits.wrap(node.start, node.end, ['await ', '']);
    else this.#edits.wrap(node.start, node.end, [statement ? 'void 0,(await ' : '(await ', ')']);
  }

  #statementStart(node: AnyNode): ExpressionStatement | undefined {
    for (const ancestor of this.#tree.ancestors(node)) {
      if (ancestor.type === 'ExpressionStatement') return ancestor.start === node.start ? ancestor : undefined;
      if (ancestor.start !== node.start) return undefined;
    }
    return undefined;
  }

  /** `list.map(fetchText)`: the tool must not take the index for its second argument. */
  #rewriteCallback(node: AnyNode): void {
    const call = this.#tree.parent(node);
    if (call?.type !== 'CallExpression' || call.callee === node || this.#inWith(node)) return;
    const tool = this.#callees.of(node);
    if (!tool) return;
    const promise = this.#flow.isPromiseCallback(node);
    if (!promise && !ITERATORS.test(methodName(call) ?? '')) return;
    this.#edits.replace(tool.start, tool.end, `${this.#hidden}.${promise ? 'p1' : 'b1'}${tool.suffix}`);
  }

  /** `list.forEach(async …)` is waited for where that is possible. */
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

  /** `.then` on something that may have become a value already. */
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

  #isWait(node: AnyNode): boolean {
    if (node.type === 'AwaitExpression' || node.type === 'YieldExpression') return true;
    return node.type === 'CallExpression' && this.#isWaitedCall(node);
  }

  #markWait(node: AnyNode): void {
    this.#holdsWait.add(node);
    for (const ancestor of this.#tree.ancestors(node)) {
      if (isFunctionNode(ancestor) || this.#holdsWait.has(ancestor)) return;
      this.#holdsWait.add(ancestor);
    }
  }

  /** A statement that only starts something is waited for, so that the next one finds it done. */
  #rewriteStatement({ expression }: ExpressionStatement): void {
    if (expression.type !== 'CallExpression' || !this.#flow.isPromise(expression) || this.#inWith(expression)) return;
    const started = this.#canWait(expression) ? ['await ', ''] : [`${this.#hidden}.track(`, ')'];
    this.#edits.wrap(expression.start, expression.end, [started[0] ?? '', started[1] ?? '']);
  }

  #inWith(node: AnyNode): boolean {
    for (const ancestor of this.#tree.ancestors(node)) if (ancestor.type === 'WithStatement') return true;
    return false;
  }
}
