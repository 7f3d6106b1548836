import type { ExportDefaultDeclaration, ModuleDeclaration, Node, Program, Statement } from 'acorn';
import type { Edits } from './edits.ts';
import { isFunctionNode } from './tree.ts';

type TopLevel = Statement | ModuleDeclaration;

/** Statements that leave no value. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['EmptyStatement', 'ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration'],
]);

/**
 * Make the script return its last value: a final expression is returned; a lone function, an arrow function or an
 * `export default` is called, because that is what its author expects.
 */
export function returnLastValue(program: Program, edits: Edits, source: string): void {
  for (const node of program.body) dropExport(node, edits);
  const statements = program.body
    .map((node) => (node.type === 'ExportNamedDeclaration' ? (node.declaration ?? node) : node))
    .filter(({ type }) => !LEFT_OUT.has(type));
  const last = statements.at(-1);
  if (!last) return;
  if (last.type === 'ExpressionStatement') returnValue(last.expression, last, edits, source);
  else if (last.type === 'ExportDefaultDeclaration') returnDefault(last, edits, source);
  else callMain(last, statements, edits);
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** A final semicolon is kept outside the parentheses; without one, the next line must not join this one. */
function returnValue(value: Node, { start, end }: Place, edits: Edits, source: string): void {
  const closed = source[end - 1] === ';';
  edits.wrap(start, closed ? end - 1 : end, ['return (', `${isFunctionNode(value) ? ')()' : ')'}${closed ? '' : ';'}`]);
}

/** Nothing imports a script, so `export` is dropped and what it exports stays. */
function dropExport(node: TopLevel, edits: Edits): void {
  if (node.type === 'ExportNamedDeclaration' && node.declaration) edits.blank(node.start, node.declaration.start);
  else if (node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') {
    edits.blank(node.start, node.end);
  }
}

/** The exported expression may be in parentheses, which do not belong to the node. */
function returnDefault(node: ExportDefaultDeclaration, edits: Edits, source: string): void {
  const start = source.indexOf('default', node.start) + 'default'.length;
  edits.blank(node.start, start);
  returnValue(node.declaration, { start, end: node.end }, edits, source);
}

/** If the script only declares functions, call `main` or the last one. */
function callMain(last: TopLevel, statements: readonly TopLevel[], edits: Edits): void {
  const names = statements.map((node) => (node.type === 'FunctionDeclaration' ? node.id.name : undefined));
  if (names.includes(undefined)) return;
  const main = names.includes('main') ? 'main' : names.at(-1);
  edits.insert(last.end, `;return ${main}();`);
}
