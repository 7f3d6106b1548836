import { join } from 'node:path';
import { type Agent, createAgent } from '../agent/agent.ts';
import { createClassicEngine } from '../agent/classic/engine.ts';
import { createCodeEngine } from '../agent/code/engine.ts';
import { modeSums } from '../agent/code/mode-stats.ts';
import { createRunCodeTool, type RunCodeDeps } from '../agent/code/run-code-tool.ts';
import { chooseMode, type ModeChoice } from '../agent/mode-choice.ts';
import { apart, promptPaths } from '../agent/prompt.ts';
import type { Redactor } from '../base/redact.ts';
import type { Turn } from '../base/turn.ts';
import { earlierResults, evalsDir, sumUp } from '../evals/results.ts';
import type { ModelControl } from '../models/types.ts';
import type { Prepared } from '../plugins/definition.ts';
import { storedPath } from '../rag/places.ts';
import type { Settings } from '../settings/settings.ts';
import type { Store } from '../store/store.ts';
import { ownReminders } from '../tools/builtin/own-reminders.ts';
import type { Parts } from './parts.ts';

/** The agent with both of its modes. Additions of a workspace are merged with those of plugins. */
export async function openAgent(settings: Settings, parts: Omit<Parts, 'agent'>): Promise<Agent> {
  const { store, log, redactor, artifacts, sandbox, registry, models, projects, obeyed, codeKnobs } = parts;
  const { plugins, memory, programs, toolbox, jobs, proposals, cutOff } = parts;
  const promptsDir = join(settings.home.checkout, 'prompts');
  const ownPromptsDir = join(settings.home.dir, 'prompts');
  const options = settings.codeAgent;
  const traces = tracesOf(settings, redactor);
  const classic = createClassicEngine({ ...settings.agent, artifacts });
  return createAgent({
    store,
    models,
    toolbox,
    plugins: {
      prepare: (turn) => prepared(turn, parts),
      observeTurn: (turn, answer) => plugins.observeTurn(turn, answer),
    },
    projects: {
      prompt: (project) => projects.prompt(project),
      refused: async (project) => [
        ...(await refusedFiles(parts, [...projects.controlFiles(project), ...promptPaths(promptsDir, ownPromptsDir)])),
        ...(await memory.unused(project)),
      ],
      isObeyed: (path) => obeyed.isObeyed(path),
    },
    engines: {
      classic_tools: classic,
      code_agent: createCodeEngine({
        ...{ sandbox, store, log, options, registry, artifacts, promptsDir, ...traces },
        fallback: classic,
        knobs: codeKnobs,
      }),
    },
    promptsDir,
    ownPromptsDir,
    options: { contextWindowTokens: settings.agent.contextWindowTokens, linkHosts: settings.net.linkHosts },
    redactor,
    log,
    registry,
    classicTools: (run) => [
      createRunCodeTool({ sandbox, registry, memoryLimitMb: options.memoryLimitMb, redactor, ...traces }, run),
    ],
    turnTools: programs.toolsFor,
    chooseMode: modeChooser(settings.home.dir, { models, store }),
    jobContext: jobs.contextOf,
    proposals,
    cutOff,
  });
}

/** Everything that other rooms add to a turn: context and tools. */
async function prepared(turn: Turn, parts: Omit<Parts, 'agent'>): Promise<Prepared> {
  const { store, workspaces, scheduler, plugins, mcp, memory, skills, jobs } = parts;
  const reminders = await ownReminders(store, scheduler, turn);
  const own = { context: [...jobs.linesFor(turn), ...reminders], tools: [] };
  const [ofPlugins, ofServers] = await Promise.all([plugins.prepare(turn), mcp.prepare(turn)]);
  const { facts, lines } = await memory.forPrompt(turn);
  const known = { context: lines, private: facts.length > 0, facts };
  return joined(ofPlugins, ofServers, workspaces.prepare(turn), own, known, await skills.prepare(turn));
}

/** Tells the owner which instruction files a turn ignores. */
async function refusedFiles(
  { obeyed, projects }: Pick<Parts, 'obeyed' | 'projects'>,
  paths: readonly string[],
): Promise<readonly string[]> {
  const refused = await obeyed.judge(paths);
  return refused.map(({ path, why }) => {
    const name = storedPath(projects.places, path);
    return `${name} is not followed, because ${why}. If its text is right: wooster trust ${name}`;
  });
}

/** What is recorded of scripts. No known secret enters it; what only looks like one does where its owner wants that. */
function tracesOf(settings: Settings, redactor: Redactor): Pick<RunCodeDeps, 'traceDir' | 'traceRedactor'> {
  const { traceScripts, redactTraces } = settings.codeAgent;
  if (!traceScripts) return {};
  const known = { redactValue: (value: unknown) => redactor.hideKnownIn(value) };
  return { traceDir: scriptTraces(settings), traceRedactor: redactTraces ? undefined : known };
}

/** One file per turn that ran scripts. */
export function scriptTraces({ home }: Settings): string {
  return join(home.logs, 'scripts');
}

function joined(...parts: readonly Partial<Prepared>[]): Prepared {
  return {
    context: apart(...parts.map(({ context = [] }) => context)),
    tools: parts.flatMap(({ tools = [] }) => tools),
    private: parts.some((part) => part.private),
    facts: parts.flatMap(({ facts = [] }) => facts),
    offers: parts.flatMap(({ offers = [] }) => offers),
  };
}

/** Chooses the mode of a turn by the record of the model that would answer it. */
export function modeChooser(
  homeDir: string,
  { models, store }: { readonly models: Pick<ModelControl, 'candidates' | 'usageByMode'>; readonly store: Store },
): () => Promise<ModeChoice & { readonly model: string }> {
  return async () => {
    const [first] = await models.candidates();
    const model = first?.name ?? 'none';
    const last = (await earlierResults(evalsDir(homeDir))).findLast(({ runs }) =>
      runs.some((run) => run.model === model),
    );
    const tried = sumUp((last?.runs ?? []).filter((run) => run.model === model));
    const sums = await modeSums(store, await models.usageByMode());
    const scripts = sums.find((sum) => sum.mode === 'code_agent' && isOf(sum.model, model));
    const { turns = 0, replies = 0, cleanReplies = 0, fallbacks = 0 } = scripts ?? {};
    return {
      model,
      ...chooseMode(
        tried.map((each) => ({ ...each, tokens: each.inputTokens + each.outputTokens })),
        { turns, replies, cleanReplies, fallbacks },
      ),
    };
  };
}

/** Sums name a model with its provider, unless both have the same name. */
function isOf(name: string, model: string): boolean {
  return name === model || name.endsWith(`:${model}`);
}
