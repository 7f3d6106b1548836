import type { AiExpression, Clauses, ContextBlock, Expression, GuardRule, Name } from '../grammar/ast.ts';
import { clauseName } from '../grammar/clause-names.ts';
import type { Location } from '../grammar/location.ts';
import type { Here } from './checker.ts';
import { ANY, arrayOf, FLOAT, isNumber, membersOf, STRING, showType, type Type, unionOf } from './types.ts';

/** The keyword of each form, and the clauses that it accepts. */
export const CLAUSES_BY_FORM = {
  think: ['context', 'without', 'guard', 'onFail'],
  infer: ['context', 'without', 'guard', 'onFail'],
  reason: ['context', 'without', 'guard', 'onFail'],
  agent: ['tools', 'context', 'without', 'maxTurns', 'guard', 'onFail'],
  batch: ['concurrency', 'costBudget', 'onError'],
  map_think: ['concurrency', 'costBudget', 'context', 'without'],
  reduce_think: ['batchSize', 'context', 'without'],
} as const satisfies Readonly<Record<string, readonly (keyof Clauses)[]>>;

const FORMS: Readonly<Record<AiExpression['type'], keyof typeof CLAUSES_BY_FORM>> = {
  ThinkExpression: 'think',
  InferExpression: 'infer',
  ReasonBlock: 'reason',
  AgentExpression: 'agent',
  BatchExpression: 'batch',
  MapThinkExpression: 'map_think',
  ReduceThinkExpression: 'reduce_think',
};

function meaningful({ type }: AiExpression): readonly (keyof Clauses)[] {
  return CLAUSES_BY_FORM[FORMS[type]];
}

/** Check a form that asks a model. @returns the type of its value. */
export function checkAi(node: AiExpression, here: Here): Type {
  const type = here.checker.context.resolve(node.typeArgument);
  checkArguments(node, here);
  checkClauses(node, type, here);
  if (node.type === 'MapThinkExpression') return arrayOf(type);
  // A batch returns one result of its function per item.
  return node.type === 'BatchExpression' ? ANY : type;
}

function checkArguments(node: AiExpression, here: Here): void {
  const { checker, scope } = here;
  switch (node.type) {
    case 'ThinkExpression':
    case 'AgentExpression':
      checkPrompt(node.prompt, here);
      break;
    case 'InferExpression':
      checker.typeOf(node.value, scope);
      if (node.hint) checkPrompt(node.hint, here);
      break;
    case 'ReasonBlock':
      for (const each of [node.goal, ...node.steps.map(({ description }) => description)]) checkPrompt(each, here);
      break;
    case 'BatchExpression': {
      checkItems(node.items, here);
      const fn = checker.typeOf(node.fn, scope);
      if (fn.kind !== 'function' && fn.kind !== 'any')
        checker.context.report('TL3001', node.fn.location, `expected a function, found ${showType(fn)}`);
      break;
    }
    default:
      checkItems(node.items, here);
      checkPrompt(node.prompt, here);
  }
}

function checkPrompt(node: Expression, { checker, scope }: Here): void {
  checker.requireAssignable(checker.typeOf(node, scope), STRING, node.location);
}

function checkItems(node: Expression, { checker, scope }: Here): void {
  checker.requireAssignable(checker.certain(node, scope), arrayOf(ANY), node.location);
}

function checkClauses(node: AiExpression, type: Type, here: Here): void {
  const { checker, scope } = here;
  const { clauses } = node;
  for (const name of Object.keys(clauses) as (keyof Clauses)[]) {
    if (!meaningful(node).includes(name)) reportMeaningless(node, name, here);
  }
  for (const tool of clauses.tools ?? []) checkTool(tool, here);
  if (clauses.context) checkContext(clauses.context, here);
  if (clauses.without) checkExclusions(clauses.without, clauses.context, here);
  for (const rule of clauses.guard?.rules ?? []) checkRule(rule, type, here);
  if (clauses.onFail?.fallback) checker.expect(clauses.onFail.fallback, unionOf([type]), scope);
  checkNumbers(clauses, here);
  const { onError } = clauses;
  if (onError && onError.name !== 'fail_fast' && onError.name !== 'continue') {
    checker.context.reportUnknown('TL2104', onError, {
      what: 'there is no way to go on called',
      known: ['fail_fast', 'continue'],
      otherwise: 'it is `fail_fast` or `continue`',
    });
  }
}

function reportMeaningless(node: AiExpression, name: keyof Clauses, { checker }: Here): void {
  const value = node.clauses[name];
  const [first] = Array.isArray(value) ? (value as readonly Name[]) : [value];
  const location: Location = (first as Name | undefined)?.location ?? node.location;
  const allowed = meaningful(node)
    .map((each) => `\`${clauseName(each)}\``)
    .join(', ');
  const message = `\`${clauseName(name)}\` means nothing for \`${FORMS[node.type]}\``;
  checker.context.report('TL2101', location, message, { hint: `its clauses are ${allowed}` });
}

