import { onTestFinished } from 'vitest';
import type { JobTurns } from '../agent/job-turns.ts';
import type { Additions } from '../app/additions.ts';
import { openFoundation } from '../app/foundation.ts';
import { openMemory } from '../app/memory.ts';
import { openScheduler, openServices } from '../app/services.ts';
import { builtInTools, loadPlugins, openUndo } from '../app/tools.ts';
import { loadSettings } from '../settings/settings.ts';
import { CutOffEffects } from '../tools/gate/cut-off-effects.ts';
import type { Tool } from '../tools/tool.ts';
import { temporaryFolder } from './home.ts';
import { testScope, testToolbox } from './scope.ts';

export interface PartsOptions {
  readonly home?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly served?: Additions['served'];
  readonly jobs?: Partial<JobTurns>;
}

/** The parts of a program on a home of its own, up to the tools, one by one. All are closed with the test. */
export async function openParts({ home = temporaryFolder(), env = {}, served, jobs = {} }: PartsOptions = {}) {
  const settings = loadSettings(home, { ROUTING_LOCAL_ENABLED: 'false', ...env }, { alone: true });
  const announced: string[] = [];
  const frontend = { announce: (text: string) => void announced.push(text), verbose: false };
  const foundation = await openFoundation(settings, frontend);
  const services = openServices(settings, foundation, { frontend, jobContext: () => undefined as never });
  const below = { ...foundation, ...services };
  const { store, now } = foundation;
  const toolbox = testToolbox([], await testScope({ store }));
  const jobTurns = { onDue: async () => ({ state: 'succeeded', output: '' }), ...jobs } as JobTurns;
  const cutOff = () => new CutOffEffects({ store, now, lookUp: async () => ({ state: 'unknown' }) });
  const later = { toolbox: () => toolbox, cutOff, served };
  const scheduler = openScheduler(settings, { ...below, jobs: jobTurns }, later);
  onTestFinished(async () => {
    const { notifier, documents, models, sandbox } = services;
    for (const part of [notifier, documents, models, sandbox, foundation.gateway, store]) await part.close();
    await scheduler.stop();
    foundation.log.close();
  });
  const kept = openUndo(settings, { ...below, scheduler });
  const memory = openMemory({ ...below, kept });
  const tools = builtInTools(settings, { ...below, scheduler, kept, memory });
  const withPlugins = async (additions: Pick<Additions, 'plugins' | 'served'>, more: readonly Tool[] = []) => {
    const loaded = await loadPlugins(settings, { ...below, kept }, { additions, tools: [...tools, ...more] });
    onTestFinished(() => loaded.shutdown());
    return loaded;
  };
  return { home, settings, announced, frontend, foundation, services, scheduler, kept, memory, tools, withPlugins };
}
