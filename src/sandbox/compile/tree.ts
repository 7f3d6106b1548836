import type { AnyNode, ArrowFunctionExpression, FunctionDeclaration, FunctionExpression, Node, Program } from 'acorn';
import { fullAncestor } from 'acorn-walk';

export type FunctionNode = FunctionDeclaration | FunctionExpression | ArrowFunctionExpression;

/**
 * A syntax tree that can also be read upwards. Names that are not expressions, such as property names and labels, are
 * not part of it.
 */
export class Tree {
  readonly program: Program;
  /** Every node, children before their parents. */
  readonly nodes: readonly AnyNode[];
  readonly #parents = new Map<AnyNode, AnyNode>();

  constructor(program: Program) {
    const nodes: AnyNode[] = [];
    fullAncestor(program, (_node, _state, path) => {
      // acorn-walk is typed for any ESTree dialect; what acorn parsed holds acorn's nodes only.
      const [parent, node] = path.slice(-2) as [AnyNode, AnyNode?];
      nodes.push(node ?? parent);
      if (node) this.#parents.set(node, parent);
    });
    this.program = program;
    this.nodes = nodes;
  }

  parent(node: AnyNode): AnyNode | undefined {
    return this.#parents.get(node);
  }

  /** Ancestors from the parent of `node` up to the program. */
  *ancestors(node: AnyNode): Generator<AnyNode> {
    for (let next = this.parent(node); next; next = this.parent(next)) yield next;
  }

  /**
   * The innermost function or the script that runs `node`. Undefined where neither `await` nor a statement is allowed:
   * in a parameter list and in a class field.
   */
  runner(node: AnyNode): FunctionNode | Program | undefined {
    let child = node;
    for (const ancestor of this.ancestors(node)) {
      if (ancestor.type === 'PropertyDefinition' || ancestor.type === 'StaticBlock') return undefined;
      if (isFunctionNode(ancestor))
        return (ancestor.params as readonly AnyNode[]).includes(child) ? undefined : ancestor;
      child = ancestor;
    }
    return this.program;
  }
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  ...['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'],
]);

export function isFunctionNode(node: Node): node is FunctionNode {
  return FUNCTIONS.has(node.type);
}
