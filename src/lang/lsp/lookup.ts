import type { Module } from '../check/check.ts';
import type { Use } from '../check/context.ts';
import { builtinMembers } from '../check/members.ts';
import { membersOf, showType, type Type } from '../check/types.ts';
import type { Location } from '../grammar/location.ts';

/** A place in some file of a program. */
export interface Found {
  readonly module: Module;
  readonly location: Location;
}

/** The name at an offset, used or declared. */
export function nameAt({ facts }: Module, offset: number): Use | undefined {
  return facts.uses.find(({ location: { start, end } }) => start.offset <= offset && offset <= end.offset);
}

/** Where the name at an offset is declared: behind an import, in the imported file. */
export function definitionAt(module: Module, offset: number): Found | undefined {
  const use = nameAt(module, offset);
  const declared = use?.declared ?? importedNameAt(module, offset);
  if (!declared) return undefined;
  const from = module.program.imports.find(({ names }) => names.includes(declared));
  const other = from && module.imports.get(from.path.value);
  const there = other?.facts.uses.find(
    ({ location, declared: name }) => name.name === declared.name && location === name.location,
  );
  return other && there ? { module: other, location: there.location } : { module, location: declared.location };
}

function importedNameAt({ program }: Module, offset: number) {
  return program.imports
    .flatMap(({ names }) => names)
    .find(({ location: { start, end } }) => start.offset <= offset && offset <= end.offset);
}

/** Every place of a file that means what stands at an offset, the declaration included. */
export function placesOf(module: Module, offset: number): readonly Location[] {
  const declared = nameAt(module, offset)?.declared ?? importedNameAt(module, offset);
  if (!declared) return [];
  const places = module.facts.uses.filter((use) => use.declared === declared).map(({ location }) => location);
  const all = places.some(({ start }) => start.offset === declared.location.start.offset)
    ? places
    : [declared.location, ...places];
  return all.toSorted((a, b) => a.start.offset - b.start.offset);
}

/** Whether the name at an offset belongs to another file as well: then it cannot be renamed in one alone. */
export function isShared(module: Module, offset: number): boolean {
  const declared = nameAt(module, offset)?.declared ?? importedNameAt(module, offset);
  return module.program.imports.some(({ names }) => declared !== undefined && names.includes(declared));
}

/** A name as its declaration would say it: `mood: Mood`, `fn f(a: int): string`. */
export function describe({ declared, type }: Use): string {
  if (type.kind === 'function') {
    const params = (type.params ?? []).map(({ name, type: of }) => `${name}: ${showType(of)}`).join(', ');
    return `${type.tool ? 'tool' : 'fn'} ${declared.name}(${params}): ${showType(type.result)}`;
  }
  if (type.kind === 'record' && type.name === declared.name) {
    const fields = [...type.fields()].map(([name, of]) => `\n  ${name}: ${showType(of)}`).join('');
    return `type ${declared.name} {${fields}\n}`;
  }
  return `${declared.name}: ${showType(type)}`;
}

/** The fields and methods of what stands before a dot, with their types. */
export function membersBefore(module: Module, text: string): ReadonlyMap<string, Type> {
  const path = /(?<![\w.])([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\.\w*$/u.exec(text)?.[1]?.split('.') ?? [];
  const [first = '', ...rest] = path;
  let type = module.facts.uses.findLast(({ declared }) => declared.name === first)?.type;
  for (const name of rest) type = type && membersOfType(type).get(name);
  return type ? membersOfType(type) : new Map();
}

function membersOfType(type: Type): ReadonlyMap<string, Type> {
  const found = new Map<string, Type>();
  for (const each of membersOf(type)) {
    if (each.kind === 'record') for (const [name, of] of each.fields()) found.set(name, of);
    for (const [name, of] of Object.entries(builtinMembers(each))) found.set(name, of);
  }
  return found;
}
