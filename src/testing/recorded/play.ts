import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { createApp } from '../../app.ts';
import { estimateTokens } from '../../base/text.ts';
import { MODES, type Mode } from '../../base/turn.ts';
import { evaluate, type TaskRun } from '../../evals/evaluate.ts';
import { readTasks, type Task } from '../../evals/tasks.ts';
import { loadSettings } from '../../settings/settings.ts';
import { type Behaviour, FaultServer, ok } from '../fault-server.ts';
import { storeSettings } from '../stores.ts';

/** Who replied: the name is what the program knows about a model, so the weak one gets the compact prompt. */
export const PLAYERS = { capable: 'recorded-large', weak: 'recorded-7b' } as const;
export type Player = keyof typeof PLAYERS;

type Reply = string | readonly Readonly<Record<string, Readonly<Record<string, unknown>>>>[];
type Replies = Readonly<Record<string, Readonly<Record<Mode, Readonly<Record<Player, readonly Reply[]>>>>>>;

/** How a task went with what was recorded for it. */
export interface Played extends TaskRun {
  readonly player: Player;
  /** Turns of the person. */
  readonly turns: number;
  /** As many requests were recorded. */
  readonly recorded: number;
  /** Everything that was sent: messages and declarations; estimated. */
  readonly sentTokens: number;
  /** What the model was told last, for whoever looks for a fault. */
  readonly lastSent: string;
}

/** The tasks for which there are replies: those of the program, and some besides. */
export async function recordedTasks(): Promise<readonly Task[]> {
  const own = await readTasks(join(import.meta.dirname, 'tasks.yaml'));
  return [...(await readTasks(resolve(import.meta.dirname, '../../../evals/everyday.yaml'))), ...own];
}

/** Play recorded conversations against the whole program: each task on a home of its own, in both modes. */
export async function playRecorded(
  home: string,
  player: Player,
  { tasks, modes = MODES }: { readonly tasks: readonly Task[]; readonly modes?: readonly Mode[] },
): Promise<readonly Played[]> {
  const replies = parse(readFileSync(join(import.meta.dirname, 'replies.yaml'), 'utf8')) as Replies;
  const server = new FaultServer();
  await server.start();
  const model = { OPENAI_BASE_URL: server.url, OPENAI_MODEL_NAME: PLAYERS[player], ROUTING_LOCAL_ENABLED: 'false' };
  const app = await createApp(loadSettings(home, { ...model, ...storeSettings(home) }), {
    announce: () => {},
    verbose: false,
  });
  const all: Played[] = [];
  try {
    for (const task of tasks) {
      for (const mode of modes) {
        const script = replies[task.id]?.[mode][player] ?? [];
        server.play(...script.map(behaviour));
        const [run] = await oneRun(app, task, mode);
        const sent = server.requests.map(({ body }) => JSON.stringify([body.messages, body.tools ?? []]));
        const sentTokens = sent.reduce((sum, text) => sum + estimateTokens(text), 0);
        const about = { player, turns: task.requests.length, recorded: script.length, sentTokens };
        if (run) all.push({ ...run, ...about, lastSent: JSON.stringify(server.requests.at(-1)?.body.messages) });
      }
    }
  } finally {
    await app.close();
    await server.stop();
  }
  return all;
}

async function oneRun(app: Awaited<ReturnType<typeof createApp>>, task: Task, mode: Mode): Promise<readonly TaskRun[]> {
  const runs: TaskRun[] = [];
  await evaluate({
    ...{ tasks: [task], modes: [mode], times: 1, budgetUsd: undefined },
    open: (left) => app.home.openTrial(left),
    signal: new AbortController().signal,
    done: (run) => runs.push(run),
  });
  return runs;
}

function behaviour(reply: Reply): Behaviour {
  if (typeof reply === 'string') return ok(reply);
  const calls = reply
    .flatMap((call) => Object.entries(call))
    .map(([name, input]) => ({ name, args: JSON.stringify(input) }));
  return ok('', { calls });
}

/** What one player took in one mode. */
export interface Figures {
  readonly player: Player;
  readonly mode: Mode;
  readonly done: string;
  readonly requestsPerTurn: number;
  readonly sentTokens: number;
}

export function figuresOf(played: readonly Played[]): readonly Figures[] {
  return [...Map.groupBy(played, ({ player, mode }) => `${player} ${mode}`).values()].map((runs) => {
    const sum = (of: (run: Played) => number) => runs.reduce((all, run) => all + of(run), 0);
    const [{ player, mode }] = runs as [Played];
    return {
      ...{ player, mode, done: `${sum(({ ok: isOk }) => Number(isOk))} of ${runs.length}` },
      requestsPerTurn: sum(({ requests }) => requests) / sum(({ turns }) => turns),
      sentTokens: sum((run) => run.sentTokens),
    };
  });
}
