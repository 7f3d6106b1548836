import type {
  BinaryExpression,
  Expression,
  FunctionCallExpression,
  MemberExpression,
  Name,
  ObjectLiteral,
} from '../grammar/ast.ts';
import type { Location, Position } from '../grammar/location.ts';
import { checkAi } from './ai.ts';
import type { Checker, Here } from './checker.ts';
import type { CheckContext } from './context.ts';
import { HINTS } from './foreign-words.ts';
import { checkMatch } from './match.ts';
import { builtinMember, builtinMembers } from './members.ts';
import { nonNull, pathOf } from './non-null.ts';
import type { Scope } from './scope.ts';
import {
  ANY,
  areComparable,
  arrayOf,
  BOOL,
  FLOAT,
  type FunctionType,
  INT,
  isAssignable,
  isNumber,
  membersOf,
  NULL,
  STRING,
  showType,
  type Type,
  unionOf,
  withoutNull,
} from './types.ts';

/** Infers the types of expressions and reports what is wrong with them. */
export class ExpressionChecker implements Checker {
  readonly context: CheckContext;

  constructor(context: CheckContext) {
    this.context = context;
  }

  /** The type of an expression; an error is reported and gives `any`. */
  typeOf(node: Expression, scope: Scope): Type {
    switch (node.type) {
      case 'StringLiteral':
        return STRING;
      case 'NumberLiteral':
        return node.raw.includes('.') ? FLOAT : INT;
      case 'BooleanLiteral':
        return BOOL;
      case 'NullLiteral':
        return NULL;
      case 'TemplateLiteral':
        for (const each of node.expressions) this.certain(each, scope);
        return STRING;
      case 'IdentifierExpression':
        return known(this.name(node.name, node.location, scope), node, scope);
      case 'ArrayLiteral':
        return arrayOf(unionOf(node.elements.map((each) => this.typeOf(each, scope))));
      case 'ObjectLiteral': {
        const fields = new Map(node.properties.map(({ key, value }) => [key.name, this.typeOf(value, scope)]));
        return { kind: 'record', fields: () => fields };
      }
      default:
        return this.#compound(node, scope);
    }
  }

  /** Check an expression against the expected type. */
  expect(node: Expression, wanted: Type, scope: Scope): Type {
    if (node.type === 'ObjectLiteral' && checkRecord(node, wanted, { checker: this, scope }))
      return withoutNull(wanted);
    if (node.type === 'ArrayLiteral' && wanted.kind === 'array') {
      for (const element of node.elements) this.expect(element, wanted.element, scope);
      return wanted;
    }
    const type = this.typeOf(node, scope);
    this.requireAssignable(type, wanted, node.location);
    return type;
  }

  requireAssignable(type: Type, wanted: Type, location: Location): void {
    if (isAssignable(type, wanted)) return;
    if (type.kind === 'confident' && isAssignable(type.inner, wanted)) {
      this.#reportUncertain(location);
      return;
    }
    const message = `expected ${showType(wanted)}, found ${showType(type)}`;
    const optional = membersOf(type).some(({ kind }) => kind === 'null');
    this.context.report('TL3001', location, message, { hint: optional ? 'the value may be null' : undefined });
  }

  /** The type of a value that has to be certain. */
  certain(node: Expression, scope: Scope): Type {
    const type = this.typeOf(node, scope);
    if (type.kind !== 'confident') return type;
    const isPlain = ['IdentifierExpression', 'MemberExpression', 'FunctionCallExpression'].includes(node.type);
    this.#reportUncertain(node.location, isPlain ? { at: node.location.end, text: '.unwrap()' } : undefined);
    return ANY;
  }

  /** Look up a name, which then counts as used. */
  name(name: string, location: Location, scope: Scope): Type {
    const entry = scope.find(name);
    if (entry) {
      entry.used = true;
      this.context.uses.push({ location, declared: entry.name, type: entry.type });
      return entry.type;
    }
    if (this.context.tools.has(name)) return { kind: 'function', tool: true, params: undefined, result: ANY };
    const known = [...scope.names(), ...this.context.tools, ...KEYWORDS];
    const hints = { what: 'there is nothing called', known, otherwise: HINTS.get(name) };
    const guess = this.context.reportUnknown('TL2001', { name, location }, hints);
    const meant = guess === undefined ? undefined : scope.find(guess);
    if (meant) meant.used = true;
    return ANY;
  }

