/** The expressions of a program, those that ask a model among them. @see ast.ts */
import type { Name, Node, TypeExpression } from './ast-types.ts';

export type Expression =
  | PipelineExpression
  | BinaryExpression
  | UnaryExpression
  | RangeExpression
  | MemberExpression
  | IndexExpression
  | FunctionCallExpression
  | AiExpression
  | MatchExpression
  | StringLiteral
  | TemplateLiteral
  | NumberLiteral
  | BooleanLiteral
  | NullLiteral
  | ArrayLiteral
  | ObjectLiteral
  | IdentifierExpression;

/** `a |> b |> c` is one pipeline of three stages; at least two. */
export interface PipelineExpression extends Node {
  readonly type: 'PipelineExpression';
  readonly stages: readonly Expression[];
}

export type BinaryOperator = '||' | '&&' | '==' | '!=' | '>=' | '<=' | '>' | '<' | '+' | '-' | '*' | '/' | '%';

export interface BinaryExpression extends Node {
  readonly type: 'BinaryExpression';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

export interface UnaryExpression extends Node {
  readonly type: 'UnaryExpression';
  readonly operator: '!' | '-';
  readonly operand: Expression;
}

/** `a..b`, without spaces around the dots. */
export interface RangeExpression extends Node {
  readonly type: 'RangeExpression';
  readonly start: Expression;
  readonly end: Expression;
}

/** `object.property`; the property may be a reserved word. */
export interface MemberExpression extends Node {
  readonly type: 'MemberExpression';
  readonly object: Expression;
  readonly property: Name;
}

/** New: `list[0]`, `record["key"]`; nothing stands before the bracket. */
export interface IndexExpression extends Node {
  readonly type: 'IndexExpression';
  readonly object: Expression;
  readonly index: Expression;
}

export interface FunctionCallExpression extends Node {
  readonly type: 'FunctionCallExpression';
  /** A name, or a member: `x.unwrap()`. */
  readonly callee: Expression;
  readonly args: readonly Expression[];
}

export interface MatchExpression extends Node {
  readonly type: 'MatchExpression';
  readonly subject: Expression;
  readonly arms: readonly MatchArm[];
}

export interface MatchArm extends Node {
  readonly type: 'MatchArm';
  readonly pattern: Pattern;
  readonly body: Expression;
}

export type Pattern = ObjectPattern | WildcardPattern | LiteralPattern;

/** `{ score: >= 0.8, kind: "a" }`: every field named has to fit. */
export interface ObjectPattern extends Node {
  readonly type: 'ObjectPattern';
  readonly fields: readonly PatternField[];
}

export interface PatternField extends Node {
  readonly type: 'PatternField';
  readonly name: Name;
  readonly constraint: ComparisonConstraint | LiteralConstraint;
}

export interface ComparisonConstraint extends Node {
  readonly type: 'ComparisonConstraint';
  readonly operator: '>=' | '<=' | '==' | '!=' | '>' | '<';
  readonly value: Expression;
}

/** Without an operator: the same as `==`. */
export interface LiteralConstraint extends Node {
  readonly type: 'LiteralConstraint';
  readonly value: Expression;
}

/** `_` */
export interface WildcardPattern extends Node {
  readonly type: 'WildcardPattern';
}

export interface LiteralPattern extends Node {
  readonly type: 'LiteralPattern';
  readonly value: string | number | boolean | null;
}

export interface StringLiteral extends Node {
  readonly type: 'StringLiteral';
  readonly value: string;
}

/** New: text between backticks with `${...}` parts. There is always one more text than expressions. */
export interface TemplateLiteral extends Node {
  readonly type: 'TemplateLiteral';
  readonly texts: readonly string[];
  readonly expressions: readonly Expression[];
}

export interface NumberLiteral extends Node {
  readonly type: 'NumberLiteral';
  readonly value: number;
  /** As written: `1.0` is a float, `1` an int. */
  readonly raw: string;
}

export interface BooleanLiteral extends Node {
  readonly type: 'BooleanLiteral';
  readonly value: boolean;
}

export interface NullLiteral extends Node {
  readonly type: 'NullLiteral';
}

export interface ArrayLiteral extends Node {
  readonly type: 'ArrayLiteral';
  readonly elements: readonly Expression[];
}

export interface ObjectLiteral extends Node {
  readonly type: 'ObjectLiteral';
  readonly properties: readonly ObjectProperty[];
}

export interface ObjectProperty extends Node {
  readonly type: 'ObjectProperty';
  /** A name, which may be a reserved word, or (new) the content of a string. */
  readonly key: Name;
  /** For the shorthand `{ city }`, the name `city`. */
  readonly value: Expression;
  readonly shorthand: boolean;
}

export interface IdentifierExpression extends Node {
  readonly type: 'IdentifierExpression';
  readonly name: string;
}

/** The forms that ask a model. Clauses come in any order, each once; `guard` may be repeated, its rules add up. */
export type AiExpression =
  | ThinkExpression
  | InferExpression
  | ReasonBlock
  | AgentExpression
  | BatchExpression
  | MapThinkExpression
  | ReduceThinkExpression;

/**
 * The clauses of an AI expression. The parser takes every clause on every form; the checker refuses those that the form
 * has no use for (TL2101), so that code which runs a checked program sees only meaningful ones.
 */
export interface Clauses {
  /** `with context: { a, b.c }` or `with context: value` */
  readonly context?: ContextBlock;
  /** `without context: { user.ssn }`: never a `value`. */
  readonly without?: ContextBlock;
  readonly guard?: GuardClause;
  readonly onFail?: OnFailClause;
  /** `with tools: a, b` (agent) */
  readonly tools?: readonly Name[];
  /** `max turns: 5` (agent) */
  readonly maxTurns?: Expression;
  /** `concurrency: 3` (batch, map_think) */
  readonly concurrency?: Expression;
  /** `cost_budget: 0.50`, in USD (batch, map_think) */
  readonly costBudget?: Expression;
  /** `on_error: continue` (batch) */
  readonly onError?: Name;
  /** `batch_size: 3` (reduce_think) */
  readonly batchSize?: Expression;
}

interface AiNode extends Node {
  /** The `T` of `think<T>`. */
  readonly typeArgument: TypeExpression;
  readonly clauses: Clauses;
}

export interface ThinkExpression extends AiNode {
  readonly type: 'ThinkExpression';
  readonly prompt: Expression;
}

/** `infer<T>(value, "a hint")` */
export interface InferExpression extends AiNode {
  readonly type: 'InferExpression';
  readonly value: Expression;
  readonly hint?: Expression;
}

/** `reason<T> { goal: "..." steps: 1. "..." 2. "..." }`, clauses inside the braces. */
export interface ReasonBlock extends AiNode {
  readonly type: 'ReasonBlock';
  readonly goal: StringLiteral | TemplateLiteral;
  readonly steps: readonly ReasonStep[];
}

export interface ReasonStep extends Node {
  readonly type: 'ReasonStep';
  /** As written. */
  readonly number: number;
  readonly description: StringLiteral | TemplateLiteral;
}

export interface AgentExpression extends AiNode {
  readonly type: 'AgentExpression';
  readonly prompt: Expression;
}

/** `batch<T>(items, fn)`: `fn` is called with each item. */
export interface BatchExpression extends AiNode {
  readonly type: 'BatchExpression';
  readonly items: Expression;
  readonly fn: Expression;
}

/** `map_think<T>(items, prompt)`: one request for each item; the value is a `T[]`. */
export interface MapThinkExpression extends AiNode {
  readonly type: 'MapThinkExpression';
  readonly items: Expression;
  readonly prompt: Expression;
}

export interface ReduceThinkExpression extends AiNode {
  readonly type: 'ReduceThinkExpression';
  readonly items: Expression;
  readonly prompt: Expression;
}

/** Either `entries`, from `{ a, b.c }` with keys `a` and `b.c`, or one `value`, whose fields are the context. */
export interface ContextBlock extends Node {
  readonly type: 'ContextBlock';
  readonly entries: readonly ContextEntry[];
  readonly value?: Expression;
}

export interface ContextEntry extends Node {
  readonly type: 'ContextEntry';
  /** The printed path: `b.c`. */
  readonly key: string;
  /** Names, the first of them a variable: an identifier, or a member access on one. */
  readonly path: IdentifierExpression | MemberExpression;
}

/** `guard { length: 5..20  passes: check }`, or (new) `guard passes(check)`. Every rule has to hold. */
export interface GuardClause extends Node {
  readonly type: 'GuardClause';
  readonly rules: readonly GuardRule[];
}

export interface GuardRule extends Node {
  readonly type: 'GuardRule';
  /** `length`, `contains_none`, `passes`, or the name of a field with a range. */
  readonly name: Name;
  /** The lower end when `rangeEnd` is there: `a..b` and `a .. b` are the same here and never a `RangeExpression`. */
  readonly value: Expression;
  readonly rangeEnd?: Expression;
}

/** `on_fail: retry(2) then fallback(x)`, or (new) `on fail retry 2 with fallback { x }`. */
export interface OnFailClause extends Node {
  readonly type: 'OnFailClause';
  /** The most attempts, the first included. */
  readonly attempts: Expression;
  readonly fallback?: Expression;
}
