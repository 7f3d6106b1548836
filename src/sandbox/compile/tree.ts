import type { AnyNode, ArrowFunctionExpression, FunctionDeclaration, FunctionExpression } from 'acorn';

export type FunctionNode = FunctionDeclaration | FunctionExpression | ArrowFunctionExpression;

/** A syntax tree that can be read upwards too. */
export class Tree {
  readonly #parents = new Map<AnyNode, AnyNode>();
  readonly #functions = new Map<AnyNode, FunctionNode>();
  /** Every node, parents before children, in order of the text. */
  readonly nodes: readonly AnyNode[];

  constructor(root: AnyNode) {
    const nodes: AnyNode[] = [];
    const open: AnyNode[] = [root];
    for (let node = open.pop(); node; node = open.pop()) {
      nodes.push(node);
      const children = childrenOf(node);
      const around = isFunctionNode(node) ? node : this.#functions.get(node);
      for (const child of children) {
        this.#parents.set(child, node);
        if (around) this.#functions.set(child, around);
      }
      open.push(...children.reverse());
    }
    this.nodes = nodes;
  }

  parent(node: AnyNode): AnyNode | undefined {
    return this.#parents.get(node);
  }

  /** From the parent of `node` upwards. */
  *ancestors(node: AnyNode): Generator<AnyNode> {
    for (let next = this.parent(node); next; next = this.parent(next)) yield next;
  }

  /** The function that `node` is in, if any; parameters belong to it. */
  functionAround(node: AnyNode): FunctionNode | undefined {
    return this.#functions.get(node);
  }
}

export function isFunctionNode(node: AnyNode): node is FunctionNode {
  return /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/u.test(node.type);
}

export function childrenOf(node: AnyNode): AnyNode[] {
  const found: AnyNode[] = [];
  for (const value of Object.values(node) as unknown[]) {
    if (Array.isArray(value)) found.push(...value.filter(isNode));
    else if (isNode(value)) found.push(value);
  }
  return found;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
