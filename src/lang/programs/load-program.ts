import { basename } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { type Checked, checkFile, checkSource } from '../check/check.ts';
import { type Compiled, compileProgram } from '../compile/compile.ts';
import { renderDiagnostic } from '../diagnostics/render.ts';
import type { Statement } from '../grammar/ast.ts';
import { readSource } from '../source.ts';

/** A program without errors, compiled. */
export interface Ready {
  readonly checked: Checked;
  readonly compiled: Compiled;
}

/** A program as it is on disk. */
export interface LoadedProgram extends Ready {
  readonly path: string;
  /** Its file name without the extension. */
  readonly name: string;
  /** For models. */
  readonly description: string;
  /** It can be run: it has more than declarations. */
  readonly isRunnable: boolean;
}

/** @returns for a program with errors, a text for people that says why it cannot be used. */
export function loadProgram(path: string, tools: Iterable<string>): LoadedProgram | { readonly why: string } {
  return loaded(path, () => checkFile(path, { read: readSource, tools }));
}

/** The same for a text that is in no file. @param path what errors call it. */
export function loadSource(
  source: string,
  path: string,
  tools: Iterable<string>,
): LoadedProgram | { readonly why: string } {
  return loaded(path, () => checkSource(source, path, { read: readSource, tools }));
}

function loaded(path: string, check: () => Checked): LoadedProgram | { readonly why: string } {
  try {
    const checked = check();
    if (!checked.ok) return { why: firstError(checked) };
    const { source, program } = checked.main;
    const name = basename(path, '.tl');
    return {
      ...{ path, name, checked, compiled: compileProgram(checked) },
      description: leadingComment(source, program.statements[0]) ?? `Run the program ${name}.`,
      isRunnable: program.statements.some(acts),
    };
  } catch (error) {
    return { why: messageOf(error) };
  }
}

function firstError({ modules }: Checked): string {
  const all = modules.flatMap(({ diagnostics, source }) => diagnostics.map((each) => ({ each, source })));
  const first = all.find(({ each }) => each.severity === 'error');
  return first ? renderDiagnostic(first.each, first.source) : 'it cannot be compiled';
}

const DECLARATIONS = ['TypeDeclaration', 'FunctionDeclaration', 'ToolDeclaration', 'ParamDeclaration'];
const DOCUMENTED = DECLARATIONS.filter((type) => type !== 'ParamDeclaration');
const QUIET = [...DECLARATIONS, 'TestBlock', 'LetDeclaration'];

function acts({ type }: Statement): boolean {
  return !QUIET.includes(type);
}

/**
 * The comment at the top describes the program, unless it belongs to the declaration right below it. What stands above
 * its first parameter says what a program is for as well: many begin with it.
 */
function leadingComment(source: string, first: Statement | undefined): string | undefined {
  const [comment = ''] = /^(?:[ \t]*\/\/[^\n]*(?:\n|$))+/u.exec(source) ?? [];
  const lines = comment.trimEnd().split('\n');
  const isRightAbove = first?.location.start.line === lines.length + 1;
  const isDoc = isRightAbove && DOCUMENTED.includes(first.type) && lines.at(-1)?.trim().startsWith('///');
  const text = lines.map((line) => line.replace(/^\s*\/\/\/?\s?/u, '').trim()).join(' ');
  return comment === '' || isDoc ? undefined : text.trim() || undefined;
}
