import type { AiExpression, Clauses, ContextBlock, Expression, GuardRule, ReasonBlock } from '../grammar/ast.ts';
import type { Location } from '../grammar/location.ts';
import { typeText } from './types.ts';

export type AiForm = AiExpression;

/** What printing the forms that ask a model needs from the expression printer. */
export interface Inner {
  text(node: Expression, indent: string, used?: number): string;
  operand(node: Expression, level: 'unary' | 'postfix'): string;
  item(node: Expression): string;
  literal(value: string, location: Location): string;
}

const WORDS = {
  ThinkExpression: 'think',
  InferExpression: 'infer',
  AgentExpression: 'agent',
  BatchExpression: 'batch',
  MapThinkExpression: 'map_think',
  ReduceThinkExpression: 'reduce_think',
} as const;

/** Clauses that need no line of their own when they are the only one. */
const MOST_ON_LINE = 1;

/** A form that asks a model. @param indent  undefined: on one line if possible. */
export function aiText(node: AiForm, print: Inner, indent: string | undefined): string {
  if (node.type === 'ReasonBlock') return reasonText(node, print, indent ?? '');
  const args = argsOf(node).map((each) => print.item(each));
  const head = `${WORDS[node.type]}<${typeText(node.typeArgument)}>(${args.join(', ')})`;
  const clauses = clauseTexts(node.clauses, print);
  if (clauses.length <= MOST_ON_LINE && indent === undefined) return [head, ...clauses].join(' ');
  return [head, ...clauses].join(`\n${indent ?? ''}  `);
}

function argsOf(node: Exclude<AiForm, ReasonBlock>): readonly Expression[] {
  switch (node.type) {
    case 'ThinkExpression':
    case 'AgentExpression':
      return [node.prompt];
    case 'InferExpression':
      return node.hint ? [node.value, node.hint] : [node.value];
    case 'BatchExpression':
      return [node.items, node.fn];
    default:
      return [node.items, node.prompt];
  }
}

function reasonText(node: ReasonBlock, print: Inner, indent: string): string {
  const deeper = `${indent}  `;
  const steps = node.steps.map(({ number, description }) => `  ${number}. ${print.item(description)}`);
  const lines = [`goal: ${print.item(node.goal)}`, 'steps:', ...steps, ...clauseTexts(node.clauses, print)];
  return `reason<${typeText(node.typeArgument)}> {\n${lines.map((line) => `${deeper}${line}\n`).join('')}${indent}}`;
}

/** Always in this order. */
function clauseTexts(clauses: Clauses, print: Inner): string[] {
  const { tools, context, without, maxTurns, concurrency, costBudget, batchSize, onError, guard, onFail } = clauses;
  const value = (name: string, node: Expression | undefined) =>
    node ? [`${name}: ${print.operand(node, 'unary')}`] : [];
  return [
    ...(tools ? [`with tools: ${tools.map(({ name }) => name).join(', ')}`] : []),
    ...(context ? [`with context: ${contextText(context, print)}`] : []),
    ...(without ? [`without context: ${contextText(without, print)}`] : []),
    ...value('max turns', maxTurns),
    ...value('concurrency', concurrency),
    ...value('cost_budget', costBudget),
    ...value('batch_size', batchSize),
    ...(onError ? [`on_error: ${onError.name}`] : []),
    ...(guard ? [`guard { ${guard.rules.map((rule) => ruleText(rule, print)).join(', ')} }`] : []),
    ...(onFail ? [`on_fail: retry(${print.item(onFail.attempts)})${fallbackText(onFail.fallback, print)}`] : []),
  ];
}

function fallbackText(fallback: Expression | undefined, print: Inner): string {
  return fallback ? ` then fallback(${print.item(fallback)})` : '';
}

function contextText({ entries, value }: ContextBlock, print: Inner): string {
  if (!value) return `{ ${entries.map(({ key }) => key).join(', ')} }`;
  const text = print.operand(value, 'postfix');
  // Only short forms at the start would be read as a list of variables.
  const plain = value.type === 'ObjectLiteral' && !value.properties.every(({ shorthand }) => shorthand);
  return text.startsWith('{') && text !== '{}' && !plain ? `(${text})` : text;
}

function ruleText({ name, value, rangeEnd }: GuardRule, print: Inner): string {
  if (!rangeEnd) return `${name.name}: ${print.item(value)}`;
  return `${name.name}: ${print.operand(value, 'unary')}..${print.operand(rangeEnd, 'unary')}`;
}
