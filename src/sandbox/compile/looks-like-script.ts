import { isRecord } from '../../base/json.ts';
import { parseScript } from './parse.ts';

/** Statements that prose never happens to be. */
const DOING = new Set([
  ...['CallExpression', 'AwaitExpression', 'VariableDeclaration', 'FunctionDeclaration', 'ClassDeclaration'],
  ...['ReturnStatement', 'ImportDeclaration', 'ForStatement', 'ForOfStatement', 'ForInStatement', 'WhileStatement'],
  ...['TryStatement', 'ThrowStatement', 'ArrowFunctionExpression', 'AssignmentExpression', 'ExportDefaultDeclaration'],
]);

const FIRST_LINE =
  /^\s*(?:(?:const|let|var)\s+[\w${[]|(?:async\s+)?function\b|await\s+[\w$.]+\s*\(|import\s.+\sfrom\s|for\s*(?:await\s*)?\(|if\s*\(|try\s*\{|\/\/|\/\*|#!|[\w$.]+\((?:.*\);?)?\s*$|export\s+default\b)/u;
const LAST_LINE = /[;{}()\]]\s*(?:\/\/.*)?$/u;

/** Is this bare text meant as a script? Valid code that does something is; so is what begins and ends like code. */
export function looksLikeScript(text: string): boolean {
  const parsed = parseScript(text);
  if (parsed.ok) return parsed.program.body.some((statement) => doesSomething(statement));
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return FIRST_LINE.test(lines[0] ?? '') && (lines.length > 2 || LAST_LINE.test(lines.at(-1) ?? ''));
}

function doesSomething(statement: object): boolean {
  const open: unknown[] = [statement];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (Array.isArray(node)) open.push(...(node as unknown[]).filter((each) => each !== null && each !== undefined));
    if (!isRecord(node)) continue;
    if (typeof node.type === 'string' && DOING.has(node.type)) return true;
    open.push(...Object.values(node).filter((value) => typeof value === 'object' && value !== null));
  }
  return false;
}
