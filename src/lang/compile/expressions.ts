import type {
  AiExpression,
  Clauses,
  Expression,
  FunctionCallExpression,
  MatchExpression,
  Node,
  ObjectPattern,
  Pattern,
  TemplateLiteral,
  TypeExpression,
} from '../grammar/ast.ts';
import { confident, type TypeTable } from './types.ts';

/** What the generated code of an expression depends on. */
export interface Scope {
  readonly types: TypeTable;
  /** Functions and tools of the program, imported ones included, and whether it is a tool. */
  readonly callables: ReadonlyMap<string, 'fn' | 'tool'>;
  /** Every variable of the file, wherever it is declared. */
  readonly variables: ReadonlySet<string>;
  /** The number of a place, by which a failure names it. */
  at(node: Node): number;
}

const json = (value: unknown): string =>
  JSON.stringify(value).replace(/[\u2028\u2029]/gu, (mark) => `\\u${mark.charCodeAt(0).toString(16)}`);

/** Names of a program may be reserved words of JavaScript. */
export function local(name: string): string {
  return `v_${name}`;
}

/** The code of an expression. Every part that can be asynchronous is awaited, in source order. */
export function emit(node: Expression, scope: Scope): string {
  const sub = (inner: Expression) => emit(inner, scope);
  switch (node.type) {
    case 'StringLiteral':
    case 'NumberLiteral':
    case 'BooleanLiteral':
      return json(node.value);
    case 'NullLiteral':
      return 'null';
    case 'IdentifierExpression':
      return identifier(node.name, scope);
    case 'TemplateLiteral':
      return template(node, sub);
    case 'ArrayLiteral':
      return `[${node.elements.map(sub).join(', ')}]`;
    case 'ObjectLiteral':
      return `$.record([${node.properties.map(({ key, value }) => `[${json(key.name)}, ${sub(value)}]`).join(', ')}])`;
    case 'UnaryExpression':
      return node.operator === '!' ? `(!${sub(node.operand)})` : `$.minus(${sub(node.operand)}, ${scope.at(node)})`;
    case 'BinaryExpression':
      if (node.operator === '&&' || node.operator === '||')
        return `(${sub(node.left)} ${node.operator} ${sub(node.right)})`;
      return `$.binary(${json(node.operator)}, ${sub(node.left)}, ${sub(node.right)}, ${scope.at(node)})`;
    case 'RangeExpression':
      return `$.record([["start", ${sub(node.start)}], ["end", ${sub(node.end)}]])`;
    case 'MemberExpression':
      return `$.field(${sub(node.object)}, ${json(node.property.name)}, ${scope.at(node.property)})`;
    case 'IndexExpression':
      return `$.item(${sub(node.object)}, ${sub(node.index)}, ${scope.at(node)})`;
    case 'FunctionCallExpression':
      return call(node, scope, []);
    case 'MatchExpression':
      return match(node, scope);
    case 'PipelineExpression':
      return pipeline(node.stages, scope);
    default:
      return ai(node, scope);
  }
}

function template({ texts, expressions }: TemplateLiteral, code: (inner: Expression) => string): string {
  const parts = texts.flatMap((text, at) => {
    const expression = expressions[at];
    return expression ? [json(text), code(expression)] : [json(text)];
  });
  return `$.text([${parts.join(', ')}])`;
}

/** One of the assistant's tools is a value too, so that it can be passed on. */
function identifier(name: string, { variables, callables }: Scope): string {
  return variables.has(name) || callables.has(name) ? local(name) : `$.tool(${json(name)})`;
}

function call({ callee, args, location }: FunctionCallExpression, scope: Scope, before: readonly string[]): string {
  const given = [...before, ...args.map((each) => emit(each, scope))];
  const at = scope.at({ location });
  if (callee.type === 'MemberExpression')
    return method(emit(callee.object, scope), json(callee.property.name), given, at);
  return `(await $.call(${emit(callee, scope)}, [${given.join(', ')}], ${at}))`;
}

const method = (object: string, name: string, args: readonly string[], at: number): string =>
  `(await $.method(${object}, ${name}, [${args.join(', ')}], ${at}))`;

const later = (code: string, parameter = ''): string => `async (${parameter}) => (${code})`;

function match({ subject, arms, location }: MatchExpression, scope: Scope): string {
  const all = arms.map(({ pattern, body }) => `[${patternCode(pattern, scope)}, ${later(emit(body, scope))}]`);
  return `(await $.match(${emit(subject, scope)}, [${all.join(', ')}], ${scope.at({ location })}))`;
}

function patternCode(pattern: Pattern, scope: Scope): string {
  if (pattern.type === 'WildcardPattern') return 'null';
  if (pattern.type === 'LiteralPattern') return `{ is: ${json(pattern.value)} }`;
  return `{ fields: [${fieldsCode(pattern, scope)}] }`;
}

function fieldsCode({ fields }: ObjectPattern, scope: Scope): string {
  return fields
    .map(({ name, constraint }) => {
      const operator = constraint.type === 'ComparisonConstraint' ? constraint.operator : '==';
      return `[${json(name.name)}, ${json(operator)}, ${later(emit(constraint.value, scope))}]`;
    })
    .join(', ');
}

/** Each stage gets the value of the one before it: a model as context, a function as its first argument. */
function pipeline(stages: readonly Expression[], scope: Scope): string {
  const [first, ...rest] = stages;
  if (!first) return 'null';
  const all = rest.map((stage) => later(stageCode(stage, scope), '$previous'));
  return `(await $.pipe(${emit(first, scope)}, [${all.join(', ')}]))`;
}

