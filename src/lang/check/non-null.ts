import type { BinaryExpression, Expression, MatchExpression, Statement } from '../grammar/ast.ts';
import { type AnyNode, childrenOf } from '../grammar/children.ts';

/** A variable, or a field of one: `item.due`. Undefined for any other expression, which may differ each time. */
export function pathOf(node: Expression): string | undefined {
  if (node.type === 'IdentifierExpression') return node.name;
  if (node.type !== 'MemberExpression') return undefined;
  const object = pathOf(node.object);
  return object === undefined ? undefined : `${object}.${node.property.name}`;
}

/** The paths that are not null where a condition has come out as `truth`. */
export function nonNull(condition: Expression, truth: boolean): readonly string[] {
  switch (condition.type) {
    case 'UnaryExpression':
      return condition.operator === '!' ? nonNull(condition.operand, !truth) : [];
    case 'BinaryExpression':
      return ofBinary(condition, truth);
    default:
      return truth ? listed(condition) : [];
  }
}

function ofBinary({ operator, left, right }: BinaryExpression, truth: boolean): readonly string[] {
  const both = operator === '&&' ? truth : operator === '||' && !truth;
  if (both) return [...nonNull(left, truth), ...nonNull(right, truth)];
  if (operator !== '==' && operator !== '!=') return [];
  const [value, other] = right.type.endsWith('Literal') ? [left, right] : [right, left];
  const isNull = other.type === 'NullLiteral';
  // Whatever equals another literal is not null either.
  const proves = isNull
    ? (operator === '!=') === truth
    : other.type.endsWith('Literal') && (operator === '==') === truth;
  return proves ? listed(value) : [];
}

/** The paths that are not null in the arms of a match behind the one for null. */
export function nonNullAfter({ subject, arms }: MatchExpression, arm: number): readonly string[] {
  const before = arms.slice(0, arm);
  const isNull = ({ pattern }: (typeof arms)[number]) => pattern.type === 'LiteralPattern' && pattern.value === null;
  return before.some(isNull) ? listed(subject) : [];
}

function listed(node: Expression): readonly string[] {
  const path = pathOf(node);
  return path === undefined ? [] : [path];
}

/** The variables that a statement may give another value. */
export function assignedIn(statement: Statement): ReadonlySet<string> {
  const names = new Set<string>();
  const waiting: AnyNode[] = [statement];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.type === 'AssignStatement') names.add((next as AnyNode & { name: { name: string } }).name.name);
    waiting.push(...childrenOf(next));
  }
  return names;
}
