/**
 * The shape of the code, measured: import cycles (type imports count), sizes of functions, comments, long lines. Prints
 * one table and fails when a bar is missed; `npm run check` runs it. What follows the table is for people to judge: a
 * file may be long if it is one thing, so the longest are shown with what they export and who imports them.
 *
 * A list of data is not counted as code: a file is one when it ends `.data.ts`, or when array and object literals at its
 * top level, functions in them aside, are at least nine tenths of its lines.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { type Node, type Program, parse } from 'acorn';
import { full } from 'acorn-walk';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDERS = ['src', 'plugins'];
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
const LONGEST_LINE = 120;
/** Of a file that counts as data. */
const DATA_PART = 0.9;
/** Files with one importer and fewer lines than this are often better a part of it. */
const SMALL = 60;
const SHOWN = 10;

interface Source {
  /** Path in the checkout. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  /** Types are blanked out first, which keeps the lines. */
  readonly tree: Program;
}

interface Bar {
  readonly name: string;
  readonly value: number;
  /** The bar as people read it: `<= 250`. */
  readonly bar: string;
  readonly met: boolean;
  /** The places that miss it, worst first. */
  readonly places: readonly string[];
}

const typescript = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.(?:gen|d|data)\.ts$/u.test(path))
    .map((path) => join(folder, path)),
);
const isTest = (path: string) => path.startsWith('src/testing/') || /\.(?:test|contract)\.ts$/u.test(path);

function sourceOf(path: string): Source {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const tree = parse(stripTypeScriptTypes(text), { ecmaVersion: 'latest', sourceType: 'module', locations: true });
  return { path, text, lines: linesOf(text), tree };
}

function linesOf(text: string): string[] {
  return text.trimEnd().split('\n');
}

/** Lines of the array and object literals at the top level of a file that hold no function. */
function dataLines(tree: Program): number {
  const declared = tree.body.flatMap((node) => {
    const statement = node.type === 'ExportNamedDeclaration' && node.declaration ? node.declaration : node;
    return statement.type === 'VariableDeclaration' ? statement.declarations : [];
  });
  return declared
    .flatMap(({ init, loc }) => (init && loc && isLiteral(init) ? [loc.end.line - loc.start.line + 1] : []))
    .reduce((sum, lines) => sum + lines, 0);
}

function isLiteral(node: Node): boolean {
  if (node.type !== 'ArrayExpression' && node.type !== 'ObjectExpression') return false;
  let hasFunction = false;
  full(node, ({ type }) => {
    hasFunction ||= FUNCTIONS.includes(type);
  });
  return !hasFunction;
}

/** Relative imports and re-exports, of types as well, dynamic ones left out: those may point back. */
function importsOf({ path, text }: Source): string[] {
  const found = text.matchAll(/^\s*(?:import|export)\s[^'"`;]*?from\s+'(\.[^']+)'|^\s*import\s+'(\.[^']+)'/gmu);
  return [...found].map((match) => relative(ROOT, resolve(ROOT, dirname(path), match[1] ?? match[2] ?? '')));
}

/**
 * Groups of files that import each other, directly or through others.
 *
 * @see Tarjan 1972, "Depth-first search and linear graph algorithms"
 */
function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): number => {
    order.set(file, order.size);
    low.set(file, order.get(file) ?? 0);
    stack.push(file);
    for (const next of graph.get(file) ?? []) {
      const reached = order.has(next) ? (stack.includes(next) ? order.get(next) : undefined) : visit(next);
      if (reached !== undefined) low.set(file, Math.min(low.get(file) ?? 0, reached));
    }
    if (low.get(file) === order.get(file)) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1 || graph.get(file)?.includes(file)) cycles.push(group);
    }
    return low.get(file) ?? 0;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

