/** Checking and compiling programs: what `import ... from 'wooster/compiler'` gives. See docs/library.md. */
import { checkSource } from './lang/check/check.ts';
import { type Compiled, compileProgram } from './lang/compile/compile.ts';
import type { Diagnostic } from './lang/diagnostics/diagnostic.ts';
import type { Program } from './lang/grammar/ast.ts';
import * as builtins from './lang/runtime/builtin-tools.ts';
import { readSource } from './lang/source.ts';
import { parseSync } from './parser.ts';

export interface CompileOptions {
  /** What diagnostics call it, and what its imports are relative to. */
  readonly filePath?: string;
  /** Expressions are shown, as at a prompt. */
  readonly replMode?: boolean;
  /** Tools of the assistant that the program may use besides those of `wooster/tools`. */
  readonly tools?: readonly string[];
}

export interface CompileResult extends Partial<Omit<Compiled, 'code'>> {
  /** JavaScript that the sandbox runs; empty when there are errors. */
  readonly code: string;
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/** Check and compile a program with all that it imports. Whatever is wrong is among the errors. */
export function compile(source: string, options: CompileOptions = {}): CompileResult {
  const { filePath = 'program.tl', replMode = false, tools = [] } = options;
  const names = [...Object.keys(builtins), ...tools];
  const checked = checkSource(source, filePath, { read: readSource, tools: names });
  const all = checked.modules.flatMap(({ diagnostics }) => diagnostics);
  const errors = all.filter(({ severity }) => severity === 'error');
  const warnings = all.filter(({ severity }) => severity === 'warning');
  if (!checked.ok) return { code: '', errors, warnings };
  const compiled = compileProgram(checked, replMode ? { kind: 'typed', from: 0 } : { kind: 'main' });
  return { ...compiled, errors, warnings };
}

/** The program as a tree. @throws ParseError. */
export function compileToAst(source: string, { filePath }: Pick<CompileOptions, 'filePath'> = {}): Program {
  return parseSync(source, filePath === undefined ? {} : { file: filePath });
}

export type { Compiled, DeclaredTool } from './lang/compile/compile.ts';
export * from './parser.ts';
