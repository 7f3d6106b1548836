import { Edits } from './edits.ts';
import { hoistImports } from './imports.ts';
import { parseScript } from './parse.ts';
import { returnLastValue } from './result.ts';
import { applyStyles } from './styles.ts';
import type { Compiled, CompileWorld } from './types.ts';

/**
 * Turn the text that a model wrote into a function for the isolate, which gives the same answer in every calling style:
 * with `await`, without it, or with `.then`.
 *
 * The passes only record edits, and each looks at the tree of the author's text; `edits.apply()` puts them together.
 */
export function compileScript(text: string, world: CompileWorld): Compiled {
  try {
    return compile(text, world);
  } catch (error) {
    // The parser and the passes are recursive and run out of stack on absurdly nested code.
    if (error instanceof RangeError) return { ok: false, message: 'SyntaxError: the code is nested too deeply' };
    throw error;
  }
}

function compile(text: string, world: CompileWorld): Compiled {
  const parsed = parseScript(text);
  if (!parsed.ok) return parsed;
  const { program, source } = parsed;
  const edits = new Edits(source);
  const hidden = freeName(source);
  blankHashbang(source, edits);
  const about = { source, known: world.modules, take: `${hidden}.take` };
  const imports = hoistImports(program, edits, about);
  if (!imports.ok) return imports;
  returnLastValue(program, edits, source);
  applyStyles(program, edits, { world, hidden });
  const edited = edits.apply();
  return {
    ok: true,
    code: `(async(${hidden})=>{${imports.bindings}\n${edited.text}\n})`,
    imports: imports.names,
    original: (position) => edited.original(position),
  };
}

function blankHashbang(source: string, edits: Edits): void {
  const line = /^#!.*/u.exec(source)?.[0];
  if (line) edits.blank(0, line.length);
}

/** A name that does not occur in the text, so nothing in the script can refer to it by accident. */
function freeName(source: string): string {
  for (let n = 0; ; n++) if (!source.includes(`$w${n}`)) return `$w${n}`;
}
