import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LAYERS } from '../scripts/layers.ts';
import { TABLES_OF_ROOMS } from './store/schema.ts';

const FLOORS = LAYERS.map((layer) => layer.map(({ name }) => name));

/** Packages that only some rooms may know. */
const GUARDED: readonly { readonly pattern: RegExp; readonly rooms: readonly string[] }[] = [
  {
    pattern: /^(?:langchain|@langchain)(?:\/|$)/u,
    rooms: ['models', 'rag', 'agent', 'builtin', 'conversation', 'langchain', 'plugins/schema'],
  },
  { pattern: /^isolated-vm$/u, rooms: ['sandbox'] },
  { pattern: /^hnswlib-node$/u, rooms: ['rag'] },
  // All others ask through Kysely, so that what they ask runs on both databases.
  { pattern: /^(?:node:sqlite|pg)$/u, rooms: ['store'] },
  { pattern: /^undici$/u, rooms: ['net'] },
  // The sandbox has the pipes of its children, a server its own door; neither dials.
  { pattern: /^node:(?:https?|http2|net|tls|dgram|dns)(?:\/|$)/u, rooms: ['net', 'sandbox', 'server'] },
];

const SRC = resolve(import.meta.dirname);
const PLUGINS = resolve(SRC, '../plugins');

interface Import {
  readonly from: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

function sources(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ts|js|cjs|mjs)$/u.test(path))
    .map((path) => join(dir, path));
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(
    /^\s*(?:import|export)\s+(type\s)?[^'"`;]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|^\s*import\s+['"]([^'"]+)['"]/gmu,
  );
  return [...found].map((match) => ({
    from: file,
    target: match[2] ?? match[3] ?? match[4] ?? '',
    typeOnly: match[1] !== undefined,
  }));
}

/** The room of a path under src/: its first folder, or the file's own name at the top. */
function roomOf(path: string): string {
  const [first = ''] = relative(SRC, path).split('/');
  return first.replace(/(?:\.test|\.int\.test)?\.ts$/u, '');
}

function floorOf(room: string): number {
  return FLOORS.findIndex((floor) => floor.includes(room));
}

const isTest = (file: string) => /\.(?:test|contract)\.ts$/u.test(file) || roomOf(file) === 'testing';
const code = sources(SRC).filter((file) => !isTest(file));

function complaint({ from, target, typeOnly }: Import): string | undefined {
  const here = roomOf(from);
  const guard = GUARDED.find(({ pattern }) => pattern.test(target));
  const inside = (room: string) => relative(SRC, from).startsWith(`${room}/`);
  if (guard && !guard.rooms.some((room) => room === here || inside(room)))
    return `${target} belongs to ${guard.rooms.join(', ')}`;
  if (!target.startsWith('.')) return undefined;
  const there = roomOf(resolve(dirname(from), target));
  if (there === here) return undefined;
  if (there === 'testing') return 'only tests may import testing/';
  if (here === 'settings')
    return typeOnly || floorOf(there) > floorOf('agent') ? undefined : 'settings/ imports option types only';
  if (there === 'settings') return ['main', 'app', 'embed'].includes(here) ? undefined : 'no room imports settings/';
  return floorOf(there) > floorOf(here) ? undefined : `${here} may not import ${there}`;
}

describe('the direction rule', () => {
  test('every room under src/ stands on a floor', () => {
    const rooms = new Set(code.map(roomOf));
    const homeless = [...rooms].filter((room) => floorOf(room) < 0 && room !== 'settings');
    expect(homeless).toEqual([]);
  });

  test('files import their own room and lower floors only', () => {
    const broken = code
      .flatMap(importsOf)
      .map((each) => ({ each, why: complaint(each) }))
      .filter(({ why }) => why !== undefined)
      .map(({ each, why }) => `${relative(SRC, each.from)} -> ${each.target}: ${why}`);
    expect(broken).toEqual([]);
  });

  test('plugins import #plugin, Node, packages and nothing of ours', () => {
    const ofOurs = /^\.\.|^#(?!plugin$)|^node:(?:https?|http2|net|tls|dgram|dns)/u;
    const broken = sources(PLUGINS)
      .filter((file) => !isTest(file))
      .flatMap(importsOf)
      .filter(({ target }) => ofOurs.test(target))
      .map(({ from, target }) => `${relative(PLUGINS, from)} -> ${target}`);
    expect(broken).toEqual([]);
  });

  test('only main.ts ends the process', () => {
    const enders = code.filter(
      (file) =>
        roomOf(file) !== 'main' && roomOf(file) !== 'sandbox' && /\bprocess\.exit\(/u.test(readFileSync(file, 'utf8')),
    );
    expect(enders.map((file) => relative(SRC, file))).toEqual([]);
  });
});

/** The module that owns each table; all others ask it. `store/` creates, copies and checks them all. */
const TABLE_OWNERS: ReadonlyMap<string, string> = new Map(
  Object.entries(TABLES_OF_ROOMS).flatMap(([room, tables]) => Object.keys(tables).map((table) => [table, room])),
);

describe('tables', () => {
  const tables = [...TABLE_OWNERS.keys()].join('|');
  /** SQL text, and Kysely's builder with its aliases and lists of tables. */
  const named = new RegExp(
    `\\b(?:FROM|INTO|UPDATE|JOIN)\\s+(${tables})\\b|\\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|using|\\w*[jJ]oin)\\(\\s*\\[?['"](${tables})\\b`,
    'gu',
  );

  test('are named by the module that owns them alone', () => {
    const broken = code
      .filter((file) => roomOf(file) !== 'store')
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(named)]
          .map((match) => match[1] ?? match[2] ?? '')
          .filter((table) => TABLE_OWNERS.get(table) !== roomOf(file))
          .map((table) => `${relative(SRC, file)} names ${table}, ask ${TABLE_OWNERS.get(table)}/`),
      );
    expect([...new Set(broken)]).toEqual([]);
  });
});

/** Where text comes in that no redactor has seen yet. */
const ENTRANCES = ['sandbox', 'models', 'notify/channels', 'plugins/mcp', 'tools/builtin', 'workspace'];

test('text is cut by base/text.ts alone, which splits no secret', () => {
  const cutting = /\.slice\((?:0, |-)[A-Z_]*CHARS\b/u;
  const broken = code.filter((file) => {
    const isEntrance = ENTRANCES.some((room) => relative(SRC, file).startsWith(`${room}/`));
    return isEntrance && cutting.test(readFileSync(file, 'utf8'));
  });
  expect(broken.map((file) => relative(SRC, file))).toEqual([]);
});
