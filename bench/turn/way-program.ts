/** One way to take turns, in a process of its own: `way-program.ts WAY URL`. Takes an `Asked`, says a `Taken`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { LIBRARY_WAYS, WAYS } from './ways.ts';

export interface Asked {
  readonly text: string;
  readonly turns: number;
  /** Where a CPU profile of the turns goes, and microseconds between two of its samples. */
  readonly profile?: string;
  readonly interval?: number;
}

export interface Taken {
  readonly wallMs: number;
  /** Of this process and of its children that have ended, where the system says. */
  readonly cpuMs: number;
  /** MB that this process had at most. */
  readonly peakMB: number;
  readonly answer: string;
}

const [name = '', url = ''] = process.argv.slice(2);
const way = await { ...WAYS, ...LIBRARY_WAYS }[name]?.(url);
if (!way) throw new Error(`There is no way ${name}.`);
process.on('message', async (asked: Asked) => {
  const taken = asked.profile === undefined ? await take(asked) : await profiled(asked, asked.profile);
  process.send?.(taken);
});
process.on('disconnect', async () => {
  await way[Symbol.asyncDispose]();
  process.exit();
});
process.send?.('ready');

async function take({ text, turns }: Asked): Promise<Taken> {
  const [started, cpu] = [performance.now(), cpuMs()];
  let answer = '';
  for (let turn = 0; turn < turns; turn++) answer = (await way?.take(text)) ?? '';
  const peakMB = process.resourceUsage().maxRSS / 1024;
  return { wallMs: performance.now() - started, cpuMs: cpuMs() - cpu, peakMB, answer };
}

async function profiled(asked: Asked, path: string): Promise<Taken> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: asked.interval ?? 1000 });
  await session.post('Profiler.start');
  const taken = await take(asked);
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  writeFileSync(path, JSON.stringify(profile));
  return taken;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + childrenMs();
}

function childrenMs(): number {
  if (process.platform !== 'linux') return 0;
  const fields = (readFileSync('/proc/self/stat', 'utf8').split(') ')[1] ?? '').split(' ');
  // cutime and cstime, in hundredths of a second.
  return (Number(fields[13]) + Number(fields[14])) * 10;
}
