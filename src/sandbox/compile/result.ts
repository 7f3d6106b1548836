import type { ExportDefaultDeclaration, ExpressionStatement, ModuleDeclaration, Program, Statement } from 'acorn';
import type { Edits } from './edits.ts';

type TopLevel = Statement | ModuleDeclaration;

/**
 * Make the script return its last value: a final expression is returned; a lone function, an arrow function or an
 * `export default` is called, because that is what its author expects.
 */
export function returnLastValue(program: Program, edits: Edits, source: string): void {
  for (const node of program.body) dropExport(node, edits);
  const statements = program.body.filter((node) => node.type !== 'EmptyStatement' && node.type !== 'ImportDeclaration');
  const last = statements.at(-1);
  if (!last) return;
  if (last.type === 'ExpressionStatement') returnExpression(last, edits, source);
  else if (last.type === 'ExportDefaultDeclaration') returnDefault(last, edits);
  else if (last.type === 'FunctionDeclaration') callMain(last, statements, edits);
}

function isFunction(node: { readonly type: string }): boolean {
  return node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression';
}

/** A final semicolon is kept outside the parentheses; without one, the next line must not join this one. */
function returnExpression({ expression, start, end }: ExpressionStatement, edits: Edits, source: string): void {
  const closed = source[end - 1] === ';';
  edits.wrap(start, closed ? end - 1 : end, [
    'return (',
    `${isFunction(expression) ? ')()' : ')'}${closed ? '' : ';'}`,
  ]);
}

/** Nothing imports a script, so `export` is dropped and what it exports stays. */
function dropExport(node: TopLevel, edits: Edits): void {
  if (node.type === 'ExportNamedDeclaration' && node.declaration) edits.blank(node.start, node.declaration.start);
  else if (node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') {
    edits.blank(node.start, node.end);
  }
}

function returnDefault(node: ExportDefaultDeclaration, edits: Edits): void {
  const { declaration } = node;
  edits.blank(node.start, declaration.start);
  const callable = declaration.type === 'FunctionDeclaration' || isFunction(declaration);
  edits.wrap(declaration.start, declaration.end, ['return (', callable ? ')();' : ');']);
}

/** The script only declares functions: call `main`, or the last one. */
function callMain(last: TopLevel, statements: readonly TopLevel[], edits: Edits): void {
  const names = statements.map((node) => (node.type === 'FunctionDeclaration' ? node.id.name : undefined));
  if (names.includes(undefined)) return;
  const main = names.includes('main') ? 'main' : names.at(-1);
  edits.insert(last.end, `;return ${main}();`);
}
