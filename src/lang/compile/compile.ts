import { sha256 } from '../../base/json.ts';
import type { Checked, Module } from '../check/check.ts';
import type {
  FunctionDeclaration,
  ImportDeclaration,
  Node,
  ParamDeclaration,
  Statement,
  TestBlock,
  ToolDeclaration,
} from '../grammar/ast.ts';
import { type AnyNode, childrenOf } from '../grammar/children.ts';
import { emit, local, type Scope } from './expressions.ts';
import { schemaOfResult } from './result-schema.ts';
import { type Mapping, type SourceMap, sourceMap } from './source-map.ts';
import { StatementWriter } from './statements.ts';
import { notesOf, type Shape, TypeTable } from './types.ts';

/**
 * Which part of a program to run: all but its tests, one test after all the rest, one of its tools, or the last input:
 * the statements after the first `from`, whose values are kept.
 */
export type Entry =
  | { readonly kind: 'main' }
  | { readonly kind: 'test'; readonly index: number }
  | { readonly kind: 'tool'; readonly name: string }
  | { readonly kind: 'typed'; readonly from: number };

/** A tool that a program declares. */
export interface DeclaredTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Record<string, unknown>;
  readonly positional: readonly string[];
  /** JSON Schema of the result; absent: nothing is known of it. */
  readonly output?: Record<string, unknown>;
}

export interface Compiled {
  /** JavaScript that expects `$` in scope, see `guest.ts`. */
  readonly code: string;
  readonly map: SourceMap;
  /** Source locations by the number that failures refer to. */
  readonly places: readonly Mapping[];
  readonly shapes: Readonly<Record<string, Shape>>;
  /** JSON Schema of the program's parameters. */
  readonly params: Record<string, unknown>;
  /** JSON Schema of what the program returns; absent: it returns nothing, or nothing is known of it. */
  readonly result?: Record<string, unknown>;
  readonly tools: readonly DeclaredTool[];
  readonly tests: readonly { readonly name: string; readonly replay?: string }[];
  /** Of all files of the program. */
  readonly hash: string;
}

/** The function that holds the test to be run. */
const TEST = '$test';

/** Turn a program without errors into JavaScript. */
export function compileProgram(checked: Checked, entry: Entry = { kind: 'main' }): Compiled {
  return new ProgramCompiler(checked, entry).compile();
}

class ProgramCompiler {
  readonly #loaded: Checked;
  readonly #entry: Entry;
  readonly #places: Mapping[] = [];
  readonly #lines: string[] = [];
  readonly #mappings: (Mapping | undefined)[] = [];
  readonly #shapes: Record<string, Shape> = {};
  readonly #tables = new Map<Module, TypeTable>();

  constructor(checked: Checked, entry: Entry) {
    this.#loaded = checked;
    this.#entry = entry;
  }

  compile(): Compiled {
    const { main, modules } = this.#loaded;
    for (const module of modules) this.#module(module);
    const { statements } = main.program;
    const sources = new Map(modules.map(({ file, source }) => [file, source]));
    const params = statements.filter((each) => each.type === 'ParamDeclaration');
    const tests = statements.filter((each) => each.type === 'TestBlock');
    const tools = statements.filter((each) => each.type === 'ToolDeclaration');
    const table = this.#tables.get(main) ?? new TypeTable();
    const result = main.exports.result && schemaOfResult(main.exports.result);
    return {
      code: this.#lines.join('\n'),
      map: sourceMap(this.#mappings, sources),
      places: this.#places,
      shapes: this.#shapes,
      params: paramSchema(params, table),
      ...(result ? { result } : {}),
      tools: tools.map((tool) => declared(tool, table)),
      tests: tests.map(testInfo),
      hash: sha256([...sources.values()].join('\0')),
    };
  }

  #module(module: Module): void {
    const { file, program } = module;
    const table = this.#types(module);
    const scope = this.#scope(module, table);
    const writer = new StatementWriter(scope, file);
    const isMain = module === this.#loaded.main;
    const index = this.#loaded.modules.indexOf(module);
    writer.line(isMain ? 'const $program = async () => {' : `const $m${index} = await (async () => {`);
    for (const { declaration, from } of importsOf(module)) {
      const names = declaration.names.map(({ name }) => name).filter((name) => scope.callables.has(name));
      const at = this.#loaded.modules.indexOf(from);
      writer.line(`const { ${names.map(local).join(', ')} } = $m${at};`, declaration);
    }
    for (const statement of program.statements) this.#declaration(statement, scope, writer);
    if (isMain) this.#body(program.statements, scope, writer);
    else {
      const names = program.statements.filter(isCallable).map(({ name }) => local(name.name));
      writer.line(`return { ${names.join(', ')} }; })();`);
    }
    if (isMain) writer.line('};');
    this.#lines.push(...writer.lines);
    this.#mappings.push(...writer.mappings);
  }

