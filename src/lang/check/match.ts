import type { MatchArm, MatchExpression } from '../grammar/ast.ts';
import type { Here } from './checker.ts';
import { nonNullAfter } from './non-null.ts';
import { areComparable, membersOf, showType, type Type, unionOf } from './types.ts';

/** Check a match; its type is the union of its arms' types. */
export function checkMatch(node: MatchExpression, here: Here): Type {
  const { subject, arms, location } = node;
  const { checker, scope } = here;
  const type = checker.typeOf(subject, scope);
  for (const { pattern } of arms) if (pattern.type === 'ObjectPattern') checkFields(pattern.fields, type, here);
  reportUnreached(arms, here);
  if (!isExhaustive(arms, type)) {
    const { start } = location;
    const end = { offset: start.offset + 5, line: start.line, column: start.column + 5 };
    const hint = 'end with an arm `_ => ...`';
    const brace = { ...location.end, offset: location.end.offset - 1, column: location.end.column - 1 };
    const fix = { title: 'Add an arm for the rest', location: { start: brace, end: brace }, text: '_ => null ' };
    checker.context.report('TL4001', { start, end }, `this match leaves values of ${showType(type)} out`, {
      hint,
      fix,
    });
  }
  return unionOf(arms.map(({ body }, index) => checker.typeOf(body, scope.knowing(nonNullAfter(node, index)))));
}

function checkFields(
  fields: (MatchArm['pattern'] & { type: 'ObjectPattern' })['fields'],
  type: Type,
  here: Here,
): void {
  const { checker, scope } = here;
  const members = membersOf(type);
  const isUnknown = members.some(({ kind }) => kind === 'any');
  for (const { name, constraint } of fields) {
    const value = checker.certain(constraint.value, scope);
    for (const member of members) checker.context.useField(name, member);
    const found = members.map((member) => checker.field(member, name.name)).filter((each) => each !== undefined);
    if (isUnknown) continue;
    if (found.length === 0) checker.reportNoField(type, name);
    else if (!areComparable(unionOf(found), value)) {
      const message = `the field is ${showType(unionOf(found))}, never ${showType(value)}`;
      checker.context.report('TL3006', constraint.location, message);
    }
  }
}

/** Report unreachable arms: those below `_`, and repeated values. */
function reportUnreached(arms: readonly MatchArm[], { checker }: Here): void {
  const seen = new Set<string>();
  let all = false;
  for (const { pattern, location } of arms) {
    const key = pattern.type === 'LiteralPattern' ? JSON.stringify(pattern.value) : undefined;
    if (all || (key !== undefined && seen.has(key))) {
      checker.context.report('TL4007', pattern.location, 'this arm is never reached', {
        hint: 'remove it, or move it up',
        fix: { title: 'Remove the arm', location, text: '' },
      });
    }
    if (key !== undefined) seen.add(key);
    all ||= pattern.type === 'WildcardPattern';
  }
}

/** Whether the arms are exhaustive: `_`, or every value of a type that has few. */
function isExhaustive(arms: readonly MatchArm[], type: Type): boolean {
  if (arms.some(({ pattern }) => pattern.type === 'WildcardPattern')) return true;
  const values = new Set(arms.map(({ pattern }) => (pattern.type === 'LiteralPattern' ? pattern.value : undefined)));
  return membersOf(type).every(({ kind }) => {
    if (kind === 'bool') return values.has(true) && values.has(false);
    return kind === 'null' ? values.has(null) : false;
  });
}
