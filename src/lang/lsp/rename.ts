import type { Module } from '../check/check.ts';
import { type AnyNode, childrenOf } from '../grammar/children.ts';
import type { Location } from '../grammar/location.ts';
import { RESERVED } from '../grammar/unexpected.ts';
import type { Overlay, ProgramFiles } from './files.ts';
import { definitionAt, type Found, placesEverywhere } from './lookup.ts';

/** A replacement of one piece of text. */
export interface Edit {
  readonly location: Location;
  readonly text: string;
}

export type Renaming =
  | { readonly ok: true; readonly edits: ReadonlyMap<Module, readonly Edit[]> }
  | { readonly ok: false; readonly why: string };

/**
 * The edits that rename something in every file that uses it. The changed programs are checked before
 * any edit is offered: a name that already means something else somewhere is refused.
 */
export function renaming(files: ProgramFiles, found: Found, name: string): Renaming {
  if (RESERVED.has(name)) return { ok: false, why: `${name} is a reserved word.` };
  if (!/^[A-Za-z_]\w*$/u.test(name)) return { ok: false, why: 'A name has letters, digits and _, and no digit first.' };
  const places = placesEverywhere(files, found);
  const edits = new Map([...places].map(([module, locations]) => [module, editsOf(module, locations, name)]));
  const why = clash(files, { found, edits, name });
  return why === undefined ? { ok: true, edits } : { ok: false, why };
}

/** In the shorthand `{ city }` the name is also that of the field, which keeps it. */
function editsOf(module: Module, places: readonly Location[], name: string): readonly Edit[] {
  const short = shorthands(module);
  return places.map((location) => {
    const old = module.source.slice(location.start.offset, location.end.offset);
    return { location, text: short.has(location.start.offset) ? `${old}: ${name}` : name };
  });
}

function shorthands({ program }: Module): ReadonlySet<number> {
  const found = new Set<number>();
  const waiting: AnyNode[] = [program];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if ('shorthand' in node && node.shorthand === true) found.add(node.location.start.offset);
    waiting.push(...childrenOf(node));
  }
  return found;
}

/** Why the new name is refused: it adds errors, or a reference would mean something else. */
function clash(
  files: ProgramFiles,
  { found, edits, name }: { found: Found; edits: ReadonlyMap<Module, readonly Edit[]>; name: string },
): string | undefined {
  const overlay: Overlay = new Map([...edits].map(([module, list]) => [module.path, changed(module.source, list)]));
  const before = [...edits.values()].flat().length;
  for (const [module] of edits) {
    const after = errorsOf(files.check(module.path, overlay.get(module.path) ?? '', overlay));
    const known = errorsOf(module);
    const news = after.find(({ message }) => !known.some((each) => each.message === message));
    if (after.length > known.length) return `${name} cannot be used: ${(news ?? after[0])?.message}.`;
  }
  const { path } = found.module;
  const moved = files.check(path, overlay.get(path) ?? '', overlay);
  const shift = (edits.get(found.module) ?? [])
    .filter(({ location }) => location.start.offset < found.location.start.offset)
    .reduce((sum, { location, text }) => sum + text.length - (location.end.offset - location.start.offset), 0);
  const again = definitionAt(moved, found.location.start.offset + shift);
  const after = again ? [...placesEverywhere(files, again, overlay).values()].flat().length : 0;
  return after === before ? undefined : `${name} means something else where it would be used.`;
}

function errorsOf({ diagnostics }: Module) {
  return diagnostics.filter(({ severity }) => severity === 'error');
}

function changed(source: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.location.start.offset - a.location.start.offset)
    .reduce((text, { location: { start, end }, text: put }) => {
      return text.slice(0, start.offset) + put + text.slice(end.offset);
    }, source);
}