  #body(statements: readonly Statement[], scope: Scope, writer: StatementWriter): void {
    const entry = this.#entry;
    if (entry.kind === 'typed') {
      this.#typed(statements, entry.from, { scope, writer });
      return;
    }
    const needed = entry.kind === 'tool' ? neededBy(entry.name, statements) : undefined;
    if (entry.kind === 'test') this.#test(statements, entry.index, writer);
    for (const statement of statements) {
      if (statement.type === 'ParamDeclaration') this.#param(statement, scope, writer);
      else if (needed === undefined || needed.has(statement)) writer.statement(statement);
    }
    if (entry.kind === 'tool') writer.line(`return await $.callTool(${local(entry.name)}, $.args);`);
    if (entry.kind === 'test') writer.line(`return await ${TEST}();`);
  }

  /** The test comes first, as a function, so that it runs wherever the program ends. */
  #test(statements: readonly Statement[], index: number, writer: StatementWriter): void {
    const test = statements.filter((each): each is TestBlock => each.type === 'TestBlock')[index];
    writer.line(`const ${TEST} = async () => {`);
    if (test) writer.block(test.body);
    writer.line('};');
    writer.atEnd = TEST;
  }

  /** Names declared earlier keep their values; the value of an expression is shown. */
  #typed(
    statements: readonly Statement[],
    from: number,
    { scope, writer }: { scope: Scope; writer: StatementWriter },
  ): void {
    const kept: string[] = [];
    for (const [index, statement] of statements.entries()) {
      const isNew = index >= from;
      if (statement.type === 'LetDeclaration' || statement.type === 'ParamDeclaration') {
        const { name } = statement.name;
        kept.push(`${JSON.stringify(name)}: ${local(name)}`);
        const usual = statement.type === 'LetDeclaration' ? writer.letValue(statement) : usualValue(statement, scope);
        const key = JSON.stringify(name);
        const at = `$.at = ${scope.at(statement)};`;
        const before = `Object.hasOwn($.args, ${key}) ? $.thaw($.args[${key}]) : `;
        writer.line(`${at} let ${local(name)} = ${isNew ? '' : before}${usual};`, statement);
      } else if (isNew && statement.type === 'ExpressionStatement') {
        const at = `$.at = ${scope.at(statement)};`;
        writer.line(`${at} await $.echo(${emit(statement.expression, scope)});`, statement);
      } else if (isNew) writer.statement(statement);
    }
    writer.line(`return $.keep({ ${kept.join(', ')} });`);
  }

  #param(node: ParamDeclaration, scope: Scope, writer: StatementWriter): void {
    const { name } = node;
    const key = JSON.stringify(name.name);
    // The arguments of a tool are for its own parameters.
    const given = this.#entry.kind === 'tool' ? '' : `Object.hasOwn($.args, ${key}) ? $.args[${key}] : `;
    writer.line(`let ${local(name.name)} = ${given}${usualValue(node, scope)};`, node);
  }

  /** Functions and tools are emitted first, so that their order does not matter. */
  #declaration(node: Statement, scope: Scope, writer: StatementWriter): void {
    if (!isCallable(node)) return;
    const { name, params, body } = node;
    writer.line(
      `async function ${local(name.name)}(${params.map((each) => local(each.name.name)).join(', ')}) {`,
      node,
    );
    writer.block(body);
    writer.line('return null; }');
    const about = node.type === 'ToolDeclaration' ? declared(node, scope.types) : { name: name.name };
    const kind = node.type === 'ToolDeclaration' ? 'tool' : 'fn';
    writer.line(`$.describe(${local(name.name)}, ${JSON.stringify({ ...about, kind, count: params.length })});`, node);
  }

  #scope(module: Module, types: TypeTable): Scope {
    const { program, file } = module;
    const callables = new Map<string, 'fn' | 'tool'>();
    for (const statement of program.statements) {
      if (isCallable(statement))
        callables.set(statement.name.name, statement.type === 'ToolDeclaration' ? 'tool' : 'fn');
    }
    for (const { declaration, from } of importsOf(module)) {
      for (const { name } of declaration.names) {
        const statement = from.program.statements.find((each) => isCallable(each) && each.name.name === name);
        if (statement && isCallable(statement))
          callables.set(name, statement.type === 'ToolDeclaration' ? 'tool' : 'fn');
      }
    }
    return { types, callables, variables: variablesOf(program), at: (node) => this.#at(node, file) };
  }

  #at({ location: { start } }: Pick<Node, 'location'>, file: string): number {
    this.#places.push({ file, line: start.line, column: start.column });
    return this.#places.length - 1;
  }

  #types(module: Module): TypeTable {
    const table = new TypeTable();
    for (const { declaration, from } of importsOf(module)) {
      const theirs = this.#tables.get(from);
      // A type needs the types that it refers to.
      for (const each of from.program.statements) if (each.type === 'TypeDeclaration') table.add(each);
      for (const { name } of declaration.names) {
        const found = theirs?.get(name);
        if (found) table.add(found);
      }
    }
    for (const each of module.program.statements) if (each.type === 'TypeDeclaration') table.add(each);
    this.#tables.set(module, table);
    Object.assign(this.#shapes, table.shapes());
    return table;
  }
}

