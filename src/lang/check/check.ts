import { dirname, relative, resolve } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import { nearest } from '../../base/text.ts';
import { type Diagnostic, Diagnostics, hasErrors } from '../diagnostics/diagnostic.ts';
import type { ImportDeclaration, Program } from '../grammar/ast.ts';
import { parse } from '../grammar/parse.ts';
import { CheckContext } from './context.ts';
import { ExpressionChecker } from './expressions.ts';
import { Scope } from './scope.ts';
import { StatementChecker } from './statements.ts';
import type { FunctionType, RecordType, Type } from './types.ts';

export interface CheckOptions {
  /** The text of a file. @throws AssistantError `file_not_found`. */
  readonly read: (path: string) => string;
  /** The assistant's tools, under the names that programs use for them. */
  readonly tools: Iterable<string>;
  /** The text is typed in piece by piece: `return` has nothing to end. */
  readonly isTyped?: boolean;
}

/** One file of a program. */
export interface Module {
  /** Absolute. */
  readonly path: string;
  /** The name that diagnostics show. */
  readonly file: string;
  readonly source: string;
  readonly program: Program;
  /** When there are syntax errors, only those. */
  readonly diagnostics: readonly Diagnostic[];
  /** The imported files, keyed by the path as written. */
  readonly imports: ReadonlyMap<string, Module>;
  readonly exports: Exports;
  /** What the check learnt about its names, for editors. */
  readonly facts: Pick<CheckContext, 'uses' | 'fieldUses' | 'typeNames'>;
}

/** What other files can import. */
interface Exports {
  readonly types: ReadonlyMap<string, RecordType>;
  readonly functions: ReadonlyMap<string, FunctionType>;
  /** What the file returns when it is run as a program; undefined: nothing. */
  readonly result: Type | undefined;
}

export interface Checked {
  readonly ok: boolean;
  readonly main: Module;
  /** Every file once, each after the files it imports: `main` comes last. */
  readonly modules: readonly Module[];
}

/**
 * Read and check a program and everything it imports. Every problem is a diagnostic of the file it is in.
 *
 * @throws AssistantError `file_not_found` when the file itself cannot be read.
 */
export function checkFile(file: string, options: CheckOptions): Checked {
  return new Checks(options).main(file, options.read(resolve(file)));
}

/** The same for a text; `file` is its name in diagnostics, and imports are relative to it. */
export function checkSource(source: string, file: string, options: CheckOptions): Checked {
  return new Checks(options).main(file, source);
}

class Checks {
  readonly #read: (path: string) => string;
  readonly #tools: ReadonlySet<string>;
  readonly #canReturn: boolean;
  readonly #modules = new Map<string, Module>();
  /** Files that are being read: importing one of them is a cycle. */
  readonly #open: string[] = [];

  constructor({ read, tools, isTyped = false }: CheckOptions) {
    this.#read = read;
    this.#canReturn = !isTyped;
    this.#tools = new Set(tools);
  }

