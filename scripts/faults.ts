/**
 * Faults while the program changes something: `npm run faults [-- effects|programs|servers|pages [PART]]`. Every
 * local effect with a fault at each of its writes, of the file system and of the database; whole programs that are
 * killed, stopped for three minutes, have their clock moved or their disk fail, or share a home; requests whose model,
 * messenger or MCP server is dead or lies; and each page of a home's database overwritten in turn. Each run is followed
 * by a restart and a look at what is there. With PART only that share of the runs that are not of effects, such as 0.1.
 *
 * Prints a table, and exits with 1 when a promise of docs/reliability.md was broken.
 */
import { FAULTS, type FaultRun, tryEffect } from '../src/testing/fault-lab.ts';
import { LOCAL_EFFECTS } from '../src/testing/local-effects.ts';
import { tryPage, usedHome } from '../src/testing/page-faults.ts';
import { canTry, PROGRAM_FAULTS, type ProgramFault, tryPrograms } from '../src/testing/program-faults.ts';
import { serverTrials, tryServer } from '../src/testing/server-faults.ts';

const STOP_MS = 180_000;
/** Programs that are stopped, or wait for a server, do nothing, so many can be at once. */
const [AT_ONCE, STOPPED_AT_ONCE, WAITING_AT_ONCE] = [3, 10, 6];
const [which = 'all', part = '1'] = process.argv.slice(2);

type Row = Pick<FaultRun, 'broken' | 'unknown'> & { readonly fault: string };
const all: Row[] = [];
if (which === 'all' || which === 'effects') await everyEffect();
if (which === 'all' || which === 'programs')
  for (const fault of Object.keys(PROGRAM_FAULTS) as ProgramFault[]) await programs(fault);
if (which === 'all' || which === 'servers') await servers();
if (which === 'all' || which === 'pages') await pages();

const columns = ['runs', 'lost', 'doubled', 'hidden', 'hang', 'told as unknown'] as const;
const faults = [...new Set(all.map(({ fault }) => fault))];
process.stdout.write(
  [
    `| fault | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---').join('|')}|`,
    ...faults.map((fault) =>
      lineOf(
        fault,
        all.filter((run) => run.fault === fault),
      ),
    ),
    lineOf('all', all),
    ...all.filter(({ broken }) => broken.length > 0).map((run) => `BROKEN ${JSON.stringify(run)}`),
    '',
  ].join('\n'),
);
process.exit(all.some(({ broken }) => broken.length > 0) ? 1 : 0);

async function everyEffect(): Promise<void> {
  for (const title of Object.keys(LOCAL_EFFECTS))
    for (const fault of FAULTS)
      all.push(...(await tryEffect(title, fault)).map((run) => ({ ...run, fault: `${fault} at each write` })));
}

async function programs(fault: ProgramFault): Promise<void> {
  if (!canTry(fault)) {
    process.stderr.write(`${fault}: not tried, apt-get install strace faketime\n`);
    return;
  }
  const runs = Math.ceil(PROGRAM_FAULTS[fault].runs * Number(part));
  const left = Array.from({ length: runs }, (_, run) => run);
  const atOnce = fault.startsWith('SIGSTOP') ? STOPPED_AT_ONCE : AT_ONCE;
  await inTurn(left, atOnce, async (run) => void all.push(await tryPrograms(fault, run, STOP_MS)));
  process.stderr.write(`${fault}: ${runs} runs\n`);
}

async function servers(): Promise<void> {
  const chosen = share(serverTrials());
  const { length } = chosen;
  await inTurn(chosen, WAITING_AT_ONCE, async (trial) => {
    const run = await tryServer(trial);
    all.push({ ...run, fault: `dead and lying servers: ${run.server}` });
  });
  process.stderr.write(`servers: ${length} runs\n`);
}

async function pages(): Promise<void> {
  const home = await usedHome();
  const chosen = share([...home.pages.keys()]);
  const { length } = chosen;
  await inTurn(chosen, AT_ONCE, async (page) => {
    all.push({ ...(await tryPage(home, page)), fault: 'one page of the database overwritten' });
  });
  home.remove();
  process.stderr.write(`pages: ${length} runs\n`);
}

/** The share of them that was asked for, evenly. */
function share<T>(of: readonly T[]): T[] {
  const every = 1 / Number(part);
  return of.filter((_, index) => Math.floor(index / every) !== Math.floor((index - 1) / every));
}

async function inTurn<T>(left: T[], atOnce: number, run: (each: T) => Promise<void>): Promise<void> {
  const work = async () => {
    for (let each = left.shift(); each !== undefined; each = left.shift()) await run(each);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

function lineOf(name: string, runs: readonly Row[]): string {
  const count = (what: FaultRun['broken'][number]) => runs.filter(({ broken }) => broken.includes(what)).length;
  const unknown = runs.filter((run) => run.unknown).length;
  return `| ${name} | ${runs.length} | ${count('lost')} | ${count('doubled')} | ${count('hidden')} | ${count('hang')} | ${unknown} |`;
}
