/**
 * The language and its library: from text to code, what a `think` costs beside its model, an `agent()` beside a classic
 * turn with the same tool, and what an import costs.
 * `npm run bench -- lang [RUNS]`
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compile } from '../src/compiler.ts';
import { innerOf } from '../src/embed/assistant.ts';
import { createAssistant } from '../src/embed/create.ts';
import { programParts } from '../src/face/program-parts.ts';
import { checkSource } from '../src/lang/check/check.ts';
import { compileProgram } from '../src/lang/compile/compile.ts';
import { ProgramWorldOf } from '../src/lang/runtime/program-world.ts';
import { runProgram } from '../src/lang/runtime/run-program.ts';
import type { ModelProvider } from '../src/models/providers/completing.ts';

import type { Figure } from './harness/figure.ts';
import { report } from './harness/report.ts';
import { interleave } from './harness/statistics.ts';
import { loopbackModel } from './turn/server.ts';
import { WayProcess } from './turn/way-process.ts';

const RUNS = Number(process.argv[2] ?? 20);
const THINKS = 50;
const ROOT = resolve(import.meta.dirname, '..');

/** Twenty lines of the common forms, with names of their own. */
const part = (n: number) => `/// One line of the brief.
type Item${n} {
  @description("What it is about")
  title: string
  @range("1..5")
  urgency: int
  due: string?
}
fn shown${n}(item: Item${n}): string {
  if item.due == null {
    return \`- \${item.title}\`
  }
  return item.title + " by " + item.urgency
}
let today${n} = think<Item${n}[]>("What is open?") with context: { n: ${n} }
  guard { length: 1..500 } on_fail: retry(2)
for item in today${n} {
  if item.urgency >= 3 && item.title != "" { print shown${n}(item) }
}
`;
const LINES_1000 = Array.from({ length: 50 }, (_, n) => part(n)).join('');

function compiling(): number[] {
  const times: number[] = [];
  for (let run = 0; run < RUNS + 5; run++) {
    const started = performance.now();
    const { errors } = compile(LINES_1000);
    times.push(performance.now() - started);
    if (errors.length > 0) throw new Error(errors[0]?.message);
  }
  return times.slice(5);
}

const instant: ModelProvider = {
  complete: async () => ({ data: 'yes', usage: { inputTokens: 1, outputTokens: 1 }, model: 'instant' }),
};

/** One program that asks many times, without what it costs to run one that asks never, for each question. */
async function thinking(): Promise<number[]> {
  const home = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
  const assistant = await createAssistant({ home, model: instant, env: { ROUTING_LOCAL_ENABLED: 'false' } });
  const { app } = innerOf(assistant);
  const { signal } = new AbortController();
  const timed = async (source: string) => {
    const compiled = compileProgram(checkSource(source, 'bench.tl', { read: () => '', tools: [] }));
    const about = { file: 'bench.tl', source, project: 'home', mode: 'classic_tools', signal } as const;
    const world = new ProgramWorldOf(programParts(app), { ...about, print: () => {}, warn: () => {} });
    const started = performance.now();
    const { failed } = await runProgram(compiled, { sandbox: app.tools.sandbox, world, signal });
    if (failed) throw new Error(failed.message);
    return performance.now() - started;
  };
  const asking = `for n in 1..${THINKS} { think<string>("question " + n) }`;
  const idle = `for n in 1..${THINKS} { "question " + n }`;
  const times: number[] = [];
  for (let run = 0; run < RUNS / 2 + 1; run++) times.push(((await timed(asking)) - (await timed(idle))) / THINKS);
  await assistant.close();
  rmSync(home, { recursive: true, force: true });
  return times.slice(1);
}

const TURNS = 5;
const REFERENCE = 'classic mode';

/** What a call of `agent` costs beside a classic turn with the same tool: both ask the same server, in turn. */
async function agents(): Promise<Figure[]> {
  await using server = await loopbackModel(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: 'High water is at 14:05.' }
      : { calls: [{ name: 'look_up', input: { word: 'tide' } }] },
  );
  const processes = new Map<string, WayProcess>();
  for (const name of [REFERENCE, 'agent()']) processes.set(name, await WayProcess.start(name, server.url));
  const take = (process: WayProcess) => () => process.take('When is the tide high?', TURNS);
  const ways = Object.fromEntries([...processes].map(([name, process]) => [name, take(process)]));
  const samples = await interleave(ways, { rounds: RUNS, warm: 3 });
  for (const process of processes.values()) await process.end();
  return Object.entries(samples).map(([name, taken]) => ({
    ...{ what: `${name}, CPU of a turn with one tool call`, unit: 'ms', kind: 'cpu' as const },
    samples: taken.map(({ cpuMs }) => cpuMs / TURNS),
    ...(name === REFERENCE ? {} : { against: `${REFERENCE}, CPU of a turn with one tool call`, must: 1 }),
  }));
}

/** What a process that imports the library has more than one that imports nothing. */
function importing(): { readonly ms: number[]; readonly mb: number[] } {
  const code = (what: string) =>
    `const t = performance.now(); ${what} process.stdout.write(JSON.stringify([performance.now() - t, process.memoryUsage.rss()]));`;
  const measured = (what: string) => {
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code(what)];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as [number, number];
  };
  const [ms, mb]: [number[], number[]] = [[], []];
  for (let run = 0; run < 5; run++) {
    const [time, memory] = measured(`await import(${JSON.stringify(join(ROOT, 'dist/runtime.js'))});`);
    const [, bare] = measured('');
    ms.push(time);
    mb.push((memory - bare) / 1024 / 1024);
  }
  return { ms, mb };
}

execFileSync('npm', ['run', '-s', 'build'], { cwd: ROOT, stdio: 'ignore' });
const imported = importing();
report([
  { what: '1,000 lines from text to code, warm', unit: 'ms', samples: compiling(), must: 150 },
  { what: 'one `think` of a program beside its model', unit: 'ms', samples: await thinking(), must: 5 },
  ...(await agents()),
  { what: 'import of the built library', unit: 'ms', samples: imported.ms, must: 150 },
  { what: 'its memory over bare Node', unit: 'MB', kind: 'memory', samples: imported.mb, must: 60 },
]);
