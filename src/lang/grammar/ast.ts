/**
 * The syntax tree of a ThinkLang program. Every node has a `type` and the `location` of its text, without the blanks
 * around it. Names are those of the earlier language; additions are marked "New".
 *
 * Nothing here says what a program means: see docs/language-reference.md.
 */
import type { Expression, StringLiteral } from './ast-expressions.ts';
import type { Name, Node, TypeExpression } from './ast-types.ts';

export type * from './ast-expressions.ts';
export type * from './ast-types.ts';

/** One file. */
export interface Program extends Node {
  readonly type: 'Program';
  readonly imports: readonly ImportDeclaration[];
  readonly statements: readonly Statement[];
  /** In source order, including doc comments: the printer and the formatter keep them. */
  readonly comments: readonly Comment[];
}

/** With its comment markers: `// ...`, or a block comment, which may span lines. */
export interface Comment extends Node {
  readonly type: 'Comment';
  readonly text: string;
}

/** `import { A, b } from "./file"`: types, functions and tools of another file. */
export interface ImportDeclaration extends Node {
  readonly type: 'ImportDeclaration';
  readonly names: readonly Name[];
  /** As written; relative to the importing file, `.tl` added where it is missing. */
  readonly path: StringLiteral;
}

export type Statement =
  | TypeDeclaration
  | FunctionDeclaration
  | ToolDeclaration
  | ParamDeclaration
  | LetDeclaration
  | AssignStatement
  | PrintStatement
  | ReturnStatement
  | ForStatement
  | WhileStatement
  | BreakStatement
  | ContinueStatement
  | TryCatch
  | IfElse
  | TestBlock
  | AssertStatement
  | ExpressionStatement;

/** `{ ... }` around statements. A name declared inside is not visible after it. */
export interface Block extends Node {
  readonly type: 'Block';
  readonly statements: readonly Statement[];
}

/** What several declarations share. */
interface Described {
  /** The doc comment before it (`///` lines or a block that begins with two stars), without its marks. */
  readonly doc?: string;
  /** `@name(value)` notes, in their order. */
  readonly annotations: readonly Annotation[];
}

export interface TypeDeclaration extends Node {
  readonly type: 'TypeDeclaration';
  readonly name: Name;
  readonly fields: readonly TypeField[];
  readonly doc?: string;
}

export interface TypeField extends Node, Described {
  readonly type: 'TypeField';
  /** May be a reserved word. */
  readonly name: Name;
  readonly typeExpression: TypeExpression;
}

/** `@maxItems(3)`, `@description("...")`. */
export interface Annotation extends Node {
  readonly type: 'Annotation';
  readonly name: Name;
  readonly value: string | number;
}

export interface FunctionDeclaration extends Node {
  readonly type: 'FunctionDeclaration';
  readonly name: Name;
  readonly params: readonly FunctionParam[];
  readonly returnType?: TypeExpression;
  readonly body: Block;
  readonly doc?: string;
}

export interface FunctionParam extends Node {
  readonly type: 'FunctionParam';
  readonly name: Name;
  readonly typeExpression: TypeExpression;
  readonly annotations: readonly Annotation[];
}

/** `tool name(a: T): R @description("...") { ... }`; a doc comment describes it as well. */
export interface ToolDeclaration extends Node, Described {
  readonly type: 'ToolDeclaration';
  readonly name: Name;
  readonly params: readonly FunctionParam[];
  readonly returnType: TypeExpression;
  readonly body: Block;
}

/** New: `param city: string = "Berlin"`, what the program itself is called with (`--arg city=Bonn`, or as a tool). */
export interface ParamDeclaration extends Node {
  readonly type: 'ParamDeclaration';
  readonly name: Name;
  readonly typeExpression: TypeExpression;
  /** Without a default the parameter is required, unless its type is optional. */
  readonly default?: Expression;
  readonly doc?: string;
}

export interface LetDeclaration extends Node {
  readonly type: 'LetDeclaration';
  readonly name: Name;
  /** `let uncertain x = think<T>(...)`: the model is asked for its confidence, and `x` is a `Confident<T>`. */
  readonly uncertain: boolean;
  readonly typeExpression?: TypeExpression;
  readonly value: Expression;
}

/** New: `x = value`. Assigns to a `let` of this or an outer block. */
export interface AssignStatement extends Node {
  readonly type: 'AssignStatement';
  readonly name: Name;
  readonly value: Expression;
}

export interface PrintStatement extends Node {
  readonly type: 'PrintStatement';
  readonly value: Expression;
}

/** New. The value starts on the line of the word. */
export interface ReturnStatement extends Node {
  readonly type: 'ReturnStatement';
  readonly value?: Expression;
}

/** New: `for item in items { ... }`; `items` is a list, or a range `1..5`, whose ends both count. */
export interface ForStatement extends Node {
  readonly type: 'ForStatement';
  readonly name: Name;
  readonly items: Expression;
  readonly body: Block;
}

/** New. */
export interface WhileStatement extends Node {
  readonly type: 'WhileStatement';
  readonly condition: Expression;
  readonly body: Block;
}

/** New. */
export interface BreakStatement extends Node {
  readonly type: 'BreakStatement';
}

/** New. */
export interface ContinueStatement extends Node {
  readonly type: 'ContinueStatement';
}

export interface TryCatch extends Node {
  readonly type: 'TryCatch';
  readonly body: Block;
  /** At least one; the first that names the error (or has no name) catches it, and other errors pass through. */
  readonly catches: readonly CatchClause[];
}

export interface CatchClause extends Node {
  readonly type: 'CatchClause';
  /** The error class; left out in `catch (e)`, which is new, it catches every error. */
  readonly errorType?: Name;
  readonly variable: Name;
  readonly body: Block;
}

export interface IfElse extends Node {
  readonly type: 'IfElse';
  readonly condition: Expression;
  readonly body: Block;
  /** An `IfElse` here is an `else if`. */
  readonly otherwise?: Block | IfElse;
}

export interface TestBlock extends Node {
  readonly type: 'TestBlock';
  readonly name: StringLiteral;
  readonly mode?: TestMode;
  readonly body: Block;
}

/** `mode: replay("file.json")` before the name, or `replay("file.json")` after it. */
export interface TestMode extends Node {
  readonly type: 'TestMode';
  /** Only `replay` and `snapshot` have a meaning. */
  readonly kind: Name;
  readonly path: StringLiteral;
}

/** `assert x == y` (kind `value`), or `assert.semantic(value, "what it must be")`, which asks the model. */
export interface AssertStatement extends Node {
  readonly type: 'AssertStatement';
  readonly kind: 'value' | 'semantic';
  readonly value: Expression;
  /** Given exactly when `kind` is `semantic`. */
  readonly criteria?: Expression;
}

export interface ExpressionStatement extends Node {
  readonly type: 'ExpressionStatement';
  readonly expression: Expression;
}
