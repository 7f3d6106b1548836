import type {
  Annotation,
  AssignStatement,
  Block,
  Expression,
  ExpressionStatement,
  ForStatement,
  FunctionDeclaration,
  LetDeclaration,
  Name,
  Program,
  Statement,
  ToolDeclaration,
  TryCatch,
  TypeDeclaration,
} from '../grammar/ast.ts';
import type { Checker } from './checker.ts';
import { alwaysEnds, hasPrint, hasReturn, leaves } from './endings.ts';
import { assignedIn, nonNull } from './non-null.ts';
import { Scope } from './scope.ts';
import { ANNOTATIONS, CATCHABLE, DECLARED_ANYWHERE, isEffect, JUMPS, TOP_ONLY } from './statement-facts.ts';
import {
  ANY,
  type FunctionType,
  INT,
  isAssignable,
  isNeverNull,
  membersOf,
  NULL,
  STRING,
  showType,
  type Type,
  unionOf,
} from './types.ts';

/** What surrounds a statement. */
interface Place {
  readonly scope: Scope;
  /** What `return` has to give, `any` where none is declared; undefined outside of functions and tools. */
  readonly result: Type | undefined;
  /** What `return` gives outside of functions, where a program may end with a result: each type is added. */
  readonly returned?: Type[] | undefined;
  readonly inLoop: boolean;
  readonly top: boolean;
}

/** Checks statements in order. Function bodies come last, since they see every variable of the file. */
export class StatementChecker {
  readonly #checker: Checker;
  readonly #bodies: (() => void)[] = [];

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  /**
   * @param canReturn false for input that is typed in piece by piece, which has no end.
   * @returns the type of the program's result; undefined for a program that returns none.
   */
  program({ statements }: Program, scope: Scope, canReturn: boolean): Type | undefined {
    const returned: Type[] = [];
    const place = { scope, result: undefined, inLoop: false, top: true };
    this.#statements(statements, canReturn ? { ...place, returned } : place);
    for (let body = this.#bodies.shift(); body; body = this.#bodies.shift()) body();
    this.#reportUnused(scope);
    if (returned.every(({ kind }) => kind === 'null')) return undefined;
    return unionOf(alwaysEnds({ statements }) ? returned : [...returned, NULL]);
  }

  #report: Checker['context']['report'] = (...found) => this.#checker.context.report(...found);

  #block({ statements }: Block, place: Place): void {
    const scope = new Scope(place.scope);
    this.#statements(statements, { ...place, scope, top: false });
    this.#bodies.push(() => this.#reportUnused(scope));
  }

