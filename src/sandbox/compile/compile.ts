import { Edits, type Position } from './edits.ts';
import { hoistImports } from './imports.ts';
import { parseScript } from './parse.ts';
import { returnLastValue } from './result.ts';
import { applyStyles } from './styles.ts';

/** What a script may call and import. */
export interface CompileWorld {
  /** Functions whose result is waited for, as globals. */
  readonly functions: ReadonlySet<string>;
  /** Keys of `tools`. */
  readonly tools: ReadonlySet<string>;
  readonly modules: readonly string[];
}

export type Compiled =
  | {
      readonly ok: true;
      /** An expression that gives `async (world) => …`, to be compiled with line offset -1. */
      readonly code: string;
      readonly imports: readonly string[];
      /** Leads a position of `code` (its first line not counted) back to the author's text. */
      original(position: Position): Position;
    }
  | { readonly ok: false; readonly message: string; readonly position?: Position };

/** Turn a model's text into a function that the isolate can run with the same answer in every calling style. */
export function compileScript(text: string, world: CompileWorld): Compiled {
  try {
    return compile(text, world);
  } catch (error) {
    // The passes are recursive, as the parser is.
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

/** A name that the text does not contain, so that nothing in it can mean our own. */
function freeName(source: string): string {
  for (let n = 0; ; n++) if (!source.includes(`$w${n}`)) return `$w${n}`;
}
