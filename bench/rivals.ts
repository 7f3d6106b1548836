/**
 * Other sandboxes for model-written programs beside ours: speed, whether calls run at the same time, and what becomes of
 * the host in ten hostile programs. `npm run bench -- rivals [ROUNDS]`. Their packages (bench/package.json) are installed
 * into a cache when they are first needed; the product never has them.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Figure } from './harness/figure.ts';
import { report } from './harness/report.ts';
import { ROOT } from './harness/results.ts';
import { interleave } from './harness/statistics.ts';
import { EngineProcess, type Fate } from './rivals/engine-process.ts';

const ROUNDS = Number(process.argv[2] ?? 9);
const HERE = join(ROOT, 'bench/rivals');
const CACHE = join(ROOT, 'node_modules/.cache/wooster-rivals');
/** To come up; for a program to end, with limits of 1.5 s; until a host that does not answer stands still. */
const [READY_MS, END_MS, STILL_MS] = [30_000, 8000, 900];

/** isolated-vm asks for the flag. */
const ENGINES = { '@tanstack/ai-isolate-node': ['--no-node-snapshot'], '@utcp/code-mode': ['--no-node-snapshot'] };
const OTHERS = [...Object.keys(ENGINES), '@langchain/quickjs', 'quickjs-emscripten'];

const SPEED = {
  'a program that does nothing': '$return 1 + 1',
  'sort and JSON of 20,000 rows': `const rows = Array.from({ length: 20000 }, (_, i) => ({ id: (i * 7919) % 20011, name: 'row ' + i }));
rows.sort((a, b) => a.id - b.id);
$return JSON.stringify(JSON.parse(JSON.stringify(rows))).length`,
  '100 calls, one after the other':
    'let sum = 0;\nfor (let i = 0; i < 100; i++) sum += Number(await $call(now));\n$return sum',
  '20 calls of 5 ms at the same time':
    'const all = await Promise.all(Array.from({ length: 20 }, () => $call(wait)));\n$return all.length',
};

const HOSTILE = {
  'a loop': 'while (true) {}',
  'a loop after a call': 'await $call(now); while (true) {}',
  'an asynchronous spin': 'while (true) await null;',
  'a promise that never settles': 'await new Promise(() => {});',
  'a tool that never answers': 'await $call(hang);',
  'an array that grows': 'const all = []; while (true) all.push({ at: all.length });',
  'a string that doubles': "let text = 'x'; const all = []; while (true) { text += text; all.push(text.length); }",
  'a gigabyte of buffers':
    'const all = []; for (let i = 0; i < 32; i++) all.push(new Uint8Array(2 ** 26).fill(1)); $return all.length',
  'a regular expression': "$return /^(a+)+$/.test('a'.repeat(40) + 'b')",
  'recursion that is caught': 'const f = () => { try { f(); } finally { f(); } }; f();',
};

installRivals();
report([...(await speed()), ...(await hostile())]);
process.exit();

/** Into a folder below our packages, which these then find as well: LangChain is one for both. */
function installRivals(): void {
  const stamp = join(CACHE, 'package-lock.json');
  const lock = join(ROOT, 'bench/package-lock.json');
  const isThere = existsSync(join(CACHE, 'node_modules')) && existsSync(stamp);
  mkdirSync(CACHE, { recursive: true });
  if (!isThere || !readFileSync(stamp).equals(readFileSync(lock))) {
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(ROOT, 'bench', name), join(CACHE, name));
    const words = ['ci', '--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', words, { cwd: CACHE, stdio: ['ignore', 2, 2] });
  }
  cpSync(join(HERE, 'engines.mjs'), join(CACHE, 'engines.mjs'));
}

async function start(name: string): Promise<EngineProcess> {
  const flags: readonly string[] = ENGINES[name as keyof typeof ENGINES] ?? [];
  const module = name === 'ours' ? join(HERE, 'our-engine.ts') : join(CACHE, 'engines.mjs');
  const engine = new EngineProcess([...flags, join(HERE, 'engine-program.mjs'), module, name]);
  if (!(await engine.ready(READY_MS))) throw new Error(`${name} does not start`);
  return engine;
}

async function speed(): Promise<Figure[]> {
  const engines = new Map<string, EngineProcess>();
  for (const name of ['ours', ...OTHERS]) engines.set(name, await start(name));
  const figures: Figure[] = [];
  for (const [what, source] of Object.entries(SPEED)) {
    const ways = Object.fromEntries([...engines].map(([name, engine]) => [name, () => once(engine, name, source)]));
    const samples = await interleave(ways, { rounds: ROUNDS });
    for (const name of engines.keys()) {
      const reference = name === 'ours' ? {} : { against: `ours: ${what}` };
      figures.push({ what: `${name}: ${what}`, unit: 'ms', samples: samples[name] ?? [], ...reference });
    }
  }
  for (const engine of engines.values()) engine.end();
  return figures;
}

async function once(engine: EngineProcess, name: string, source: string): Promise<number> {
  const started = performance.now();
  const said = await engine.run(source, END_MS);
  const ms = performance.now() - started;
  if (said?.value === undefined) throw new Error(`${name}: ${said?.error ?? 'no answer'}`);
  // Time between programs, as a model's thinking gives it.
  await new Promise((done) => setTimeout(done, 200));
  return ms;
}

async function hostile(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const name of ['ours', ...OTHERS]) {
    const fates = new Map<string, Fate>();
    for (const [what, source] of Object.entries(HOSTILE)) {
      const engine = await start(name);
      fates.set(what, await engine.suffer(source, { endMs: END_MS, stillMs: STILL_MS }));
      engine.end();
    }
    const stands = [...fates.values()].filter((fate) => fate === 'stands').length;
    const others = [...fates].filter(([, fate]) => fate !== 'stands').map(([what, fate]) => `${what}: ${fate}`);
    const target = name === 'ours' ? { must: fates.size } : {};
    figures.push({
      ...{ what: `${name}: hostile programs that its host survives, of ${fates.size}`, unit: 'programs' },
      ...{ better: 'more', samples: [stands], note: others.join(', '), ...target },
    });
  }
  return figures;
}