  #compound(node: Exclude<Expression, { type: `${string}Literal` | 'IdentifierExpression' }>, scope: Scope): Type {
    switch (node.type) {
      case 'PipelineExpression':
        return this.#pipeline(node.stages, scope);
      case 'BinaryExpression':
        return this.#binary(node, scope);
      case 'UnaryExpression': {
        const type = this.certain(node.operand, scope);
        return node.operator === '!' ? BOOL : this.#number(type, node.operand, node.operator);
      }
      case 'RangeExpression': {
        for (const end of [node.start, node.end]) this.#number(this.certain(end, scope), end, '..');
        const fields = new Map([
          ['start', INT],
          ['end', INT],
        ]);
        return { kind: 'record', name: 'a range', fields: () => fields };
      }
      case 'MemberExpression':
        return known(this.member(this.typeOf(node.object, scope), node), node, scope);
      case 'IndexExpression':
        return this.#index(this.certain(node.object, scope), this.certain(node.index, scope), node);
      case 'FunctionCallExpression':
        return this.#call(node, scope);
      case 'MatchExpression':
        return checkMatch(node, { checker: this, scope });
      default:
        return checkAi(node, { checker: this, scope });
    }
  }

  #binary({ operator, left, right, location }: BinaryExpression, scope: Scope): Type {
    const a = this.certain(left, scope);
    const isJoint = operator === '&&' || operator === '||';
    const b = this.certain(right, isJoint ? scope.knowing(nonNull(left, operator === '&&')) : scope);
    const types = [a, b] as const;
    if (operator === '||' || operator === '&&') return unionOf(types);
    if (operator === '==' || operator === '!=') {
      if (!areComparable(a, b)) this.#misfit(operator, types, location, 'they are never equal');
      return BOOL;
    }
    const anyUnknown = types.some((type) => membersOf(type).some(({ kind }) => kind === 'any'));
    const numbers = types.every((type) => membersOf(type).every((each) => isNumber(each) || each.kind === 'any'));
    const texts = types.every((type) => type.kind === 'string' || type.kind === 'any');
    if ('<>='.includes(operator[0] ?? '')) {
      if (!numbers && !texts) this.#misfit(operator, types, location, 'it compares two numbers, or two texts');
      return BOOL;
    }
    if (operator === '+' && types.some(({ kind }) => kind === 'string')) {
      if (!types.every(joins)) this.#misfit(operator, types, location, 'take a field of the value, or use a template');
      return STRING;
    }
    if (operator === '+' && a.kind === 'array' && b.kind === 'array') return arrayOf(unionOf([a.element, b.element]));
    if (!numbers) {
      const hint = operator === '+' ? 'it adds numbers, and joins texts and lists' : 'it takes numbers';
      this.#misfit(operator, types, location, hint);
      return ANY;
    }
    if (anyUnknown) return ANY;
    return operator !== '/' && a.kind === 'int' && b.kind === 'int' ? INT : FLOAT;
  }

  #misfit(operator: string, [a, b]: readonly [Type, Type], location: Location, hint: string): void {
    this.context.report('TL3006', location, `\`${operator}\` does not fit ${showType(a)} and ${showType(b)}`, { hint });
  }

  #number(type: Type, node: Expression, operator: string): Type {
    if (membersOf(type).every((each) => isNumber(each) || each.kind === 'any')) return type;
    const message = `\`${operator}\` takes numbers, found ${showType(type)}`;
    this.context.report('TL3006', node.location, message);
    return ANY;
  }

  /** A field or method of a value; for one that may be null, which is an error, that of the value without the null. */
  member(type: Type, { object, property }: MemberExpression): Type {
    const members = membersOf(type).filter(({ kind }) => kind !== 'null');
    if (members.some(({ kind }) => kind === 'any')) return ANY;
    const types = members.map((each) => this.field(each, property.name)).filter((each) => each !== undefined);
    if (types.length > 0) {
      for (const each of members) this.context.useField(property, each);
      this.#mustBeThere(type, object);
      return unionOf(types);
    }
    this.reportNoField(type, property, { at: property.location.start, text: 'unwrap().' });
    return ANY;
  }

  #mustBeThere(type: Type, node: Expression): void {
    const members = membersOf(type);
    if (members.length === 1 || members.every(({ kind }) => kind !== 'null')) return;
    const path = pathOf(node);
    const hint = path === undefined ? 'give it a name, and ask `if name != null`' : `ask first: \`if ${path} != null\``;
    this.context.report('TL3009', node.location, 'this value may be null', { hint });
  }

  field(type: Type, name: string): Type | undefined {
    return (type.kind === 'record' ? type.fields().get(name) : undefined) ?? builtinMember(type, name);
  }

  /** @param insert  the text that unwraps the value, if there is one. */
  reportNoField(type: Type, property: Name, insert?: Insertion): void {
    const [only] = membersOf(type);
    if (only?.kind === 'confident' && this.field(only.inner, property.name) !== undefined) {
      this.#reportUncertain(property.location, insert);
      return;
    }
    const known = membersOf(type).flatMap((each) => [
      ...(each.kind === 'record' ? each.fields().keys() : []),
      ...Object.keys(builtinMembers(each)),
    ]);
    const otherwise = known.length > 0 && known.length < 12 ? `it has ${known.join(', ')}` : undefined;
    this.context.reportUnknown('TL3003', property, { what: `${showType(type)} has no field`, known, otherwise });
  }

  #reportUncertain(location: Location, insert?: Insertion): void {
    const hint = 'take the value out with `.unwrap()`, `.expect(0.8)` or `.or(other)`';
    const fix = insert && {
      title: 'Add `.unwrap()`',
      location: { start: insert.at, end: insert.at },
      text: insert.text,
    };
    this.context.report('TL3004', location, 'this value is uncertain', { hint, fix });
  }

  #index(object: Type, index: Type, { object: node, index: at }: Expression & { type: 'IndexExpression' }): Type {
    this.#mustBeThere(object, node);
    const types = membersOf(object).filter(({ kind }) => kind !== 'null');
    if (types.some(({ kind }) => kind === 'any')) return ANY;
    const items = types.map((type) => itemOf(type, index));
    if (items.every((each) => each !== undefined)) return unionOf(items);
    const isList = types.some(({ kind }) => kind === 'array' || kind === 'string');
    if (isList) this.context.report('TL3008', at.location, `a list takes an int, found ${showType(index)}`);
    else this.context.report('TL3008', node.location, `${showType(object)} has no items`);
    return ANY;
  }

  /** In a pipeline, a call of a named function gets the previous stage's value as its first argument. */
  #pipeline(stages: readonly Expression[], scope: Scope): Type {
    const types = stages.map((each, index) => {
      const isCall = index > 0 && each.type === 'FunctionCallExpression' && each.callee.type === 'IdentifierExpression';
      return isCall ? this.#call(each, scope, 1) : this.typeOf(each, scope);
    });
    const last = types.at(-1) ?? ANY;
    return last.kind === 'function' ? last.result : last;
  }

  /** @param before  the number of arguments it is given besides the written ones. */
  #call({ callee, args, location }: FunctionCallExpression, scope: Scope, before = 0): Type {
    const type = this.typeOf(callee, scope);
    if (type.kind === 'function' && type.params) this.#args(type, { args, location, before }, scope);
    else for (const each of args) this.typeOf(each, scope);
    if (type.kind === 'function') return type.result;
    if (type.kind !== 'any') this.context.report('TL3005', callee.location, `${showType(type)} is not a function`);
    return ANY;
  }

  #args(
    { params = [] }: FunctionType,
    { args, location, before }: Pick<FunctionCallExpression, 'args' | 'location'> & { before: number },
    scope: Scope,
  ): void {
    const least = params.findLastIndex(({ type }) => !isAssignable(NULL, type)) + 1;
    const given = args.length + before;
    if (given < least || given > params.length) {
      const wanted = least === params.length ? String(least) : `${least} to ${params.length}`;
      const names = params.map(({ name, type }) => `${name}: ${showType(type)}`).join(', ');
      const message = `${wanted} argument${wanted === '1' ? '' : 's'} needed, ${given} given`;
      this.context.report('TL3002', location, message, { hint: `the parameters are (${names})` });
    }
    args.forEach((each, index) => {
      const param = params[index + before];
      if (param) this.expect(each, param.type, scope);
      else this.typeOf(each, scope);
    });
  }
}