function checkTool(tool: Name, { checker, scope }: Here): void {
  const entry = scope.find(tool.name);
  if (entry) {
    entry.used = true;
    checker.context.uses.push({ location: tool.location, declared: entry.name, type: entry.type });
  }
  if (entry?.type.kind === 'function' && entry.type.tool) return;
  if (entry === undefined && checker.context.tools.has(tool.name)) return;
  const hint = `declare it with \`tool ${tool.name}(...)\``;
  if (entry) {
    checker.context.report('TL2003', tool.location, `\`${tool.name}\` is not a tool`, { hint });
    return;
  }
  const known = [...scope.names().filter((name) => isTool(scope.find(name)?.type)), ...checker.context.tools];
  checker.context.reportUnknown('TL2003', tool, { what: 'there is no tool', known, otherwise: hint });
}

function isTool(type: Type | undefined): boolean {
  return type?.kind === 'function' && type.tool;
}

function checkContext({ entries, value }: ContextBlock, { checker, scope }: Here): void {
  for (const { path } of entries) checker.typeOf(path, scope);
  if (value) checker.typeOf(value, scope);
}

/** A path that is left out must exist in the context, as an entry or as a part of one. */
function checkExclusions(without: ContextBlock, context: ContextBlock | undefined, here: Here): void {
  const { checker, scope } = here;
  if (context?.value) {
    // A name that is not a variable is a key of that value.
    const known = without.entries.filter(({ path }) => scope.find(rootOf(path)) !== undefined);
    checkContext({ ...without, entries: known }, here);
    return;
  }
  checkContext(without, here);
  const included = (context?.entries ?? []).map(({ key }) => key);
  for (const { key, location } of without.entries) {
    const related = included.some((each) => each === key || key.startsWith(`${each}.`) || each.startsWith(`${key}.`));
    if (related) continue;
    const hint = included.length > 0 ? `it has ${included.join(', ')}` : 'add `with context: { ... }`';
    checker.context.report('TL2102', location, `the context does not have \`${key}\``, { hint });
  }
}

function rootOf(path: Expression): string {
  if (path.type === 'MemberExpression') return rootOf(path.object);
  return path.type === 'IdentifierExpression' ? path.name : '';
}

function checkRule({ name, value, rangeEnd, location }: GuardRule, type: Type, here: Here): void {
  const { checker, scope } = here;
  const types = [value, ...(rangeEnd ? [rangeEnd] : [])].map((each) => checker.certain(each, scope));
  const [first = ANY] = types;
  const report = (message: string, hint?: string) => checker.context.report('TL2103', location, message, { hint });
  if (name.name === 'passes') {
    if (first.kind !== 'function' && first.kind !== 'any')
      report('`passes` takes a function', 'write `passes: my_function`');
    return;
  }
  if (name.name === 'contains_none') {
    if (first.kind !== 'array' && first.kind !== 'any')
      report('`contains_none` takes a list of texts', 'write `["a", "b"]`');
    return;
  }
  if (!types.every((each) => membersOf(each).every((member) => isNumber(member) || member.kind === 'any'))) {
    report(`\`${name.name}\` takes a range of numbers`, `write \`${name.name}: 1..10\``);
    return;
  }
  if (name.name !== 'length') checkGuardedField(name, type, here);
}

/** The rule applies to a field of the answer, or to the answer itself when that is a number. */
function checkGuardedField(name: Name, type: Type, { checker }: Here): void {
  const certain = type.kind === 'confident' ? unionOf([type.inner, type]) : type;
  const members = membersOf(certain);
  if (members.some((each) => each.kind === 'any' || isNumber(each))) return;
  const field = members.map((each) => checker.field(each, name.name)).find((each) => each !== undefined);
  if (field === undefined) {
    const message = `${showType(type)} has no field \`${name.name}\`, so the guard always fails`;
    checker.context.report('TL4009', name.location, message);
    return;
  }
  if (membersOf(field).every((each) => isNumber(each) || each.kind === 'any' || each.kind === 'null')) return;
  checker.context.report('TL2103', name.location, `the field is ${showType(field)}, not a number`);
}

/** The smallest value that makes sense for each clause. */
const SMALLEST = { maxTurns: 1, concurrency: 1, costBudget: 0, batchSize: 2 } as const;

function checkNumbers(clauses: Clauses, here: Here): void {
  for (const [name, least] of Object.entries(SMALLEST) as [keyof typeof SMALLEST, number][]) {
    const node = clauses[name];
    if (node) checkNumber(node, { name: clauseName(name), least }, here);
  }
  if (clauses.onFail) checkNumber(clauses.onFail.attempts, { name: 'retry', least: 1 }, here);
}

function checkNumber(
  node: Expression,
  { name, least }: { name: string; least: number },
  { checker, scope }: Here,
): void {
  checker.requireAssignable(checker.certain(node, scope), FLOAT, node.location);
  const negative = node.type === 'UnaryExpression' && node.operator === '-';
  const small = node.type === 'NumberLiteral' && node.value < least;
  if (negative || small) checker.context.report('TL2104', node.location, `\`${name}\` is at least ${least}`);
}
