/** Reading programs: what `import ... from 'wooster/parser'` gives. See docs/library.md. */
import type { Diagnostic } from './lang/diagnostics/diagnostic.ts';
import { renderDiagnostic } from './lang/diagnostics/render.ts';
import type { Program } from './lang/grammar/ast.ts';
import { type ParseOptions, parse as read } from './lang/grammar/parse.ts';

/** A text that is no program. */
export class ParseError extends Error {
  override readonly name = 'ParseError';
  /** Up to twenty, in the order of the text. */
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[], source: string) {
    super(diagnostics.map((each) => renderDiagnostic(each, source)).join('\n'));
    this.diagnostics = diagnostics;
  }
}

/** @throws ParseError. */
export function parseSync(source: string, options: ParseOptions = {}): Program {
  const { program, diagnostics } = read(source, options);
  if (diagnostics.length > 0) throw new ParseError(diagnostics, source);
  return program;
}

/** @throws ParseError. */
export async function parse(source: string, options: ParseOptions = {}): Promise<Program> {
  return parseSync(source, options);
}

export type { Diagnostic } from './lang/diagnostics/diagnostic.ts';
export { renderDiagnostic } from './lang/diagnostics/render.ts';
export type * from './lang/grammar/ast.ts';
export type {
  AgentExpression as AgentExpressionNode,
  ToolDeclaration as ToolDeclarationNode,
} from './lang/grammar/ast.ts';
export type { ParseOptions } from './lang/grammar/parse.ts';
