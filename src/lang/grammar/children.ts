import type { Location } from './location.ts';

/** Any node of a program. */
export interface AnyNode {
  readonly type: string;
  readonly location: Location;
}

/** The child nodes of a node, in the order of its fields, without comments. */
export function childrenOf(node: AnyNode): AnyNode[] {
  const found: AnyNode[] = [];
  for (const [name, value] of Object.entries(node)) if (name !== 'location' && name !== 'comments') take(value, found);
  return found;
}

/** Clauses are a record without a node type: their nodes count as children of the expression. */
function take(value: unknown, into: AnyNode[]): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const each of value) take(each, into);
  else if ('type' in value && 'location' in value) into.push(value as AnyNode);
  else for (const each of Object.values(value)) take(each, into);
}

/** The first node found that is nested deeper than `most`; not recursive itself. */
export function tooDeep(root: AnyNode, most: number): AnyNode | undefined {
  const waiting: { node: AnyNode; depth: number }[] = [{ node: root, depth: 1 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.depth > most) return next.node;
    for (const node of childrenOf(next.node)) waiting.push({ node, depth: next.depth + 1 });
  }
  return undefined;
}
