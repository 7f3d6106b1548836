/** One way to take turns, in a process of its own: `way-program.ts WAY URL`. Takes `{ text, turns }`, says a `Taken`. */
import { readFileSync } from 'node:fs';
import { WAYS } from './ways.ts';

export interface Taken {
  readonly wallMs: number;
  /** Of this process and of its children that have ended, where the system says. */
  readonly cpuMs: number;
  /** MB that this process had at most. */
  readonly peakMB: number;
  readonly answer: string;
}

const [name = '', url = ''] = process.argv.slice(2);
const way = await WAYS[name]?.(url);
if (!way) throw new Error(`There is no way ${name}.`);
process.on('message', async ({ text, turns }: { text: string; turns: number }) => {
  const [started, cpu] = [performance.now(), cpuMs()];
  let answer = '';
  for (let turn = 0; turn < turns; turn++) answer = await way.take(text);
  const taken = {
    wallMs: performance.now() - started,
    cpuMs: cpuMs() - cpu,
    peakMB: process.resourceUsage().maxRSS / 1024,
  };
  process.send?.({ ...taken, answer } satisfies Taken);
});
process.on('disconnect', async () => {
  await way[Symbol.asyncDispose]();
  process.exit();
});
process.send?.('ready');

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