/** Length in lines of every function, with its place. */
function functionsOf({ path, tree }: Source): { place: string; lines: number }[] {
  const found: { place: string; lines: number }[] = [];
  full(tree, (node: Node) => {
    if (!FUNCTIONS.includes(node.type) || !node.loc) return;
    const { start, end } = node.loc;
    found.push({ place: `${path}:${start.line}`, lines: end.line - start.line + 1 });
  });
  return found;
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

function atMost(name: string, value: number, limit: number, places: readonly string[] = []): Bar {
  return { name, value, bar: `<= ${limit}`, met: value <= limit, places };
}

const everything = typescript.filter((path) => !isTest(path)).map(sourceOf);
const isData = ({ tree, lines }: Source) => dataLines(tree) >= DATA_PART * lines.length;
const files = everything.filter((file) => !isData(file));
const testLines = typescript
  .filter((path) => /\.(?:test|contract)\.ts$/u.test(path))
  .reduce((sum, path) => sum + linesOf(readFileSync(join(ROOT, path), 'utf8')).length, 0);
const graph = new Map(everything.map((file) => [file.path, importsOf(file)]));
const cycles = cyclesIn(graph);
const functions = files.flatMap(functionsOf);
const longLines = files.flatMap(({ path, lines }) =>
  lines.flatMap((line, index) => (line.length > LONGEST_LINE ? [`${path}:${index + 1}`] : [])),
);
const all = files.flatMap(({ lines }) => lines);
const comments = all.filter((line) => /^\s*(?:\/\/|\/\*|\*)/u.test(line)).length / all.length;

const largest = (items: readonly { place: string; lines: number }[], above: number) =>
  items
    .filter(({ lines }) => lines > above)
    .toSorted((a, b) => b.lines - a.lines)
    .map(({ place, lines }) => `${place} (${lines})`);

const bars: Bar[] = [
  atMost(
    'import cycles, types included',
    cycles.length,
    0,
    cycles.map((cycle) => cycle.join(' <-> ')),
  ),
  atMost(
    'lines of a function, p90',
    percentile(
      functions.map(({ lines }) => lines),
      0.9,
    ),
    15,
  ),
  atMost('lines of a function, longest', Math.max(...functions.map(({ lines }) => lines)), 60, largest(functions, 60)),
  atMost(`lines over ${LONGEST_LINE} columns`, longLines.length, 0, longLines),
  {
    name: 'comment lines, %',
    value: Math.round(comments * 1000) / 10,
    bar: '10-20',
    met: comments >= 0.1 && comments <= 0.2,
    places: [],
  },
];

for (const { name, value, bar, met, places } of bars) {
  console.log(`${met ? 'ok  ' : 'MISS'} ${name.padEnd(32)} ${String(value).padStart(6)}  ${bar}`);
  for (const place of met ? [] : places.slice(0, 20)) console.log(`       ${place}`);
}

/** Files by which each one is imported, late imports included. */
const importers = new Map<string, string[]>();
for (const { path, text } of everything) {
  const late = [...text.matchAll(/import\('(\.[^']+)'\)/gu)].map(([, to = '']) =>
    relative(ROOT, resolve(ROOT, dirname(path), to)),
  );
  for (const to of new Set([...(graph.get(path) ?? []), ...late]))
    importers.set(to, [...(importers.get(to) ?? []), path]);
}
const importersOf = ({ path }: Source) => importers.get(path)?.length ?? 0;
const single = files.filter((file) => importersOf(file) === 1 && file.lines.length < SMALL);
const exportsOf = ({ text }: Source) => text.match(/^export /gmu)?.length ?? 0;

console.log(`     ${files.length} files, ${all.length} lines, ${functions.length} functions`);
console.log(`     ${everything.length - files.length} files of data`);
console.log(`     ${single.length} files under ${SMALL} lines with one importer`);
console.log(`     ${(testLines / all.length).toFixed(2)} lines of tests for each line of source (${testLines})`);
console.log('     longest files: exports, importers');
for (const file of files.toSorted((a, b) => b.lines.length - a.lines.length).slice(0, SHOWN))
  console.log(`       ${file.path} (${file.lines.length}): ${exportsOf(file)}, ${importersOf(file)}`);
process.exitCode = bars.every(({ met }) => met) ? 0 : 1;