function usualValue({ default: usual }: ParamDeclaration, scope: Scope): string {
  return usual ? emit(usual, scope) : 'null';
}

function importsOf({ program, imports }: Module): { declaration: ImportDeclaration; from: Module }[] {
  return program.imports.flatMap((declaration) => {
    const from = imports.get(declaration.path.value);
    return from ? [{ declaration, from }] : [];
  });
}

function isCallable(statement: Statement): statement is FunctionDeclaration | ToolDeclaration {
  return statement.type === 'FunctionDeclaration' || statement.type === 'ToolDeclaration';
}

/** The top-level `let`s whose values a tool reads, directly or through what it calls. */
function neededBy(tool: string, statements: readonly Statement[]): ReadonlySet<Statement> {
  const found = new Set<Statement>();
  const waiting = [tool];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const statement = statements.find((each) => 'name' in each && isNamed(each, name));
    if (!statement || found.has(statement)) continue;
    found.add(statement);
    walk(statement, (node) => {
      if ('name' in node && typeof node.name === 'string') waiting.push(node.name);
    });
  }
  return new Set([...found].filter(({ type }) => type === 'LetDeclaration'));
}

function isNamed(statement: Statement, name: string): boolean {
  return (isCallable(statement) || statement.type === 'LetDeclaration') && statement.name.name === name;
}

/** Every name that a `let`, a `for`, a `catch` or a parameter declares. */
function variablesOf(program: AnyNode): Set<string> {
  const names = new Set<string>();
  walk(program, (node) => {
    const { name, variable } = node as AnyNode & { name?: { name?: string }; variable?: { name?: string } };
    const declared = ['LetDeclaration', 'ForStatement', 'FunctionParam', 'ParamDeclaration'].includes(node.type);
    if (declared && name?.name) names.add(name.name);
    if (node.type === 'CatchClause' && variable?.name) names.add(variable.name);
  });
  return names;
}

/** Not recursive: programs may be nested deeply. */
function walk(root: AnyNode, visit: (node: AnyNode) => void): void {
  const waiting = [root];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    visit(next);
    waiting.push(...childrenOf(next));
  }
}

function declared({ name, params, annotations, doc, returnType }: ToolDeclaration, types: TypeTable): DeclaredTool {
  const { description = `The tool ${name.name}.` } = notesOf(annotations, doc) as { description?: string };
  const fields = params.map((each) => ({
    name: each.name.name,
    type: each.typeExpression,
    notes: notesOf(each.annotations, undefined),
  }));
  const positional = fields.map((each) => each.name);
  const output = returnType && types.schemaOf(returnType);
  return {
    name: name.name,
    description,
    schema: types.schemaOfParams(fields),
    positional,
    ...(output ? { output } : {}),
  };
}

function paramSchema(params: readonly ParamDeclaration[], types: TypeTable): Record<string, unknown> {
  return types.schemaOfParams(
    params.map((each) => ({
      name: each.name.name,
      type: each.typeExpression,
      optional: each.default !== undefined,
      notes: each.doc === undefined ? {} : { description: each.doc },
    })),
  );
}

function testInfo({ name, mode }: TestBlock): { name: string; replay?: string } {
  return mode?.kind.name === 'replay' ? { name: name.value, replay: mode.path.value } : { name: name.value };
}
