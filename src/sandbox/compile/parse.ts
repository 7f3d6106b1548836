import { type Options, type Program, parse } from 'acorn';
import { messageOf } from '../../base/errors.ts';
import { stripTypes } from '../strip-types.ts';
import type { Position } from './edits.ts';

/** `source` is what was parsed: the text itself, or the text with its types blanked out. */
export type Parsed =
  | { readonly ok: true; readonly program: Program; readonly source: string }
  | { readonly ok: false; readonly message: string; readonly position?: Position };

const OPTIONS: Options = {
  ecmaVersion: 'latest',
  sourceType: 'script',
  allowAwaitOutsideFunction: true,
  allowReturnOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowHashBang: true,
  // eslint-scope compares places by `range`.
  ranges: true,
};

const WRAPPER = ['async function wooster(){', '\n}'] as const;

/**
 * Parse a script as JavaScript, and as TypeScript only where that fails, so that valid JavaScript such as `a < b > (c)`
 * is never read as type arguments. Types are replaced by spaces, so lines and columns stay what they were.
 */
export function parseScript(text: string): Parsed {
  const javaScript = tryParse(text);
  if (javaScript.ok || javaScript.position === undefined || isDeep(text)) return javaScript;
  const stripped = stripScript(text);
  if (stripped.text === undefined) return explain(javaScript, stripped.problem);
  const typeScript = tryParse(stripped.text);
  return typeScript.ok ? typeScript : javaScript;
}

const MAX_DEPTH = 200;
const MAX_OPERATORS_PER_LINE = 1000;

/**
 * Whether the text could exhaust the type stripper's stack. It gives up earlier than acorn does, and after that stays
 * broken for the rest of the process, so such a text must never reach it.
 */
function isDeep(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if ('([{<'.includes(character)) depth += 1;
    else if (')]}>\n'.includes(character)) depth = Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return true;
  }
  return text.split('\n').some((line) => (line.match(/[?:!~+\-*/%&|^=,]/gu)?.length ?? 0) > MAX_OPERATORS_PER_LINE);
}

function tryParse(source: string): Parsed {
  try {
    return { ok: true, program: parse(source, OPTIONS), source };
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): Parsed {
  if (error instanceof RangeError) return { ok: false, message: 'SyntaxError: the code is nested too deeply' };
  const message = `SyntaxError: ${messageOf(error).replace(/ \(\d+:\d+\)$/u, '')}`;
  const { loc } = error as { loc?: { line: number; column: number } };
  return loc ? { ok: false, message, position: { line: loc.line, column: loc.column + 1 } } : { ok: false, message };
}

/**
 * Strip the types with the script wrapped in a function, since the stripper allows `return` and `await` only there.
 * Imports are not allowed in a function; they are replaced by marks in the private-use area and put back afterwards.
 */
function stripScript(text: string): { readonly text?: string; readonly problem?: unknown } {
  const imports: string[] = [];
  const body = text
    .replace(/^#!.*/u, (line) => ' '.repeat(line.length))
    .replace(/^[ \t]*import\b[^'"`;]{0,1000}(?:'[^'\n]*'|"[^"\n]*")[ \t]*;?/gmu, (statement) => {
      imports.push(statement);
      return `\uE000${imports.length - 1}\uE000${statement.replace(/[^\n]/gu, ' ')}`;
    });
  const marks = /\uE000(\d+)\uE000/gu;
  try {
    const stripped = stripTypes(WRAPPER[0] + body.replace(marks, '') + WRAPPER[1]);
    const inner = stripped.slice(WRAPPER[0].length, stripped.length - WRAPPER[1].length);
    return { text: restore(inner, body, imports) };
  } catch (error) {
    return { problem: error };
  }
}

/** Put the imports back where they were; `import type` disappears. */
function restore(inner: string, marked: string, imports: readonly string[]): string {
  let text = inner;
  let shift = 0;
  for (const mark of marked.matchAll(/\uE000(\d+)\uE000/gu)) {
    const at = mark.index - shift;
    shift += mark[0].length;
    const statement = imports[Number(mark[1])] ?? '';
    const kept = /^\s*import\s+type\b/u.test(statement) ? statement.replace(/[^\n]/gu, ' ') : statement;
    text = text.slice(0, at) + kept + text.slice(at + statement.length);
  }
  return text;
}

/** Prefer the stripper's explanation where the script uses TypeScript that has code behind its types. */
function explain(javaScript: Parsed, problem: unknown): Parsed {
  const code = problem instanceof Error && 'code' in problem ? problem.code : '';
  if (javaScript.ok || code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') return javaScript;
  return { ...javaScript, message: `SyntaxError: ${messageOf(problem)}; only types that can be erased are allowed` };
}