interface Insertion {
  readonly at: Position;
  readonly text: string;
}

/** The type of a value at this point: without the null that has been ruled out. */
function known(type: Type, node: Expression, scope: Scope): Type {
  if (type.kind !== 'union') return type;
  const path = pathOf(node);
  return path !== undefined && scope.isNonNull(path) ? withoutNull(type) : type;
}

function itemOf(type: Type, index: Type): Type | undefined {
  if (type.kind === 'array' && (index.kind === 'int' || index.kind === 'any')) return type.element;
  if (type.kind === 'string' && (index.kind === 'int' || index.kind === 'any')) return STRING;
  return type.kind === 'record' ? ANY : undefined;
}

/** Whether `+` can append it to a text. */
function joins(type: Type): boolean {
  return membersOf(type).every(({ kind }) => !['record', 'array', 'function', 'confident'].includes(kind));
}

const KEYWORDS = 'return let print match true false null'.split(' ');

/** Check a record literal against the expected declared type. @returns false if another type is expected. */
function checkRecord(node: ObjectLiteral, wanted: Type, { checker, scope }: Here): boolean {
  const records = membersOf(wanted).filter((type) => type.kind === 'record');
  const [record] = records;
  if (records.length !== 1 || !record || record.name === undefined) return false;
  const fields = record.fields();
  for (const { key, value } of node.properties) {
    const field = fields.get(key.name);
    checker.context.useField(key, record);
    if (field) checker.expect(value, field, scope);
    else {
      checker.typeOf(value, scope);
      checker.reportNoField(record, key);
    }
  }
  const given = new Set(node.properties.map(({ key }) => key.name));
  const missing = [...fields].filter(([name, type]) => !given.has(name) && !isAssignable(NULL, type));
  if (missing.length > 0) {
    const names = missing.map(([name]) => `\`${name}\``).join(', ');
    checker.context.report('TL3007', node.location, `${record.name} also needs ${names}`);
  }
  return true;
}
