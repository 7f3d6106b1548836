import { pattern } from '../../base/pattern.ts';
import { parseScript } from './parse.ts';

/** Statements and expressions that prose never happens to parse as; `Hello` alone is a valid expression. */
const DOING: ReadonlySet<unknown> = new Set([
  ...['CallExpression', 'AwaitExpression', 'VariableDeclaration', 'FunctionDeclaration', 'ClassDeclaration'],
  ...['ReturnStatement', 'ImportDeclaration', 'ForStatement', 'ForOfStatement', 'ForInStatement', 'WhileStatement'],
  ...['TryStatement', 'ThrowStatement', 'ArrowFunctionExpression', 'AssignmentExpression', 'ExportDefaultDeclaration'],
]);

/** How code begins and ends, for text that does not parse. */
const FIRST_LINE = pattern(
  'u',
  '^\\s*(?:(?:const|let|var)\\s+[\\w${[]',
  String.raw`|(?:async\s+)?function\b|await\s+[\w$.]+\s*\(|import\s.+\sfrom\s|for\s*(?:await\s*)?\(|if\s*\(|try\s*\{`,
  String.raw`|\/\/|\/\*|#!|[\w$.]+\((?:.*\);?)?\s*$|export\s+default\b)`,
);
const LAST_LINE = /[;{}()\]]\s*(?:\/\/.*)?$/u;

/**
 * Whether a text without a code fence is meant as a script: valid code that does something, or text that begins and
 * ends like code. Models often leave the fence out, and an answer in prose must never be run.
 */
export function looksLikeScript(text: string): boolean {
  const parsed = parseScript(text);
  if (parsed.ok) return parsed.program.body.some((statement) => doesSomething(statement));
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return FIRST_LINE.test(lines[0] ?? '') && (lines.length > 2 || LAST_LINE.test(lines.at(-1) ?? ''));
}

/** Whether any node does something; iterative, since a deep tree would exhaust the stack. */
function doesSomething(statement: object): boolean {
  const open: unknown[] = [statement];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    if (DOING.has((node as { readonly type?: unknown }).type)) return true;
    // A long list has more children than a call may have arguments.
    for (const part of Object.values(node)) open.push(part);
  }
  return false;
}
