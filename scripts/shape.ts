/**
 * The shape of the code, measured: import cycles (type imports count), sizes of files and functions, comments, long
 * lines. Prints one table and fails when a bar is missed; `npm run check` runs it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { type Node, parse } from 'acorn';
import { full } from 'acorn-walk';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDERS = ['src', 'plugins'];
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
const LONGEST_LINE = 120;

interface Source {
  /** Path in the checkout. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
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

function sources(): Source[] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/\.(?:test|contract|gen|d)\.ts$/u.test(path))
      .map((path) => join(folder, path)),
  )
    .filter((path) => !path.startsWith('src/testing/'))
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      return { path, text, lines: text.trimEnd().split('\n') };
    });
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

/** Length in lines of every function, with its place. Types are blanked out first, which keeps the lines. */
function functionsOf({ path, text }: Source): { place: string; lines: number }[] {
  const found: { place: string; lines: number }[] = [];
  const tree = parse(stripTypeScriptTypes(text), { ecmaVersion: 'latest', sourceType: 'module', locations: true });
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

const files = sources();
const graph = new Map(files.map((file) => [file.path, importsOf(file)]));
const cycles = cyclesIn(graph);
const sizes = files.map(({ path, lines }) => ({ place: path, lines: lines.length }));
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
    'lines of a file, p95',
    percentile(
      sizes.map(({ lines }) => lines),
      0.95,
    ),
    250,
  ),
  atMost('lines of a file, longest', Math.max(...sizes.map(({ lines }) => lines)), 300, largest(sizes, 300)),
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
console.log(`     ${files.length} files, ${all.length} lines, ${functions.length} functions`);
process.exitCode = bars.every(({ met }) => met) ? 0 : 1;
