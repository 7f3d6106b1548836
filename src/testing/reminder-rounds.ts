/** A prompt beside a service on one home: reminders are typed, one of the two is killed, and what was shown is counted. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import xterm from '@xterm/headless';
import { whoIsThere } from '../notify/presence.ts';
import { openStore, type Store } from '../store/store.ts';
import type { PresenceKind } from '../store/tables/notify.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PROGRAM = join(ROOT, 'bin/wooster');
const ON_TERMINAL = join(ROOT, 'scripts/on-terminal.py');
/** Longer than the lease of a program that hangs, and than a start on a busy machine. */
const PATIENCE_MS = 90_000;

export interface Round {
  readonly home: string;
  /** How many reminders are typed; they are due from two seconds on. */
  readonly reminders: number;
  /** Who is killed with SIGKILL, and when after the first line; undefined: nobody. */
  readonly kill?: { readonly victim: 'prompt' | 'server'; readonly afterMs: number } | undefined;
}

/** What went wrong in a round; nothing when every reminder was shown once, or marked when it was shown again. */
export async function reminderRound({ home, reminders, kill }: Round): Promise<string[]> {
  const env = { PATH: process.env.PATH, HOME: home, WOOSTER_HOME: home, ROUTING_LOCAL_ENABLED: 'false' };
  const mark = Math.random().toString(36).slice(2, 8);
  const prompts: Prompt[] = [];
  const servers: Server[] = [];
  const begin = {
    prompt: async () => void prompts.push(await Prompt.open(env)),
    server: async () => void servers.push(await Server.open(env)),
  };
  try {
    await begin.server();
    await begin.prompt();
    await using store = new Opened(await openStore(join(home, 'state/wooster.sqlite3')));
    const killing =
      kill &&
      sleep(kill.afterMs).then(async () => {
        await killOne(store.store, kill.victim);
        await begin[kill.victim]();
      });
    for (let n = 0; n < reminders; n++) prompts[0]?.type(`remind me in ${2 + n} seconds to feed ${mark}x${n}\r`);
    await killing;
    await told(store.store, mark, prompts[0]);
    const made = await textsOf(store.store, mark);
    const shown = (await Promise.all(prompts.map((prompt) => prompt.lines()))).flat();
    const logged = servers.flatMap(({ output }) => output.split('\n')).filter((line) => line.includes(mark));
    const few = kill === undefined && made.length < reminders ? [`only ${made.length} of ${reminders} were made`] : [];
    return [...few, ...made.flatMap((text) => complaint(text, shown)), ...logged.map((line) => `in the log: ${line}`)];
  } finally {
    await Promise.all([...prompts, ...servers].map((program) => program.end()));
  }
}

/** A reminder stands alone on its line, with its time where it came late. */
function complaint(text: string, shown: readonly string[]): string[] {
  const lines = shown.filter(
    (line) => line.replace(/^(?:- \d\d:\d\d {2}|Due \d\d:\d\d: )/u, '').replace('(may be repeated) ', '') === text,
  );
  const plain = lines.filter((line) => !line.includes('(may be repeated)'));
  if (lines.length === 0) return [`"${text}" was not shown`];
  return plain.length > 1 ? [`"${text}" was shown ${plain.length} times without a mark`] : [];
}

async function killOne(store: Store, kind: PresenceKind): Promise<void> {
  const victim = (await whoIsThere({ store, now: () => new Date() })).find((each) => each.kind === kind);
  if (victim) process.kill(victim.pid, 'SIGKILL');
}

async function textsOf(store: Store, mark: string): Promise<string[]> {
  const jobs = await store.db.selectFrom('schedules').select('payload').where('payload', 'like', `%${mark}%`).execute();
  return jobs.map(({ payload }) => JSON.parse(payload) as string);
}

/** Wait until everything that was typed has been taken, and every reminder that was made is delivered. */
async function told(store: Store, mark: string, prompt: Prompt | undefined): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(200)) {
    const made = await textsOf(store, mark);
    const open = await store.db.selectFrom('notices').select('key').where('text', 'like', `%${mark}%`);
    const delivered = await open.where('state', '<>', 'waiting').execute();
    const isOver = prompt?.isGone === true || (made.length > 0 && !prompt?.isBusy);
    if (isOver && delivered.length >= made.length) return;
  }
}

/** Closes the store at the end of its block. */
class Opened implements AsyncDisposable {
  readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
  }
}

class Server {
  output = '';
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (part: string) => {
        this.output += part;
      });
  }

  static async open(env: NodeJS.ProcessEnv): Promise<Server> {
    const server = new Server(spawn(PROGRAM, ['serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] }));
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(50))
      if (server.output.includes('Ctrl-C stops it')) return server;
    throw new Error(`serve did not start: ${server.output}`);
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'close');
  }
}

class Prompt {
  isGone = false;
  readonly #child: ChildProcess;
  readonly #screen = new xterm.Terminal({ cols: 120, rows: 40, allowProposedApi: true, scrollback: 5000 });
  #changedAt = performance.now();

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#screen.onData((answer) => child.stdin?.write(answer));
    child.stdin?.on('error', () => {});
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      this.#changedAt = performance.now();
      this.#screen.write(part);
    });
    child.once('close', () => {
      this.isGone = true;
    });
  }

  static async open(env: NodeJS.ProcessEnv): Promise<Prompt> {
    const prompt = new Prompt(spawn('python3', [ON_TERMINAL, PROGRAM], { env, stdio: 'pipe' }));
    for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(50))
      if ((await prompt.lines()).some((line) => line.startsWith('>'))) return prompt;
    throw new Error('the prompt did not come');
  }

  /** Whether it drew something just now. */
  get isBusy(): boolean {
    return performance.now() - this.#changedAt < 1500;
  }

  type(text: string): void {
    this.#child.stdin?.write(text);
  }

  async lines(): Promise<string[]> {
    await new Promise<void>((done) => this.#screen.write('', done));
    const { active } = this.#screen.buffer;
    return Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '');
  }

  async end(): Promise<void> {
    if (!this.isGone) {
      this.#child.kill('SIGKILL');
      await once(this.#child, 'close');
    }
    this.#screen.dispose();
  }
}
