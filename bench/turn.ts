/**
 * What a turn with one tool call costs, in both modes and in three other ways, each in a process of its own, all asking
 * the same loopback server: `npm run bench -- turn [ROUNDS]`.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Figure } from './harness/figure.ts';
import { report } from './harness/report.ts';
import { ROOT } from './harness/results.ts';
import { interleave } from './harness/statistics.ts';
import { type ChatRequest, type LoopbackModel, loopbackModel, promptTokens, type Reply } from './turn/server.ts';
import { WayProcess } from './turn/way-process.ts';
import { WAYS } from './turn/ways.ts';

const ROUNDS = Number(process.argv[2] ?? 12);
/** Turns of one round: a single one is shorter than what the system counts CPU time in. */
const TURNS = 5;
const LONG = 100;
const QUESTION = 'When is the tide high?';
const ANSWER = 'High water is at 14:05.';
const SCRIPT = `\`\`\`js\nconst entry = lookUp({ word: 'tide' });\nfinalAnswer(\`High water is at \${entry.slice(20, 25)}.\`);\n\`\`\``;
const REFERENCE = 'AgentExecutor';

/** The model: one call, then the answer; a script where no tools are declared. */
function reply({ messages, tools }: ChatRequest): Reply {
  if (messages.at(-1)?.role === 'tool') return { text: ANSWER };
  const asked = JSON.stringify(messages.findLast(({ role }) => role === 'user')?.content);
  if (asked.includes('note')) return { calls: [{ name: 'write_note', input: { text: 'The tide is high at 14:05.' } }] };
  if (!tools?.length) return { text: SCRIPT };
  if (tools.some((tool) => tool.function.name === 'look_up'))
    return { calls: [{ name: 'look_up', input: { word: 'tide' } }] };
  return { calls: [{ name: 'current_time', input: {} }] };
}

await using model = await loopbackModel(reply);
report([...(await compared(model)), ...(await waits(model)), ...(await longRun(model))]);

/** All ways, in turn. */
async function compared(server: LoopbackModel): Promise<Figure[]> {
  const processes = new Map<string, WayProcess>();
  for (const name of Object.keys(WAYS)) processes.set(name, await WayProcess.start(name, server.url));
  const told = new Map<string, ChatRequest[]>();
  const take = (name: string, process: WayProcess) => async () => {
    server.forget();
    const taken = await process.take(QUESTION, TURNS);
    if (taken.answer !== ANSWER) throw new Error(`${name} answered: ${taken.answer}`);
    told.set(name, [...server.requests]);
    return taken;
  };
  const ways = Object.fromEntries([...processes].map(([name, process]) => [name, take(name, process)]));
  const samples = await interleave(ways, { rounds: ROUNDS, warm: 3 });
  for (const process of processes.values()) await process.end();
  return [REFERENCE, ...Object.keys(WAYS).filter((name) => name !== REFERENCE)].flatMap((name) => {
    const taken = samples[name] ?? [];
    const requests = told.get(name) ?? [];
    const classic = name === 'classic mode' ? { must: 3, goal: 2.2 } : {};
    const reference = name === REFERENCE ? {} : { against: `${REFERENCE}, wall` };
    const cpu = name === REFERENCE ? {} : { against: `${REFERENCE}, CPU` };
    return [
      { what: `${name}, wall`, unit: 'ms', samples: taken.map(({ wallMs }) => wallMs / TURNS), ...reference },
      {
        what: `${name}, CPU`,
        unit: 'ms',
        kind: 'cpu',
        samples: taken.map(({ cpuMs }) => cpuMs / TURNS),
        ...cpu,
        ...classic,
      },
      ...(name === 'code mode' ? [backToBack(taken.map(({ wallMs }) => wallMs / TURNS))] : []),
      { what: `${name}, memory`, unit: 'MB', samples: [Math.max(...taken.map(({ peakMB }) => peakMB))] },
      { what: `${name}, requests`, unit: 'requests', samples: [requests.length / TURNS] },
      { what: `${name}, prompt`, unit: 'tokens', samples: [promptTokens(requests) / TURNS] },
    ] satisfies Figure[];
  });
}

function backToBack(samples: readonly number[]): Figure {
  return { what: 'code turns back to back', unit: 'ms', samples, must: 150, goal: 60 };
}

/** How often a turn with an effect waits for the disk, counted by strace; and how often of that for the file it writes. */
async function waits(server: LoopbackModel): Promise<Figure[]> {
  if (spawnSync('strace', ['-V']).status !== 0) return [];
  const dir = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
  const log = join(dir, 'calls');
  const under = ['strace', '-f', '-y', '-qq', '-e', 'trace=fsync,fdatasync', '-o', log];
  const process = await WayProcess.start('classic mode', server.url, { under });
  const synced = () =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => /f(?:data)?sync\(/u.test(line));
  try {
    await process.take('Make a note of the tide.', TURNS);
    const turns: string[][] = [];
    for (let turn = 0; turn < 3 * TURNS; turn++) {
      const before = synced().length;
      await process.take('Make a note of the tide.', 1);
      turns.push(synced().slice(before));
    }
    // A turn in some dozens also moves what SQLite's log holds into the database, which waits twice more.
    const ofDatabase = (line: string) => line.includes('.sqlite3');
    const note = `${(turns.flat().length / turns.length).toFixed(1)} on average, with SQLite's checkpoints`;
    const what = 'waits for the disk per turn with an effect';
    return [
      { what, unit: 'waits', samples: turns.map(({ length }) => length), must: 2, goal: 1, note },
      {
        what: `${what}, of these commits`,
        unit: 'waits',
        samples: turns.map((lines) => lines.filter(ofDatabase).length),
      },
    ];
  } finally {
    await process.end();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The program itself over a hundred turns of one conversation. */
async function longRun(server: LoopbackModel): Promise<Figure[]> {
  const home = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
  const lines = join(home, 'lines');
  writeFileSync(lines, `${`${QUESTION}\n`.repeat(LONG)}/quit\n`);
  server.forget();
  try {
    const words = [join(ROOT, 'scripts/measure.py'), lines, join(ROOT, 'bin/wooster'), '--home', home];
    const setup = { OPENAI_BASE_URL: server.url, OPENAI_MODEL_NAME: 'bench', ROUTING_LOCAL_ENABLED: 'false' };
    const env = { PATH: process.env.PATH, HOME: home, ...setup };
    // The server is in this process, which therefore must not stand still meanwhile.
    const { stdout } = await promisify(execFile)('python3', words, { env });
    const [wallMs = 0, , peakMB = 0] = stdout.split(' ').map(Number);
    if (server.requests.length < 2 * LONG) throw new Error(`only ${server.requests.length} requests in ${LONG} turns`);
    const note = `${(wallMs / LONG).toFixed(0)} ms a turn, start included`;
    return [{ what: `peak memory over ${LONG} turns`, unit: 'MB', samples: [peakMB], must: 220, goal: 180, note }];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
