import type { Expression } from '../grammar/ast.ts';

/** Error classes that `catch` can name. */
export const CATCHABLE: readonly string[] = [
  // Raised by the running program itself.
  ...['IndexOutOfRange', 'TypeMismatch', 'DivisionByZero', 'NoMatch', 'TooDeep', 'AssertionFailed', 'BadNumber'],
  ...['ThinkError', 'SchemaViolation', 'ConfidenceTooLow', 'GuardFailed', 'TokenBudgetExceeded', 'ModelUnavailable'],
  ...['Timeout', 'AgentMaxTurnsError', 'ToolExecutionError', 'BatchCostBudgetExceeded', 'BatchAbortedError', 'Error'],
];

/** The known annotations. */
export const ANNOTATIONS = ['description', 'range', 'minItems', 'maxItems', 'minLength', 'maxLength', 'pattern'];
/** Statements that are only allowed at the top of a file, and their keywords. */
export const TOP_ONLY: Readonly<Record<string, string>> = {
  TypeDeclaration: 'type',
  ToolDeclaration: 'tool',
  ParamDeclaration: 'param',
  TestBlock: 'test',
};

/** Statements below one of these in the same block are unreachable. */
export const JUMPS: ReadonlySet<string> = new Set(['ReturnStatement', 'BreakStatement', 'ContinueStatement']);

/** Declarations that count wherever they stand in their block, also below the end of it. */
export const DECLARED_ANYWHERE: ReadonlySet<string> = new Set([
  ...['TypeDeclaration', 'FunctionDeclaration', 'ToolDeclaration', 'TestBlock'],
]);

/** Whether evaluating it can have an effect: a call, or a request to a model. */
export function isEffect(node: Expression): boolean {
  switch (node.type) {
    case 'BinaryExpression':
      return isEffect(node.left) || isEffect(node.right);
    case 'UnaryExpression':
      return isEffect(node.operand);
    case 'MemberExpression':
    case 'IndexExpression':
      return isEffect(node.object);
    case 'FunctionCallExpression':
    case 'PipelineExpression':
    case 'MatchExpression':
      return true;
    case 'ArrayLiteral':
      return node.elements.some(isEffect);
    case 'ObjectLiteral':
      return node.properties.some(({ value }) => isEffect(value));
    default:
      return 'clauses' in node;
  }
}
