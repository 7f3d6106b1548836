import { isRecord } from '../../base/json.ts';
import { GuardFailed } from './errors.ts';

/**
 * One rule for an answer. `length`: characters of a text, of the JSON of anything else, from `constraint` to
 * `rangeEnd`. `contains_none`: texts that must not occur. `passes`: a predicate function. `semantic`: a sentence
 * that a model judges. Any other name is a field whose number must be in the range.
 */
export interface GuardRule {
  readonly name: string;
  readonly constraint: unknown;
  readonly rangeEnd?: unknown;
}

/** Asks a model whether a value meets a demand expressed in words. */
export type Judge = (
  value: unknown,
  criteria: string,
) => Promise<{ readonly passes: boolean; readonly explanation: string }>;

/** @throws GuardFailed for the first rule that does not hold. */
export async function evaluateGuards(value: unknown, rules: readonly GuardRule[], judge?: Judge): Promise<void> {
  for (const rule of rules) await evaluate(value, rule, judge);
}

async function evaluate(value: unknown, rule: GuardRule, judge: Judge | undefined): Promise<void> {
  switch (rule.name) {
    case 'length':
      return inRange(rule, lengthOf(value));
    case 'contains_none':
      return containsNone(rule, value);
    case 'passes':
      return passes(rule, value);
    case 'semantic':
      return semantic(rule, value, judge);
    default:
      return inRange(rule, isRecord(value) ? value[rule.name] : undefined);
  }
}

function lengthOf(value: unknown): number {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).length;
}

/** `a..b` comes as one value with `start` and `end`, or as two. A single bound is the minimum. */
function boundsOf({ constraint, rangeEnd }: GuardRule): { min: number; max: number } {
  if (isRecord(constraint) && 'start' in constraint)
    return { min: Number(constraint.start), max: Number(constraint.end) };
  if (Array.isArray(constraint)) return { min: Number(constraint[0]), max: Number(constraint[1]) };
  return { min: Number(constraint), max: rangeEnd === undefined ? Number.POSITIVE_INFINITY : Number(rangeEnd) };
}

function inRange(rule: GuardRule, found: unknown): void {
  const { min, max } = boundsOf(rule);
  if (typeof found === 'number' && found >= min && found <= max) return;
  throw new GuardFailed(rule.name, found ?? null, `${min}..${max}`);
}

function containsNone(rule: GuardRule, value: unknown): void {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toLowerCase();
  const words = [rule.constraint].flat().map(String);
  const found = words.find((word) => text.includes(word.toLowerCase()));
  if (found !== undefined) throw new GuardFailed(rule.name, found, `none of ${words.join(', ')}`);
}

async function passes(rule: GuardRule, value: unknown): Promise<void> {
  if (typeof rule.constraint !== 'function') throw new TypeError('guard passes: needs a function');
  const verdict: unknown = await rule.constraint(value);
  // A function that returns nothing does not object.
  if (verdict === false || verdict === 0 || verdict === '')
    throw new GuardFailed(rule.name, value, `a yes of ${rule.constraint.name || 'the function'}`);
}

async function semantic(rule: GuardRule, value: unknown, judge: Judge | undefined): Promise<void> {
  if (!judge) throw new TypeError('guard semantic: needs a model');
  const criteria = String(rule.constraint);
  const { passes: isMet, explanation } = await judge(value, criteria);
  if (!isMet) throw new GuardFailed(rule.name, value, `${criteria} (${explanation})`);
}
