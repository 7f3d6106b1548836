import type { Name } from '../grammar/ast.ts';

/** The type of a value, as the checker sees it. */
export type Type = SimpleType | RecordType | ArrayOf | UnionOf | ConfidentOf | FunctionType;

interface SimpleType {
  /** `any`: nothing is known about it, so nothing is an error. */
  readonly kind: 'string' | 'int' | 'float' | 'bool' | 'null' | 'any';
}

/** A declared type, or that of a record written in the program. */
export interface RecordType {
  readonly kind: 'record';
  /** Absent for a record without a declaration. */
  readonly name?: string;
  /** Looked up late: a type may contain itself. */
  readonly fields: () => ReadonlyMap<string, Type>;
  /** Where its fields are declared. */
  readonly declared?: ReadonlyMap<string, Name>;
}

interface ArrayOf {
  readonly kind: 'array';
  readonly element: Type;
}

interface UnionOf {
  readonly kind: 'union';
  readonly members: readonly Type[];
}

export interface ConfidentOf {
  readonly kind: 'confident';
  readonly inner: Type;
}

export interface FunctionType {
  readonly kind: 'function';
  readonly tool: boolean;
  /** Undefined: any arguments. */
  readonly params: readonly Param[] | undefined;
  readonly result: Type;
}

export interface Param {
  readonly name: string;
  readonly type: Type;
}

export const STRING: Type = { kind: 'string' };
export const INT: Type = { kind: 'int' };
export const FLOAT: Type = { kind: 'float' };
export const BOOL: Type = { kind: 'bool' };
export const NULL: Type = { kind: 'null' };
export const ANY: Type = { kind: 'any' };

export function arrayOf(element: Type): Type {
  return { kind: 'array', element };
}

/** The union of several types, without duplicates; a union with `any` is `any`. */
export function unionOf(types: readonly Type[]): Type {
  const members = types.flatMap((type) => (type.kind === 'union' ? type.members : [type]));
  if (members.some(({ kind }) => kind === 'any')) return ANY;
  const distinct = members.filter((type, index) => members.findIndex((other) => same(type, other)) === index);
  const [first = ANY] = distinct;
  return distinct.length <= 1 ? first : { kind: 'union', members: distinct };
}

/** The alternatives of a type; most types have just one. */
export function membersOf(type: Type): readonly Type[] {
  return type.kind === 'union' ? type.members : [type];
}

export function isNeverNull(type: Type): boolean {
  return membersOf(type).every(({ kind }) => kind !== 'null' && kind !== 'any');
}

/** What is left of a type when the value is not null. */
export function withoutNull(type: Type): Type {
  return type.kind === 'union' ? unionOf(type.members.filter(({ kind }) => kind !== 'null')) : type;
}

export function isNumber({ kind }: Type): boolean {
  return kind === 'int' || kind === 'float';
}

/** As a program writes it. Records without a name are shown by their fields. */
export function showType(type: Type, depth = 0): string {
  switch (type.kind) {
    case 'record': {
      if (type.name !== undefined) return type.name;
      const fields = [...type.fields()].slice(0, 5).map(([name, each]) => `${name}: ${showType(each, depth + 1)}`);
      return depth > 2 ? '{ ... }' : `{ ${fields.join(', ')}${type.fields().size > 5 ? ', ...' : ''} }`;
    }
    case 'array':
      return type.element.kind === 'union'
        ? `(${showType(type.element, depth)})[]`
        : `${showType(type.element, depth)}[]`;
    case 'union': {
      const rest = type.members.filter(({ kind }) => kind !== 'null');
      if (rest.length === 1 && rest[0] && rest.length < type.members.length) return `${showType(rest[0], depth)}?`;
      return type.members.map((each) => showType(each, depth)).join(' | ');
    }
    case 'confident':
      return `Confident<${showType(type.inner, depth)}>`;
    case 'function':
      return type.tool ? 'a tool' : 'a function';
    default:
      return type.kind;
  }
}

/** Whether a value of one type can be used where another is expected. */
export function isAssignable(from: Type, to: Type, depth = 0): boolean {
  if (from === to || from.kind === 'any' || to.kind === 'any' || depth > DEEPEST) return true;
  if (from.kind === 'union') return from.members.every((member) => isAssignable(member, to, depth + 1));
  if (to.kind === 'union') return to.members.some((member) => isAssignable(from, member, depth + 1));
  if (from.kind === 'int' && to.kind === 'float') return true;
  if (from.kind === 'array' && to.kind === 'array') return isAssignable(from.element, to.element, depth + 1);
  if (from.kind === 'confident' && to.kind === 'confident') return isAssignable(from.inner, to.inner, depth + 1);
  if (from.kind === 'record' && to.kind === 'record') return areFieldsAssignable(from, to, depth);
  return from.kind === to.kind;
}

/** Recursive types count as equal below this depth. */
const DEEPEST = 8;

function areFieldsAssignable(from: RecordType, to: RecordType, depth: number): boolean {
  const given = from.fields();
  return [...to.fields()].every(([name, type]) => {
    const field = given.get(name);
    return field ? isAssignable(field, type, depth + 1) : isAssignable(NULL, type);
  });
}

/** Whether two values of these types could ever be equal. */
export function areComparable(a: Type, b: Type): boolean {
  return membersOf(a).some((left) =>
    membersOf(b).some(
      (right) =>
        isAssignable(left, right) || isAssignable(right, left) || (left.kind === 'record' && right.kind === 'record'),
    ),
  );
}

function same(a: Type, b: Type): boolean {
  if (a.kind === 'record' || b.kind === 'record') return a === b || ('name' in a && 'name' in b && a.name === b.name);
  return a.kind === b.kind && isAssignable(a, b) && isAssignable(b, a);
}
