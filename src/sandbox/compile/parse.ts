import { type Options, type Program, parse } from 'acorn';
import { messageOf } from '../../base/errors.ts';
import { stripTypes } from '../strip-types.ts';
import { blank, type Position } from './edits.ts';
import { unclosedIn } from './unclosed.ts';

/** `source` is what was parsed: the text itself, or the text with its types blanked out. */
export type Parsed =
  | { readonly ok: true; readonly program: Program; readonly source: string }
  | { readonly ok: false; readonly message: string; readonly position: Position };

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

/** All that the parser says of most slips. */
const UNEXPECTED = 'SyntaxError: Unexpected token';

const WRAPPER = ['async function wooster(){', '\n}'] as const;

/**
 * Parse a script as JavaScript, and as TypeScript only where that fails, so that valid JavaScript such as `a < b > (c)`
 * is never read as type arguments. Types are replaced by spaces, so lines and columns stay what they were.
 */
export function parseScript(text: string): Parsed {
  const javaScript = tryParse(text);
  if (javaScript.ok || isDeep(text)) return javaScript;
  const stripped = stripScript(text);
  if (stripped.text === undefined) return atBracket(text, explain(javaScript, stripped.problem));
  return tryParse(stripped.text);
}

/** An error that says no more than that something was not expected points at the bracket that is open. */
function atBracket(text: string, parsed: Parsed): Parsed {
  if (parsed.ok || parsed.message !== UNEXPECTED) return parsed;
  const unclosed = unclosedIn(text, OPTIONS);
  if (unclosed === undefined) return parsed;
  const { bracket, ...position } = unclosed;
  return { ok: false, message: `SyntaxError: the ${bracket} here is not closed`, position };
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

/** The parser also puts the position in its message, and counts columns from 0. */
function failure(error: unknown): Parsed {
  const { message, loc } = error as SyntaxError & { readonly loc: Position };
  const position = { line: loc.line, column: loc.column + 1 };
  return { ok: false, message: `SyntaxError: ${message.replace(/ \(\d+:\d+\)$/u, '')}`, position };
}

const IMPORT = /^[ \t]*import\b[^'"`;]{0,1000}(?:'[^'\n]*'|"[^"\n]*")[ \t]*;?/gmu;
const IMPORT_OF_TYPES = /^\s*import\s+type\b/u;

/**
 * Strip the types with the script wrapped in a function, since the stripper allows `return` and `await` only there.
 * Imports are not allowed in a function; they are blanked out and put back afterwards, unless they are of types.
 */
function stripScript(text: string): { readonly text?: string; readonly problem?: unknown } {
  const imports: { readonly at: number; readonly statement: string }[] = [];
  const body = text.replace(/^#!.*/u, blank).replace(IMPORT, (statement: string, at: number) => {
    imports.push({ at, statement });
    return blank(statement);
  });
  try {
    const stripped = stripTypes(WRAPPER[0] + body + WRAPPER[1]);
    let inner = stripped.slice(WRAPPER[0].length, -WRAPPER[1].length);
    for (const { at, statement } of imports)
      if (!IMPORT_OF_TYPES.test(statement)) inner = inner.slice(0, at) + statement + inner.slice(at + statement.length);
    return { text: inner };
  } catch (error) {
    return { problem: error };
  }
}

/** Prefer the stripper's explanation if the script uses TypeScript that generates code. */
function explain(javaScript: Parsed, problem: unknown): Parsed {
  const { code } = problem as NodeJS.ErrnoException;
  if (javaScript.ok || code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') return javaScript;
  return { ...javaScript, message: `SyntaxError: ${messageOf(problem)}; only types that can be erased are allowed` };
}
