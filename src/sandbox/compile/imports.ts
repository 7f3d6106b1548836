import type { ImportDeclaration, Program } from 'acorn';
import { nearest } from '../../base/text.ts';
import { type Edits, type Position, positionOf } from './edits.ts';

export type Imports =
  | { readonly ok: true; readonly names: readonly string[]; readonly bindings: string }
  | { readonly ok: false; readonly message: string; readonly position: Position };

/**
 * Replace the import statements of a script by declarations, since the script runs as a function. The statements are
 * blanked out; `bindings` is one line of `const name = take(module, export)` that has to come first, because imports
 * are hoisted. A module that is not registered is an error with a suggestion.
 */
export function hoistImports(
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
