import type { ImportDeclaration, Program } from 'acorn';
import { nearest } from '../../base/text.ts';
import { Edits, type Position, positionOf } from './edits.ts';
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

type Imports =
  | { readonly ok: true; readonly names: readonly string[]; readonly bindings: string }
  | { readonly ok: false; readonly message: string; readonly position: Position };

/**
 * Replace the import statements of a script by declarations, since the script runs as a function. The statements are
 * blanked out; `bindings` is one line of `const name = take(module, export)` that has to come first, because imports
 * are hoisted. A module that is not registered is an error with a suggestion.
 */
function hoistImports(
  program: Program,
  edits: Edits,
  about: { readonly source: string; readonly known: readonly string[]; readonly take: string },
): Imports {
  const names = new Set<string>();
  let bindings = '';
  for (const node of program.body) {
    if (node.type !== 'ImportDeclaration') continue;
    const name = String(node.source.value);
    if (!about.known.includes(name)) return unknown(name, about.known, positionOf(about.source, node.start));
    names.add(name);
    bindings += declare(node, name, about.take);
    edits.blank(node.start, node.end);
  }
  return { ok: true, names: [...names], bindings };
}

function declare(node: ImportDeclaration, name: string, take: string): string {
  const one = (local: string, key: string) => `const ${local}=${take}(${JSON.stringify(name)},${JSON.stringify(key)});`;
  return node.specifiers
    .map((specifier) => {
      if (specifier.type === 'ImportNamespaceSpecifier') return one(specifier.local.name, '*');
      if (specifier.type === 'ImportDefaultSpecifier') return one(specifier.local.name, 'default');
      const { imported } = specifier;
      return one(specifier.local.name, imported.type === 'Identifier' ? imported.name : String(imported.value));
    })
    .join('');
}

function unknown(name: string, known: readonly string[], position: Position): Imports {
  const guess = nearest(name, known);
  const list = known.length === 0 ? 'there are no modules here' : `modules here: ${known.join(', ')}`;
  const hint = guess ? `; did you mean "${guess}"?` : '';
  return { ok: false, message: `module "${name}" is not available: ${list}${hint}`, position };
}
