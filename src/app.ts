import { JobTurns } from './agent/job-turns.ts';
import type { Additions } from './app/additions.ts';
import { openAgent } from './app/agent.ts';
import { assemble } from './app/assemble.ts';
import { type Foundation, openFoundation } from './app/foundation.ts';
import { openFreezer } from './app/freezer.ts';
import { HomeContext } from './app/homes/home-context.ts';
import { openMemory, openPrograms, openSkills } from './app/memory.ts';
import { openScheduler, openServices } from './app/services.ts';
import {
  builtInTools,
  callersOf,
  checkToolHosts,
  loadPlugins,
  openCutOff,
  openMcp,
  openUndo,
  seedTasks,
  together,
  withGiven,
} from './app/tools.ts';
import type { AssistantError } from './base/errors.ts';
import { modeOf } from './base/turn.ts';
import type { App, Frontend } from './face/app.ts';
import { stopTracing } from './models/models.ts';
import type { Settings } from './settings/settings.ts';
import { damageOf } from './store/backup.ts';
import { ApprovalRules } from './tools/gate/approvals.ts';
import { Proposals } from './tools/gate/proposals.ts';
import { Toolbox } from './tools/gate/toolbox.ts';

/**
 * Put the modules together, layer by layer. Nothing runs in the background before `start`. Without `ownsProcess` the
 * process stays as it is: no signal handlers, no output, no globals, no environment.
 *
 * @throws AssistantError when the home cannot be used; then nothing stays open.
 */
export async function createApp(settings: Settings, frontend: Frontend, additions: Additions = {}): Promise<App> {
  // What is made from here on is its owner's alone; on a shared volume, as the volume's users agreed.
  if (additions.ownsProcess && settings.shared.projectsDir === undefined) process.umask(0o077);
  return openOn(settings, frontend, additions);
}

/** @param damage  what is wrong with the database, which is then left alone. */
async function openOn(
  settings: Settings,
  frontend: Frontend,
  additions: Additions,
  damage?: AssistantError,
): Promise<App> {
  const { mends, lasts } = additions;
  const foundation = await openFoundation(settings, frontend, { mends, lasts, damage });
  try {
    if (additions.ownsProcess) ownProcess(foundation);
    if (additions.served) additions.served.context.fetch = foundation.gateway.publicFetch('plugin');
    return await composeApp(settings, frontend, { foundation, additions });
  } catch (error) {
    // Which tables are read here is not for a command that repairs to know.
    const found = mends && !damage ? await damageOf(foundation.store) : undefined;
    await foundation.gateway.close();
    await foundation.store.close();
    foundation.log.close();
    if (found) return openOn(settings, frontend, additions, found);
    throw error;
  }
}

function ownProcess({ gateway }: Foundation): void {
  stopTracing(process.env);
  // Plugins and packages bring their own code.
  const ours = gateway.publicFetch('plugin');
  globalThis.fetch = (input, init) => (HomeContext.current?.fetch ?? ours)(input, init);
}

async function composeApp(
  settings: Settings,
  frontend: Frontend,
  { foundation, additions }: { readonly foundation: Foundation; readonly additions: Additions },
): Promise<App> {
  const below = {
    ...foundation,
    ...openServices(settings, foundation, (turn) => jobs.contextOf(turn)),
  };
  const { store, now, timeZone, notifier, models, obeyed, projects } = below;
  await notifier.accounts.load();
  await obeyed.judge(projects.list().flatMap((name) => projects.controlFiles(name)));
  const jobs = new JobTurns({
    runTurn: (turn, context, wishes) => agent.runTurn(turn, context, wishes),
    engineOf: (program, earlier) => programs.engineOf(program, earlier),
    proposal: (id) => proposals.get(id),
    defaultMode: modeOf(settings.agent.chatMode),
    defaultChannel: async () => notifier.defaultChannel(),
    ...{ now, timeZone },
  });
  const later = {
    ...{ toolbox: () => toolbox, cutOff: () => cutOff, proposals: () => proposals, freezer: () => freezer() },
    served: additions.served,
  };
  const scheduler = openScheduler(settings, { ...below, jobs }, later);
  const kept = openUndo(settings, { ...below, scheduler });
  const memory = openMemory({ ...below, kept });
  const skills = openSkills(settings, below);
  const programs = openPrograms(settings, below, { agent: () => agent, proposals: () => proposals });
  const freezer = openFreezer(settings, { ...below, programs, jobs }, { ...later, scheduler: () => scheduler });
  const services = (name: string) => plugins.offered(name);
  const ours = builtInTools(settings, { ...below, scheduler, kept, memory, programs, services }, later.toolbox);
  const tools = withGiven(ours, additions.tools ?? []);
  const plugins = await loadPlugins(settings, { ...below, kept }, { tools, additions });
  checkToolHosts(settings.net.toolHosts, tools, callersOf(plugins));
  const mcp = await openMcp(settings, below, { additions, frontend });
  if (!store.unkept) await seedTasks(plugins, scheduler);
  const proposals = new Proposals({
    ...{ store, now, ttlHours: settings.approvals.ttlHours },
    decided: (id) => scheduler.goOn(id),
  });
  const toolbox = new Toolbox({
    ...{ ...below, tools, proposals },
    more: together(() => plugins.tools(), mcp.tools),
    observer: plugins,
    rules: new ApprovalRules(store, now, settings.approvals.allow),
    isLocalOnly: (project) => models.isLocalOnly(project),
    maxResultChars: settings.codeAgent.maxOutputLength,
  });
  const cutOff = openCutOff({ ...below, toolbox, kept });
  const withoutAgent = {
    ...{ ...below, scheduler, kept, memory, skills, programs, plugins, mcp },
    ...{ proposals, toolbox, cutOff, jobs, freezer },
  };
  const agent = await openAgent(settings, withoutAgent);
  return assemble(settings, { ...withoutAgent, agent }, { frontend, additions, createApp });
}
