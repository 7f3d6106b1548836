/**
 * Where the time of a start and of a turn goes: `npm run bench:profile` takes CPU profiles of both, writes
 * bench/profile.json, and draws docs/performance.svg from it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROFILE_JSON, performanceFiles, type TimeParts } from '../scripts/performance-page.ts';
import { ROOT } from './harness/results.ts';
import { interleave, median } from './harness/statistics.ts';
import { type CpuProfile, type PartOf, shares, startPart, turnPart } from './profile/parts.ts';
import { loopbackModel } from './turn/server.ts';
import { WayProcess } from './turn/way-process.ts';

const NODE = join(ROOT, 'node_modules/node/bin/node');
const WOOSTER = join(ROOT, 'bin/wooster');
const RUNS = 7;
const TURNS = 200;
/** Microseconds. */
const INTERVAL = 200;
const dir = mkdtempSync(join(tmpdir(), 'wooster-profile-'));

try {
  execFileSync(NODE, ['--no-warnings', join(ROOT, 'scripts/build-checkout.ts')], { stdio: ['ignore', 2, 2] });
  const bars = [await start(), await turn()];
  writeFileSync(PROFILE_JSON, `${JSON.stringify(bars, null, 2)}\n`);
  for (const [path, content] of Object.entries(performanceFiles())) writeFileSync(join(ROOT, path), content);
  for (const { what, totalMs, parts } of bars) {
    console.log(`${what}: ${totalMs} ms of CPU time`);
    for (const { part, ms } of parts) console.log(`  ${String(ms).padStart(6)}  ${part}`);
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}

/** `ask` with the built-in model. A profile begins when Node is up; what Node takes itself is that of a bare one. */
async function start(): Promise<TimeParts> {
  const ask = [WOOSTER, 'ask', 'what is 2+2?', '--home', join(dir, 'home')];
  const cpu = (command: readonly string[]) => () => {
    const words = [join(ROOT, 'scripts/measure.py'), '/dev/null', ...command];
    return Number(execFileSync('python3', words, { encoding: 'utf8' }).split(' ')[1]);
  };
  const samples = await interleave({ bare: cpu([NODE, '-e', '0']), ask: cpu(ask) }, { rounds: RUNS, warm: 2 });
  const options = `--cpu-prof --cpu-prof-interval=${INTERVAL} --cpu-prof-dir=${dir}`;
  for (let run = 0; run < RUNS; run++)
    execFileSync(WOOSTER, ask.slice(1), { env: { ...process.env, NODE_OPTIONS: options }, stdio: 'ignore' });
  const profiles = readdirSync(dir)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => JSON.parse(readFileSync(join(dir, name), 'utf8')) as CpuProfile);
  const [bare, all] = [median(samples.bare), median(samples.ask)];
  const of = { what: 'A start: wooster ask "what is 2+2?"', profiles, partOf: startPart, totalMs: all - bare };
  const { parts, what } = inParts(of);
  return { what, totalMs: Math.round(all), parts: [{ part: 'Node itself', ms: Math.round(bare) }, ...parts] };
}

/** A classic turn with one tool call, two requests to a model that replies at once. */
async function turn(): Promise<TimeParts> {
  await using server = await loopbackModel(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: 'High water is at 14:05.' }
      : { calls: [{ name: 'look_up', input: { word: 'tide' } }] },
  );
  const way = await WayProcess.start('classic mode', server.url);
  await way.take('When is the tide high?', TURNS);
  const { cpuMs } = await way.take('When is the tide high?', TURNS);
  const profile = join(dir, 'turns.json');
  await way.take('When is the tide high?', TURNS, { profile, interval: INTERVAL });
  await way.end();
  const profiles = [JSON.parse(readFileSync(profile, 'utf8')) as CpuProfile];
  return inParts({ what: 'A classic turn with one tool call', profiles, partOf: turnPart, totalMs: cpuMs / TURNS });
}

interface Taken {
  readonly what: string;
  readonly profiles: readonly CpuProfile[];
  readonly partOf: PartOf;
  readonly totalMs: number;
}

/** The samples say the shares, the clock of the process says of what. */
function inParts({ what, profiles, partOf, totalMs }: Taken): TimeParts {
  const tenths = (ms: number) => Math.round(ms * 10) / 10;
  const parts = [...shares(profiles, partOf, 'the rest')].map(([part, share]) => ({
    part,
    ms: tenths(share * totalMs),
  }));
  return { what, totalMs: tenths(totalMs), parts: parts.filter(({ ms }) => ms >= 0.1) };
}