  main(file: string, source: string): Checked {
    const main = this.#module(resolve(file), file, source);
    const modules = [...this.#modules.values()];
    return { ok: !modules.some(({ diagnostics }) => hasErrors(diagnostics)), main, modules };
  }

  #module(path: string, file: string, source: string): Module {
    const { program, diagnostics: errors } = parse(source, { file });
    const found = new Diagnostics(file);
    this.#open.push(path);
    const context = new CheckContext(found, this.#tools);
    const scope = new Scope();
    const imports = new Map<string, Module>();
    for (const each of program.imports) {
      const module = this.#imported(each, path, found);
      if (module) imports.set(each.path.value, module);
      this.#takeNames(each, module, { context, scope });
    }
    const exports = checkProgram(program, { context, scope, canReturn: this.#canReturn });
    this.#open.pop();
    const diagnostics = errors.length > 0 ? errors : found.sorted();
    const module: Module = { path, file, source, program, diagnostics, imports, exports, facts: context };
    this.#modules.set(path, module);
    return module;
  }

  #imported({ path: { value, location } }: ImportDeclaration, from: string, found: Diagnostics): Module | undefined {
    const path = resolve(dirname(from), value.endsWith('.tl') ? value : `${value}.tl`);
    const known = this.#modules.get(path);
    if (known) return known;
    const circle = this.#open.indexOf(path);
    if (circle >= 0) {
      const names = [...this.#open.slice(circle), path].map((each) => relative(dirname(from), each));
      const hint = 'move what both need into a third file';
      found.add('TL2008', location, `these files import each other: ${names.join(' -> ')}`, { hint });
      return undefined;
    }
    try {
      return this.#module(path, relative(process.cwd(), path), this.#read(path));
    } catch (error) {
      if (!(error instanceof AssistantError)) throw error;
      found.add('TL2006', location, `${relative(process.cwd(), path)} cannot be read`, { hint: 'check the path' });
      return undefined;
    }
  }

  /** Names imported from an unreadable file count as known, so that they are not reported one by one. */
  #takeNames(
    { names }: ImportDeclaration,
    module: Module | undefined,
    { context, scope }: { context: CheckContext; scope: Scope },
  ): void {
    for (const name of names) {
      const type = module?.exports.types.get(name.name);
      const fn: Type | undefined = module?.exports.functions.get(name.name);
      if (type) context.types.set(name.name, type);
      if (type) context.typeNames.set(name.name, name);
      else scope.declare(name, fn ? 'function' : 'parameter', fn ?? { kind: 'any' });
      if (!module) context.types.set(name.name, { kind: 'record', name: name.name, fields: () => new Map() });
      if (type || fn || !module) continue;
      const known = [...module.exports.types.keys(), ...module.exports.functions.keys()];
      const guess = nearest(name.name, known);
      const hint =
        guess === undefined ? `it has ${known.join(', ') || 'nothing to import'}` : `did you mean \`${guess}\`?`;
      const fix =
        guess === undefined ? undefined : { title: `Write \`${guess}\``, location: name.location, text: guess };
      context.report('TL2007', name.location, `${module.file} has no \`${name.name}\``, { hint, fix });
    }
  }
}

/** Check one file whose imports are known. @returns what others can import from it. */
function checkProgram(
  program: Program,
  { context, scope, canReturn }: { context: CheckContext; scope: Scope; canReturn: boolean },
): Exports {
  const types = declareTypes(program, context);
  const statements = new StatementChecker(new ExpressionChecker(context));
  const functions = new Map<string, FunctionType>();
  const result = statements.program(program, scope, canReturn);
  for (const node of program.statements) {
    if (node.type === 'FunctionDeclaration' || node.type === 'ToolDeclaration')
      functions.set(node.name.name, statements.functionType(node));
  }
  return { types, functions, result };
}

/** All types are declared before any of them is resolved, so that they may contain each other. */
function declareTypes({ statements }: Program, context: CheckContext): ReadonlyMap<string, RecordType> {
  const types = new Map<string, RecordType>();
  for (const node of statements) {
    if (node.type !== 'TypeDeclaration') continue;
    const { name, fields } = node;
    if (context.types.has(name.name)) {
      context.report('TL2004', name.location, `the type \`${name.name}\` is there already`);
      continue;
    }
    let resolved: ReadonlyMap<string, Type> | undefined;
    const lookUp = () => {
      resolved ??= new Map(fields.map((field) => [field.name.name, context.resolve(field.typeExpression)]));
      return resolved;
    };
    const declared = new Map(fields.map((field) => [field.name.name, field.name]));
    const type: RecordType = { kind: 'record', name: name.name, fields: lookUp, declared };
    context.types.set(name.name, type);
    context.typeNames.set(name.name, name);
    context.uses.push({ location: name.location, declared: name, type });
    types.set(name.name, type);
  }
  return types;
}
