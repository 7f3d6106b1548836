import { JobTurns } from './agent/job-turns.ts';
import type { Additions } from './app/additions.ts';
import { openAgent } from './app/agent.ts';
import { assemble } from './app/assemble.ts';
import { type Foundation, openFoundation } from './app/foundation.ts';
import { HomeContext } from './app/homes/home-context.ts';
import { openMemory, openPrograms, openSkills } from './app/memory.ts';
import { openScheduler, openServices } from './app/services.ts';
import { checkToolHosts } from './app/tool-hosts.ts';
import {
  builtInTools,
  callersOf,
  loadPlugins,
  openCutOff,
  openMcp,
  openUndo,
  seedTasks,
  together,
  withGiven,
} from './app/tools.ts';
import { modeOf } from './base/turn.ts';
import { stopTracing } from './models/models.ts';
import type { App, Frontend } from './repl/app.ts';
import type { Settings } from './settings/settings.ts';
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
  const foundation = await openFoundation(settings, frontend, additions.mends);
  try {
    if (additions.ownsProcess) ownProcess(foundation);
    if (additions.served) additions.served.context.fetch = foundation.gateway.publicFetch('plugin');
    return await composeApp(settings, frontend, { foundation, additions });
  } catch (error) {
    await foundation.gateway.close();
    await foundation.store.close();
    foundation.log.close();
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
  const services = openServices(settings, foundation, { frontend, jobContext: (turn) => jobs.contextOf(turn) });
  const { obeyed, projects } = services;
  await obeyed.judge(projects.list().flatMap((name) => projects.controlFiles(name)));
  const jobs = new JobTurns({
    runTurn: (turn, context, wishes) => agent.runTurn(turn, context, wishes),
    engineOf: (program) => programs.engineOf(program),
    defaultMode: modeOf(settings.agent.chatMode),
    defaultChannel: async () => services.notifier.defaultChannel(),
    now: foundation.now,
    timeZone: foundation.timeZone,
  });
  const scheduler = openScheduler(settings, {
    foundation,
    services,
    jobs,
    toolbox: () => toolbox,
    cutOff: () => cutOff,
    served: additions.served,
  });
  const kept = openUndo(settings, { foundation, services, scheduler });
  const memory = openMemory(foundation, services, kept);
  const skills = openSkills(settings, foundation, services);
  const programs = openPrograms(settings, { foundation, services, agent: () => agent });
  const ours = builtInTools(settings, { foundation, services, scheduler, kept, memory });
  const tools = withGiven(ours, additions.tools ?? []);
  const plugins = await loadPlugins(settings, { foundation, services, kept, tools, additions });
  checkToolHosts(settings.net.toolHosts, tools, callersOf(plugins));
  const mcp = await openMcp(settings, { foundation, services, additions, frontend });
  if (!foundation.store.unkept) await seedTasks(plugins, scheduler);
  const { store, now } = foundation;
  const proposals = new Proposals({ store, now, ttlHours: settings.approvals.ttlHours });
  const toolbox = new Toolbox({
    tools,
    more: together(() => plugins.tools(), mcp.tools),
    observer: plugins,
    rules: new ApprovalRules(store, now, settings.approvals.allow),
    origins: services.origins,
    proposals,
    isLocalOnly: (project) => services.models.isLocalOnly(project),
    redactor: foundation.redactor,
    log: foundation.log,
    maxResultChars: settings.codeAgent.maxOutputLength,
  });
  const cutOff = openCutOff(foundation, { toolbox, kept, notifier: services.notifier });
  const modules = {
    ...{ foundation, services, scheduler, plugins, mcp, memory, skills, programs },
    ...{ toolbox, jobs, proposals, cutOff },
  };
  const agent = await openAgent(settings, modules);
  return assemble(settings, { ...modules, frontend, agent, undo: kept.undo, additions, createApp });
}
