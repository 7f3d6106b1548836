import { readLoose } from '../../base/loose-json.ts';
import type { WrittenCall } from './call-shapes.ts';

/** What may stand around a call on its line: `print(…)`, `await`, an assignment, a comma of a list. */
const BEFORE =
  /^\s*(?:[[,]\s*)*(?:(?:const|let|var)\s+)?(?:[\w$]+\s*=\s*)?(?:await\s+)?(?:return\s+)?(?:print\(\s*)?(?:await\s+)?/u;
const NAME = /^((?:tools|functions|default_api)\.)?([A-Za-z_$][\w$.-]*)\s*\(/u;
/** The end of its line, or the next call: `[query_rag("boat"), write_note("milk")]`. */
const AFTER = /^[\s)\];,]*(?:(?:\/\/|#)[^\n]*)?(?:\n|$)|^[\s)]*[;,][ \t]*(?=[\w$])/u;
const GAP = /[\s,]*/uy;
const KEYWORD = /\s*([A-Za-z_]\w*)\s*=(?!=)/uy;

/**
 * Calls that are written like calls of functions, one after the other and nothing else:
 * `query_rag(query="boat")`, `[write_note({"text": "milk"})]`, `await fetchText('x.org')`.
 *
 * @returns undefined unless the whole text is such calls of known tools with literal arguments.
 */
export function callsInFunctions(text: string, isTool: (name: string) => boolean): WrittenCall[] | undefined {
  const calls: WrittenCall[] = [];
  let rest = text;
  while (rest !== '') {
    const start = rest.replace(BEFORE, '');
    const name = NAME.exec(start);
    if (!name?.[2] || !isTool(name[2])) return undefined;
    const read = readArguments(start, name[0].length);
    const after = read && AFTER.exec(start.slice(read.end));
    if (!read || !after) return undefined;
    calls.push({ name: name[2], input: read.input, certain: true });
    rest = start.slice(read.end + after[0].length).trim();
  }
  return calls.length > 0 ? calls : undefined;
}

/** The arguments up to the closing bracket: by name, or in order. */
function readArguments(text: string, start: number): { readonly input: unknown; readonly end: number } | undefined {
  const named: Record<string, unknown> = {};
  const inOrder: unknown[] = [];
  let at = start;
  for (;;) {
    GAP.lastIndex = at;
    GAP.exec(text);
    at = GAP.lastIndex;
    if (text[at] === ')') break;
    KEYWORD.lastIndex = at;
    const keyword = KEYWORD.exec(text);
    const value = readLoose(text, keyword ? at + keyword[0].length : at);
    if (!value) return undefined;
    if (keyword?.[1]) named[keyword[1]] = value.value;
    else inOrder.push(value.value);
    at = value.end;
  }
  if (Object.keys(named).length > 0) return inOrder.length === 0 ? { input: named, end: at + 1 } : undefined;
  return { input: inOrder.length === 1 ? inOrder[0] : inOrder.length === 0 ? {} : inOrder, end: at + 1 };
}
