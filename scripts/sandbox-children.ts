/**
 * Many children of the sandbox started from Node's own snapshot, several at a time, each with a conversation of scripts:
 * `node scripts/sandbox-children.ts [CHILDREN] [AT ONCE]`. Exits with 1 when one of them did not come up, gave a wrong
 * result or died by itself. Run it on a busy machine, and again after an update of Node or isolated-vm.
 */

import { loadChildFiles } from '../src/sandbox/child-files.ts';
import { compileScript } from '../src/sandbox/compile/compile.ts';
import { DEFAULT_LIMITS, type ScriptOptions } from '../src/sandbox/contract.ts';
import { ScriptRun } from '../src/sandbox/script-run.ts';
import { Worker } from '../src/sandbox/worker.ts';

const [children = 1000, atOnce = 8] = process.argv.slice(2).map(Number);
const files = loadChildFiles();
const options: ScriptOptions = {
  functions: [{ name: 'add', kind: 'value', tool: true }],
  bridge: { call: async (_name, [a, b]) => ({ ok: true, value: Number(a) + Number(b) }), log: () => {} },
  signal: new AbortController().signal,
};
const SCRIPTS: readonly (readonly [source: string, value: unknown])[] = [
  ['let sum = 0; for (let i = 0; i < 50; i++) sum = await add(sum, i); sum', 1225],
  ['(await Promise.all([1, 2, 3].map((n) => add(n, n)))).join()', '2,4,6'],
  [
    'const rows = Array.from({ length: 20000 }, (_, i) => ({ i, t: "row " + i })); JSON.parse(JSON.stringify(rows)).length',
    20_000,
  ],
  ['new Intl.DateTimeFormat("en", { timeZone: "UTC" }).format(0) + /(\\p{L}+)/u.exec("żółw")[1]', '1/1/1970żółw'],
  ['[..."x".repeat(1e5)].map((c) => new Map([[c, Symbol.iterator]])).length + new Uint8Array(1e7).length', 10_100_000],
];

const faults: string[] = [];
let started = 0;

async function one(): Promise<void> {
  const worker = new Worker({ files, memoryMb: 128, timeZone: 'UTC', snapshot: true });
  try {
    await worker.ready();
    for (const [source, value] of SCRIPTS) {
      const compiled = compileScript(source, { functions: new Set(['add']), tools: new Set(['add']), modules: [] });
      if (!compiled.ok) throw new Error(compiled.message);
      const run = new ScriptRun({ worker, source, compiled, options, limits: { ...DEFAULT_LIMITS, idleMs: 20_000 } });
      const result = await run.run();
      if (result.value !== value) throw new Error(`${source}: ${JSON.stringify(result)}`);
      worker.renew();
      await worker.ready();
    }
  } catch (error) {
    faults.push(String(error));
  } finally {
    worker.kill();
    await worker.ended;
  }
}

async function series(): Promise<void> {
  while (started < children) {
    started += 1;
    if (started % 100 === 0) console.log(`${started} of ${children}, ${faults.length} faults`);
    await one();
  }
}

const began = performance.now();
await Promise.all(Array.from({ length: atOnce }, series));
console.log(`${children} children, ${Math.round(performance.now() - began)} ms, ${faults.length} faults`);
for (const fault of faults) console.log(fault.slice(0, 500));
process.exitCode = faults.length === 0 ? 0 : 1;