  #statements(statements: readonly Statement[], place: Place): void {
    for (const each of statements) {
      if (each.type === 'FunctionDeclaration' || each.type === 'ToolDeclaration')
        this.#declareFunction(each, place.scope);
      else if (each.type === 'TypeDeclaration')
        this.#annotations(each.fields.flatMap(({ annotations }) => annotations));
    }
    this.#reportUnreached(statements);
    for (const each of statements) this.#statement(each, place);
  }

  #reportUnreached(statements: readonly Statement[]): void {
    const jump = statements.findIndex((each) => JUMPS.has(each.type));
    const behind = jump < 0 ? [] : statements.slice(jump + 1);
    const [unreached] = behind.filter(({ type }) => !DECLARED_ANYWHERE.has(type));
    if (!unreached) return;
    const { start } = unreached.location;
    const end = behind.at(-1)?.location.end ?? start;
    const fix = { title: 'Remove what is never reached', location: { start, end }, text: '' };
    const isAll = behind.every(({ type }) => !DECLARED_ANYWHERE.has(type));
    const advice = { hint: 'remove it, or move it up', ...(isAll ? { fix } : {}) };
    this.#report('TL4003', unreached.location, 'this is never reached', advice);
  }

  #statement(node: Statement, place: Place): void {
    const { scope } = place;
    const word = place.top ? undefined : TOP_ONLY[node.type];
    if (word !== undefined) this.#report('TL2105', node.location, `\`${word}\` stands at the top of a file`);
    switch (node.type) {
      case 'LetDeclaration':
        this.#let(node, scope);
        return;
      case 'AssignStatement':
        this.#assign(node, scope);
        return;
      case 'ParamDeclaration': {
        const type = this.#checker.context.resolve(node.typeExpression);
        if (node.default) this.#checker.expect(node.default, type, scope);
        this.#declare(node.name, type, { scope, kind: 'parameter' });
        return;
      }
      case 'PrintStatement':
        return void this.#checker.typeOf(node.value, scope);
      case 'ExpressionStatement':
        this.#expression(node, scope);
        return;
      case 'ReturnStatement':
        this.#return(node, place);
        return;
      case 'BreakStatement':
      case 'ContinueStatement':
        if (!place.inLoop) this.#report('TL2105', node.location, 'this stands in a loop only');
        return;
      case 'AssertStatement':
        this.#checker.typeOf(node.value, scope);
        if (node.criteria) this.#checker.expect(node.criteria, STRING, scope);
        else scope.know(nonNull(node.value, true));
        return;
      default:
        this.#branching(node, place);
        return;
    }
  }

  /** What a branch or an earlier round of a loop may have assigned is not known any more. */
  #branching(node: Compound, place: Place): void {
    const { scope } = place;
    const assigned = assignedIn(node);
    if (node.type !== 'IfElse') scope.forget(assigned);
    this.#compound(node, place);
    scope.forget(assigned);
    if (node.type === 'IfElse' && leaves(node.body)) {
      const rest = nonNull(node.condition, false);
      if (!node.otherwise) scope.know(rest.filter((path) => !assigned.has(path.split('.', 1)[0] ?? '')));
    }
  }

  #compound(node: Compound, place: Place): void {
    const { scope } = place;
    switch (node.type) {
      case 'IfElse': {
        this.#checker.certain(node.condition, scope);
        this.#block(node.body, { ...place, scope: scope.knowing(nonNull(node.condition, true)) });
        const { otherwise } = node;
        const rest = { ...place, scope: scope.knowing(nonNull(node.condition, false)) };
        if (otherwise?.type === 'IfElse') this.#compound(otherwise, rest);
        else if (otherwise) this.#block(otherwise, rest);
        return;
      }
      case 'WhileStatement':
        this.#checker.certain(node.condition, scope);
        this.#block(node.body, {
          ...place,
          scope: scope.knowing(nonNull(node.condition, true)),
          inLoop: true,
        });
        return;
      case 'ForStatement':
        this.#for(node, place);
        return;
      case 'TryCatch':
        this.#try(node, place);
        return;
      case 'TestBlock':
        this.#block(node.body, { ...place, returned: undefined });
        return;
      case 'FunctionDeclaration':
      case 'ToolDeclaration':
        this.#bodies.push(() => this.#functionBody(node, scope));
        return;
      case 'TypeDeclaration':
        this.#typeFields(node);
        return;
    }
  }

  #let({ name, uncertain, typeExpression, value }: LetDeclaration, scope: Scope): void {
    const declared = typeExpression && this.#checker.context.resolve(typeExpression);
    // An uncertain value may be declared with the type that it is uncertain about.
    const isChecked = declared !== undefined && !uncertain;
    const found = isChecked ? this.#checker.expect(value, declared, scope) : this.#checker.typeOf(value, scope);
    const certain = declared ?? found;
    const type: Type = uncertain && certain.kind !== 'confident' ? { kind: 'confident', inner: certain } : certain;
    this.#declare(name, type, { scope, kind: 'variable' });
    if (isChecked && isNeverNull(found)) scope.know([name.name]);
  }

  #declare(name: Name, type: Type, { scope, kind }: { scope: Scope; kind: 'variable' | 'parameter' }): void {
    this.#checker.context.uses.push({ location: name.location, declared: name, type });
    if (scope.declare(name, kind, type)) return;
    const before = scope.find(name.name)?.name.location.start.line;
    const hint = kind === 'variable' ? 'leave out `let` to give it another value' : 'choose another name';
    this.#report('TL2004', name.location, `\`${name.name}\` is declared in line ${before} already`, { hint });
  }

  #assign({ name, value }: AssignStatement, scope: Scope): void {
    const entry = scope.find(name.name);
    if (entry?.kind === 'function' || entry?.kind === 'tool') {
      this.#checker.typeOf(value, scope);
      this.#report('TL1012', name.location, `\`${name.name}\` is a ${entry.kind}, not a variable`);
      return;
    }
    if (entry) {
      this.#checker.context.uses.push({ location: name.location, declared: entry.name, type: entry.type });
      const found = this.#checker.expect(value, entry.type, scope);
      scope.forget(new Set([name.name]));
      if (isNeverNull(found)) scope.know([name.name]);
      return;
    }
    this.#checker.typeOf(value, scope);
    const what = 'there is no variable';
    const otherwise = `declare it: \`let ${name.name} = ...\``;
    this.#checker.context.reportUnknown('TL2001', name, { what, known: scope.names(), otherwise });
  }

  #expression({ expression, location }: ExpressionStatement, scope: Scope): void {
    this.#checker.typeOf(expression, scope);
    if (isEffect(expression)) return;
    const { start } = location;
    const fix = { title: 'Print it', location: { start, end: start }, text: 'print ' };
    this.#report('TL4005', location, 'nothing is done with this value', { hint: 'print it, or remove it', fix });
  }

  #return({ value, location }: Statement & { type: 'ReturnStatement' }, { result, returned, scope }: Place): void {
    if (returned) {
      returned.push(value ? this.#checker.typeOf(value, scope) : NULL);
      return;
    }
    if (result === undefined) this.#report('TL2105', location, '`return` has nothing to end here');
    if (value) this.#checker.expect(value, result ?? ANY, scope);
    else if (result && !isAssignable(NULL, result)) this.#checker.requireAssignable(NULL, result, location);
  }

  #for({ name, items, body }: ForStatement, place: Place): void {
    const type = this.#checker.certain(items, place.scope);
    const scope = new Scope(place.scope);
    this.#declare(name, this.#itemOf(type, items), { scope, kind: 'parameter' });
    this.#block(body, { ...place, scope, inLoop: true });
  }

  #itemOf(type: Type, items: Expression): Type {
    if (items.type === 'RangeExpression') return INT;
    if (type.kind === 'array') return type.element;
    if (membersOf(type).every(({ kind }) => kind !== 'any' && kind !== 'array'))
      this.#report('TL3008', items.location, `${showType(type)} has no items`, {
        hint: 'go through a list, or a range `1..5`',
      });
    return ANY;
  }

  #try({ body, catches }: TryCatch, place: Place): void {
    this.#block(body, place);
    for (const { errorType, variable, body: inner } of catches) {
      if (errorType && !CATCHABLE.includes(errorType.name)) {
        const otherwise = 'leave the name out to catch every error';
        this.#checker.context.reportUnknown('TL2005', errorType, {
          what: 'there is no error',
          known: CATCHABLE,
          otherwise,
        });
      }
      const scope = new Scope(place.scope);
      this.#declare(variable, ANY, { scope, kind: 'parameter' });
      this.#block(inner, { ...place, scope });
    }
  }

  #declareFunction(node: FunctionDeclaration | ToolDeclaration, scope: Scope): void {
    const kind = node.type === 'ToolDeclaration' ? 'tool' : 'function';
    const type = this.functionType(node);
    this.#checker.context.uses.push({ location: node.name.location, declared: node.name, type });
    if (scope.declare(node.name, kind, type)) return;
    const before = scope.find(node.name.name)?.name.location.start.line;
    this.#report('TL2004', node.name.location, `\`${node.name.name}\` is declared in line ${before} already`);
  }

  /** The signature of a declared function or tool. */
  functionType({ type, params, returnType }: FunctionDeclaration | ToolDeclaration): FunctionType {
    const { context } = this.#checker;
    return {
      kind: 'function',
      tool: type === 'ToolDeclaration',
      params: params.map(({ name, typeExpression }) => ({ name: name.name, type: context.resolve(typeExpression) })),
      result: returnType ? context.resolve(returnType) : ANY,
    };
  }

  #functionBody(node: FunctionDeclaration | ToolDeclaration, outer: Scope): void {
    const { params = [], result } = this.functionType(node);
    const scope = outer.forBody();
    node.params.forEach(({ name, annotations }, index) => {
      this.#annotations(annotations);
      this.#declare(name, params[index]?.type ?? ANY, { scope, kind: 'parameter' });
    });
    if (node.type === 'ToolDeclaration') this.#annotations(node.annotations);
    this.#block(node.body, { scope, result, inLoop: false, top: false });
    if (node.returnType) this.#reportNoResult(node, result);
  }

  #reportNoResult({ type, name, body }: FunctionDeclaration | ToolDeclaration, result: Type): void {
    if (alwaysEnds(body) || isAssignable(NULL, result)) return;
    if (type === 'ToolDeclaration' && !hasReturn(body) && !hasPrint(body)) {
      this.#report('TL4006', name.location, `\`${name.name}\` gives the model nothing`, {
        hint: 'return the result',
      });
      return;
    }
    const message = `\`${name.name}\` can end without returning ${showType(result)}`;
    this.#report('TL4004', name.location, message, { hint: 'end it with `return`' });
  }

  #typeFields({ fields }: TypeDeclaration): void {
    const seen = new Set<string>();
    for (const { name, typeExpression } of fields) {
      this.#checker.context.resolve(typeExpression);
      if (seen.has(name.name)) this.#report('TL2004', name.location, `the field \`${name.name}\` is there already`);
      seen.add(name.name);
    }
  }

  #annotations(annotations: readonly Annotation[]): void {
    for (const { name } of annotations) {
      if (ANNOTATIONS.includes(name.name)) continue;
      const what = 'there is no annotation';
      this.#checker.context.reportUnknown('TL4008', name, { what, known: ANNOTATIONS });
    }
  }

  #reportUnused(scope: Scope): void {
    for (const { name } of scope.unused()) {
      const fix = { title: `Call it \`_${name.name}\``, location: name.location, text: `_${name.name}` };
      this.#report('TL4002', name.location, `\`${name.name}\` is never used`, { fix });
    }
  }
}

type Compound = Extract<Statement, { body: unknown } | { type: 'TypeDeclaration' }>;
