import type { Module } from '../check/check.ts';
import type { Use } from '../check/context.ts';
import { builtinMembers } from '../check/members.ts';
import { membersOf, showType, type Type } from '../check/types.ts';
import { notesOf } from '../compile/types.ts';
import type { Location } from '../grammar/location.ts';
import type { Overlay, ProgramFiles } from './files.ts';

/** A location in one of a program's files. */
export interface Found {
  readonly module: Module;
  readonly location: Location;
}

/** The name at an offset, whether used or declared there. */
export function nameAt({ facts }: Module, offset: number): Use | undefined {
  return facts.uses.find(({ location: { start, end } }) => start.offset <= offset && offset <= end.offset);
}

/** Where the name at an offset is declared; for an imported name, in the imported file. */
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

/** The field of a declared type that is used at an offset. */
export function fieldAt({ facts }: Module, offset: number): Use | undefined {
  return facts.fieldUses.find(({ location: { start, end } }) => start.offset <= offset && offset <= end.offset);
}

/** Where a field is declared, and what is said of it there. */
export function fieldDefinition(module: Module, { declared }: Use): (Found & { readonly doc?: string }) | undefined {
  for (const each of withImports(module)) {
    const types = each.program.statements.filter((node) => node.type === 'TypeDeclaration');
    const field = types.flatMap(({ fields }) => fields).find(({ name }) => name === declared);
    if (!field) continue;
    const { description = field.doc } = notesOf(field.annotations, field.doc) as { description?: string };
    return { module: each, location: declared.location, ...(description === undefined ? {} : { doc: description }) };
  }
  return undefined;
}

/** A file and all that it imports, each once. */
function withImports(module: Module): ReadonlySet<Module> {
  const found = new Set([module]);
  for (const each of found) for (const other of each.imports.values()) found.add(other);
  return found;
}

/** The tools that can stand at an offset, behind `with tools:`; undefined anywhere else. */
export function toolsFor(
  { facts, source }: Module,
  offset: number,
  tools: readonly string[],
): readonly string[] | undefined {
  const [, listed] = /\bwith\s+tools\s*:\s*((?:\w+\s*,\s*)*)\w*$/u.exec(source.slice(0, offset)) ?? [];
  if (listed === undefined) return undefined;
  const own = facts.uses
    .filter(({ type }) => type.kind === 'function' && type.tool)
    .map(({ declared }) => declared.name);
  const given = new Set(listed.split(',').map((name) => name.trim()));
  return [...new Set([...own, ...tools])].filter((name) => !given.has(name));
}

/** The name at an offset in an import. */
export function importedNameAt({ program }: Module, offset: number) {
  return program.imports
    .flatMap(({ names }) => names)
    .find(({ location: { start, end } }) => start.offset <= offset && offset <= end.offset);
}

/** Every reference to a declaration, itself included, by file. */
export function placesEverywhere(
  files: ProgramFiles,
  found: Found,
  overlay?: Overlay,
): ReadonlyMap<Module, readonly Location[]> {
  const places = new Map([[found.module, placesIn(found.module, found)]]);
  const name = textAt(found);
  if (!isExported(found)) return places;
  for (const module of files.mentioning(name, found.module, overlay)) {
    const there = module.path === found.module.path ? [] : placesIn(module, found);
    if (there.length > 0) places.set(module, there);
  }
  return places;
}

/** The references in one file. Outside the declaring file, the name in the import is one of them. */
function placesIn(module: Module, { module: home, location }: Found): readonly Location[] {
  const name = textAt({ module: home, location });
  const declared =
    module.path === home.path
      ? module.facts.uses.find((use) => use.declared.location.start.offset === location.start.offset)?.declared
      : module.program.imports
          .filter(({ path }) => module.imports.get(path.value)?.path === home.path)
          .flatMap(({ names }) => names)
          .find((each) => each.name === name);
  if (!declared) return [];
  const uses = module.facts.uses.filter((use) => use.declared === declared).map((use) => use.location);
  const distinct = new Map([declared.location, ...uses].map((each) => [each.start.offset, each]));
  return [...distinct.values()].toSorted((a, b) => a.start.offset - b.start.offset);
}

/** Whether other files can import it: a type, function or tool at the top of its file. */
function isExported({ module: { program }, location }: Found): boolean {
  return program.statements.some(
    (node) =>
      (node.type === 'TypeDeclaration' || node.type === 'FunctionDeclaration' || node.type === 'ToolDeclaration') &&
      node.name.location.start.offset === location.start.offset,
  );
}

function textAt({ module: { source }, location: { start, end } }: Found): string {
  return source.slice(start.offset, end.offset);
}

/** The doc comment of a declaration. */
export function docOf({ module, location }: Found): string | undefined {
  const node = module.program.statements.find(
    (each) => 'name' in each && each.name.location.start.offset === location.start.offset,
  );
  return node && 'doc' in node ? node.doc : undefined;
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
