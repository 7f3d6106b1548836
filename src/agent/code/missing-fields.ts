import type { AnyNode } from 'acorn';
import { isRecord } from '../../base/json.ts';
import { parseScript } from '../../sandbox/compile/parse.ts';
import { Tree } from '../../sandbox/compile/tree.ts';

/** A field that a script reads of what a function gave, and that is not there. */
export interface MissingField {
  readonly called: string;
  /** `made.when`, or the name alone where the value has none. */
  readonly field: string;
  /** What is there. */
  readonly fields: readonly string[];
}

/**
 * The fields that a script expects of results and that these do not have: of variables that hold the result of a call,
 * of results that are taken apart, and of a call itself.
 *
 * @param gave what the calls of a function gave last; undefined where it was not called.
 */
export function missingFields(source: string, gave: (called: string) => unknown): readonly MissingField[] {
  const parsed = parseScript(source);
  if (!parsed.ok) return [];
  const { nodes } = new Tree(parsed.program);
  const held = new Map<string, string>();
  const read: { readonly called: string; readonly name: string; readonly field: string }[] = [];
  for (const node of nodes) {
    if (node.type !== 'VariableDeclarator') continue;
    const called = calledIn(node.init);
    if (called === undefined) continue;
    if (node.id.type === 'Identifier') held.set(node.id.name, called);
    if (node.id.type === 'ObjectPattern')
      for (const part of node.id.properties)
        if (part.type === 'Property' && !part.computed && part.key.type === 'Identifier')
          read.push({ called, name: part.key.name, field: part.key.name });
  }
  for (const node of nodes) {
    if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') continue;
    const { object, property } = node;
    const owner = object.type === 'Identifier' ? object.name : undefined;
    const called = owner === undefined ? calledIn(object) : held.get(owner);
    const { name } = property;
    if (called !== undefined) read.push({ called, name, field: owner === undefined ? name : `${owner}.${name}` });
  }
  const missing = read.flatMap(({ called, name, field }): [string, MissingField][] => {
    const value = gave(called);
    return isRecord(value) && !(name in value) ? [[field, { called, field, fields: Object.keys(value) }]] : [];
  });
  return [...new Map(missing).values()];
}

/** The function that an expression calls: `f(1)`, `await f(1)`, `tools.f(1)`. */
function calledIn(node: AnyNode | null | undefined): string | undefined {
  if (node?.type === 'AwaitExpression') return calledIn(node.argument);
  if (node?.type === 'ParenthesizedExpression') return calledIn(node.expression);
  if (node?.type !== 'CallExpression') return undefined;
  const { callee } = node;
  if (callee.type === 'Identifier') return callee.name;
  if (callee.type !== 'MemberExpression' || callee.computed) return undefined;
  return callee.property.type === 'Identifier' ? callee.property.name : undefined;
}
