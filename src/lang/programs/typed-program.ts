import { join } from 'node:path';
import { isRecord } from '../../base/json.ts';
import { type Checked, checkSource } from '../check/check.ts';
import { compileProgram } from '../compile/compile.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { renderDiagnostic } from '../diagnostics/render.ts';
import type { Program } from '../grammar/ast.ts';
import { LineMap, type Location, type Position } from '../grammar/location.ts';
import { parse } from '../grammar/parse.ts';
import { scan } from '../grammar/scan.ts';
import type { ProgramFailure, ProgramResult } from '../runtime/run-program.ts';
import { readSource } from '../source.ts';
import { failureText } from './failure-text.ts';
import type { Ready } from './load-program.ts';

/** A declaration that later inputs can use. */
interface Declared {
  readonly name: string;
  readonly text: string;
}

/** The outcome of one input. */
export type Outcome =
  | { readonly state: 'done' }
  /** Nothing ran: the errors, as people read them. */
  | { readonly state: 'wrong'; readonly errors: readonly string[] }
  | { readonly state: 'failed'; readonly failure: ProgramFailure; readonly text: string };

export interface TypedProgramOptions {
  readonly tools: Iterable<string>;
  /** Imports are relative to it. */
  readonly folder: string;
  /** Runs what was compiled; `values` goes to the program as its arguments. */
  run(ready: Ready, values: Readonly<Record<string, unknown>>): Promise<ProgramResult>;
}

/** What errors call the input. */
const FILE = 'input';

/** A program that is typed in piece by piece: names, types and values carry over from one piece to the next. */
export class TypedProgram {
  readonly #options: TypedProgramOptions;
  #imports: string[] = [];
  #declared: Declared[] = [];
  /** By name, in the form in which the sandbox returns them. */
  #values: Readonly<Record<string, unknown>> = {};

  constructor(options: TypedProgramOptions) {
    this.#options = options;
  }

  /** Whether an input goes on: a bracket, a text or a comment is open, or its last line ends with a backslash. */
  static goesOn(input: string): boolean {
    const { problem } = scan(input, new LineMap(input));
    return /\\\s*$/u.test(input) || (problem !== undefined && problem.kind !== 'too_deep');
  }

  /** The names in scope, with their kinds. */
  get names(): readonly string[] {
    return this.#declared.map(({ name }) => name);
  }

  forget(): void {
    this.#imports = [];
    this.#declared = [];
    this.#values = {};
  }

  /** Check and run one input. A failed one leaves everything as it was. */
  async enter(typed: string): Promise<Outcome> {
    const input = typed.replace(/\\[ \t]*$/gmu, '');
    const { program, diagnostics } = parse(input, { file: FILE });
    if (diagnostics.length > 0) return wrong(diagnostics.map((each) => renderDiagnostic(each, input)));
    const imports = [...this.#imports, ...program.imports.map((each) => textOf(input, each.location))];
    const names = new Set(declaredIn(program, input).map(({ name }) => name));
    const kept = this.#declared.filter(({ name }) => !names.has(name));
    const before = [...imports, ...kept.map(({ text }) => text), ''].join('\n');
    const body = withoutImports(input, program);
    const checked = checkSource(`${before}${body}`, join(this.#options.folder, FILE), {
      read: readSource,
      tools: this.#options.tools,
      isTyped: true,
    });
    if (!checked.ok) return wrong(errorsOf(checked, { before, input, imports: imports.join('\n').length }));
    const compiled = compileProgram(checked, { kind: 'typed', from: kept.length });
    const old = Object.fromEntries(Object.entries(this.#values).filter(([name]) => !names.has(name)));
    const { failed, value } = await this.#options.run({ checked, compiled }, old);
    if (failed) return { state: 'failed', failure: failed, text: failedText(failed, checked, { before, input }) };
    this.#imports = imports;
    this.#declared = [...kept, ...declaredIn(program, input)];
    this.#values = isRecord(value) ? value : {};
    return { state: 'done' };
  }
}

/** @param imports how many characters of the text before the input are imports, which are known to be fine. */
function errorsOf(
  { main, modules }: Checked,
  { before, input, imports }: { readonly before: string; readonly input: string; readonly imports: number },
): string[] {
  return modules.flatMap((module) => {
    const errors = module.diagnostics.filter(({ severity }) => severity === 'error');
    return errors.map((each) => {
      const { offset } = each.location.start;
      if (module !== main) return renderDiagnostic(each, module.source);
      if (offset >= before.length) return renderDiagnostic(moved(each, before), input);
      const text = renderDiagnostic({ ...each, file: FILE }, module.source);
      return offset < imports ? text : `What was declared before does not fit any more:\n${text}`;
    });
  });
}

function wrong(errors: readonly string[]): Outcome {
  return { state: 'wrong', errors };
}

/** The same location, relative to the input alone. */
function moved(diagnostic: Diagnostic, before: string): Diagnostic {
  const lines = before.split('\n').length - 1;
  const back = ({ offset, line, column }: Position) => ({ offset: offset - before.length, line: line - lines, column });
  const { start, end } = diagnostic.location;
  return { ...diagnostic, file: FILE, location: { start: back(start), end: back(end) } };
}

function failedText(
  failure: ProgramFailure,
  checked: Checked,
  { before, input }: { readonly before: string; readonly input: string },
): string {
  const { at, name, message } = failure;
  const { main } = checked;
  if (!at) return `${FILE}: error ${name}: ${message}`;
  if (at.file !== main.file) return failureText(failure, { checked });
  const lines = before.split('\n').length - 1;
  const isNew = at.line > lines;
  const typed = { ...main, file: FILE, source: isNew ? input : main.source };
  const place = { ...at, file: FILE, line: isNew ? at.line - lines : at.line };
  return failureText({ ...failure, at: place }, { checked: { ...checked, main: typed, modules: [typed] } });
}

function declaredIn({ statements }: Program, input: string): Declared[] {
  return statements.flatMap((statement): Declared[] => {
    switch (statement.type) {
      case 'TypeDeclaration':
      case 'FunctionDeclaration':
      case 'ToolDeclaration':
      case 'LetDeclaration':
      case 'ParamDeclaration':
        return [{ name: statement.name.name, text: textOf(input, statement.location) }];
      default:
        return [];
    }
  });
}

function textOf(source: string, { start, end }: Location): string {
  return source.slice(start.offset, end.offset);
}

/** Replaces imports with spaces, so that locations stay the same. */
function withoutImports(input: string, { imports }: Program): string {
  return imports.reduce((text, { location: { start, end } }) => {
    const blank = text.slice(start.offset, end.offset).replace(/[^\n]/gu, ' ');
    return text.slice(0, start.offset) + blank + text.slice(end.offset);
  }, input);
}
