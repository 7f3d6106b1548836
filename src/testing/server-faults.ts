import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../app.ts';
import type { Answer, Mode, TurnEvent } from '../base/turn.ts';
import type { App } from '../face/app.ts';
import { loadSettings } from '../settings/settings.ts';
import { testContext, testTurn } from './agent.ts';
import type { FaultRun } from './fault-lab.ts';
import { FaultServer } from './fault-server.ts';
import { tryMcp } from './faulty-mcp.ts';
import { tryDiscord, trySignal } from './faulty-messengers.ts';
import { tryModel } from './faulty-models.ts';
import { SERVER_FAULTS, type ServerFault } from './lying-server.ts';

/** What one request came to whose server was dead or lied. */
export interface ServerRun extends Pick<FaultRun, 'broken' | 'unknown'> {
  readonly server: string;
  readonly fault: string;
  /** What else was chosen: the mode, which request it was. */
  readonly how: string;
  /** What is wrong, in words. */
  readonly why: readonly string[];
}

/** One run to be made. */
export interface ServerTrial {
  readonly server: string;
  readonly fault: string;
  readonly how: string;
  run(world: ServerWorld): Promise<Verdict>;
}

/** What a run has shown. */
export interface Verdict {
  readonly wrong: readonly (readonly [FaultRun['broken'][number], string])[];
  readonly unknown: boolean;
}

/** The whole program on a home of its own, its servers and what a person does with it. */
export interface ServerWorld {
  readonly home: string;
  /** The one that misbehaves. */
  readonly server: FaultServer;
  /** Where redirects lead. */
  readonly elsewhere: string;
  open(env: Readonly<Record<string, string>>): Promise<App>;
  ask(app: App, text: string, mode: Mode, id?: string): Promise<Asked>;
}

export interface Asked {
  readonly answer: Answer;
  readonly events: readonly TurnEvent[];
}

/** Everything that a turn may wait for, and what a busy machine adds. */
const LONGEST_MS = 150_000;
const CLOSE_MS = 20_000;

/** All runs with dead and lying servers. */
export function serverTrials(): ServerTrial[] {
  const faults = Object.keys(SERVER_FAULTS) as ServerFault[];
  return [...tryModel(faults), ...tryDiscord(faults), ...trySignal(), ...tryMcp(faults)];
}

/** Make one run, in a home that goes afterwards. */
export async function tryServer({ server: name, fault, how, run }: ServerTrial): Promise<ServerRun> {
  const home = mkdtempSync(join(tmpdir(), 'wooster-server-'));
  const [server, thief] = [new FaultServer(), new FaultServer()];
  const opened: App[] = [];
  await Promise.all([server.start(), thief.start()]);
  const world: ServerWorld = {
    ...{ home, server, elsewhere: `${thief.url}/elsewhere`, ask },
    open: async (env) => {
      const app = await openProgram(home, env);
      opened.push(app);
      return app;
    },
  };
  try {
    const found = await within(LONGEST_MS, run(world));
    const closed = await within(CLOSE_MS, closeAll(opened));
    const wrong = [
      ...(found?.wrong ?? [['hang', 'the turn did not end'] as const]),
      ...(closed ? [] : [['hang', 'the program did not close'] as const]),
      ...(thief.requests.length > 0 ? [['hidden', 'another server was told'] as const] : []),
    ];
    const broken = [...new Set(wrong.map(([what]) => what))];
    return { server: name, fault, how, broken, unknown: found?.unknown ?? false, why: wrong.map(([, why]) => why) };
  } finally {
    await Promise.all([server.stop(), thief.stop()]);
    rmSync(home, { recursive: true, force: true });
  }
}

async function openProgram(home: string, env: Readonly<Record<string, string>>): Promise<App> {
  const settings = { WOOSTER_HOME: home, ROUTING_LOCAL_ENABLED: 'false', ...env };
  return createApp(loadSettings(home, settings), { announce: () => {}, verbose: false });
}

async function ask(app: App, text: string, mode: Mode, id?: string): Promise<Asked> {
  const context = testContext({ decide: { verdict: 'once', by: 'you' }, now: () => new Date() });
  const answer = await app.turns.run(testTurn(text, { mode, ...(id !== undefined && { id }) }), context);
  return { answer, events: context.events };
}

async function closeAll(apps: readonly App[]): Promise<true> {
  await Promise.all(apps.map((app) => app.close()));
  return true;
}

/** @returns undefined when it took longer. */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController();
  const late = sleep(limitMs, undefined, { signal: timer.signal }).catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort();
  }
}