function stageCode(stage: Expression, scope: Scope): string {
  if (isAi(stage)) return ai(stage, scope, { previous: '$previous' });
  if (stage.type === 'FunctionCallExpression' && stage.callee.type === 'IdentifierExpression')
    return call(stage, scope, ['$previous']);
  if (stage.type === 'IdentifierExpression')
    return `(await $.stage(${emit(stage, scope)}, $previous, ${scope.at(stage)}))`;
  return emit(stage, scope);
}

export function isAi(node: Expression): node is AiExpression {
  return 'typeArgument' in node;
}

interface AiExtras {
  /** The value of the previous stage. */
  readonly previous?: string;
  /** `let uncertain`: the model is asked for its confidence. */
  readonly uncertain?: boolean;
}

/** The code of an expression that asks a model. */
export function ai(node: AiExpression, scope: Scope, extras: AiExtras = {}): string {
  const sub = (inner: Expression) => emit(inner, scope);
  const fields = [...common(node, scope, extras), ...clauseFields(node.clauses, scope)];
  if (extras.previous) fields.push(`previous: ${extras.previous}`);
  const asked = (method: string, own: string) => `(await $.${method}({ ${own}, ${fields.join(', ')} }))`;
  switch (node.type) {
    case 'ThinkExpression':
      return asked('ai', `op: "think", prompt: ${sub(node.prompt)}`);
    case 'InferExpression': {
      const hint = node.hint ? `, hint: ${sub(node.hint)}` : '';
      return asked('ai', `op: "infer", value: ${sub(node.value)}${hint}`);
    }
    case 'ReasonBlock': {
      const steps = node.steps.map((step) => `{ number: ${step.number}, description: ${sub(step.description)} }`);
      return asked('ai', `op: "reason", goal: ${sub(node.goal)}, steps: [${steps.join(', ')}]`);
    }
    case 'AgentExpression':
      return asked('agent', `prompt: ${sub(node.prompt)}`);
    case 'BatchExpression':
      return asked('batch', `items: ${sub(node.items)}, fn: ${sub(node.fn)}`);
    case 'MapThinkExpression':
      return asked('mapThink', `op: "map_think", items: ${sub(node.items)}, prompt: ${sub(node.prompt)}`);
    case 'ReduceThinkExpression':
      return asked('reduceThink', `op: "reduce_think", items: ${sub(node.items)}, prompt: ${sub(node.prompt)}`);
  }
}

function common({ typeArgument, location }: AiExpression, { types, at }: Scope, { uncertain }: AiExtras): string[] {
  const isSure = !uncertain || typeArgument.type === 'ConfidentType';
  const inner = types.schemaOf(typeArgument);
  const shape = types.shapeOf(typeArgument) ?? null;
  return [
    `at: ${at({ location })}`,
    `name: ${json(typeName(typeArgument))}`,
    `schema: ${json(isSure ? inner : lifted(inner))}`,
    `shape: ${json(isSure ? shape : { c: shape })}`,
  ];
}

/** `$defs` stay at the top of the schema. */
function lifted({ $defs, ...inner }: Record<string, unknown>): Record<string, unknown> {
  return $defs === undefined ? confident(inner) : { ...confident(inner), $defs };
}

function typeName(type: TypeExpression): string {
  if (type.type === 'NamedType' || type.type === 'PrimitiveType') return type.name;
  if (type.type === 'ArrayType') return `${typeName(type.element)}_list`;
  return type.type === 'UnionType' ? type.types.map(typeName).join('_or_') : typeName(type.inner);
}

function clauseFields(clauses: Clauses, scope: Scope): string[] {
  const { context, without, guard, onFail, tools, maxTurns, concurrency, costBudget, onError, batchSize } = clauses;
  const fields: string[] = [];
  const put = (name: string, node: Expression | undefined) => node && fields.push(`${name}: ${emit(node, scope)}`);
  if (context?.value) fields.push(`context: ${emit(context.value, scope)}`);
  else if (context) {
    const entries = context.entries.map(({ key, path }) => `[${json(key)}, ${emit(path, scope)}]`);
    fields.push(`context: $.record([${entries.join(', ')}])`);
  }
  if (without) fields.push(`without: ${json(without.entries.map(({ key }) => key))}`);
  if (guard) fields.push(`guards: [${guard.rules.map((rule) => guardCode(rule, scope)).join(', ')}]`);
  if (onFail) {
    put('attempts', onFail.attempts);
    if (onFail.fallback) fields.push(`fallback: ${later(emit(onFail.fallback, scope))}`);
  }
  if (tools) fields.push(`tools: [${tools.map(({ name }) => identifier(name, scope)).join(', ')}]`);
  put('maxTurns', maxTurns);
  put('concurrency', concurrency);
  put('costBudget', costBudget);
  put('batchSize', batchSize);
  if (onError) fields.push(`onError: ${json(onError.name)}`);
  return fields;
}

function guardCode(
  { name, value, rangeEnd }: { name: { name: string }; value: Expression; rangeEnd?: Expression },
  scope: Scope,
): string {
  const end = rangeEnd ? `, end: ${emit(rangeEnd, scope)}` : '';
  return `{ name: ${json(name.name)}, value: ${emit(value, scope)}${end} }`;
}
