import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { openBuiltin } from '../builtin/open.ts';
import type { SetupDesk, Variables } from '../face/setup-desk.ts';
import { createModels } from '../models/models.ts';
import type { ModelsOptions } from '../models/options.ts';
import { chatModels, findLocalServer, listModels } from '../models/servers.ts';
import type { Models } from '../models/types.ts';
import { completed, connectChannels, findChannel } from '../notify/channels.ts';
import { locateHome } from '../settings/home.ts';
import { loadSettings, type Settings } from '../settings/settings.ts';
import { settingNames } from '../settings/table.ts';
import type { Foundation } from './foundation.ts';

const NO_TIER = { url: undefined, model: undefined };
/** Somebody waits for the check. */
const ANSWER_MS = 60_000;
const ANSWER_TOKENS = 32;

/** What `wooster setup` needs of the program. @param find  looks for a server on this machine. */
export function openSetup(
  settings: Settings,
  parts: Omit<Foundation, 'artifacts'>,
  find: typeof findLocalServer = findLocalServer,
): SetupDesk {
  const { home, env, models } = settings;
  const { gateway, store, log, redactor, now, timeZone } = parts;
  const asking = {
    fetchFor: (caller: string, origins: readonly string[]) => gateway.fetchFor(caller, origins),
    timeoutMs: models.health.timeoutMs,
  };
  const loadTried = (variables: Variables) => {
    const tried = loadSettings(home.dir, { ...env, ...variables });
    for (const secret of tried.secrets) redactor.add(secret);
    return tried;
  };
  const connected = (id: string, variables: Variables) => {
    const tried = loadTried(variables);
    return connectChannels(completed(tried.channels, tried.bundled), { gateway }).find((each) => each.id === id);
  };
  return {
    places: { ...home, usual: locateHome(undefined, {}).dir },
    settingNames,
    envFile: home.envFile,
    whereSet: (variable) => (env[variable] ? whereFrom(home.envFile, variable, env[variable]) : undefined),
    async findServer() {
      const found = models.localEnabled ? await find(asking) : undefined;
      return found?.model && found.baseUrl ? { baseUrl: found.baseUrl, model: found.model } : undefined;
    },
    async modelsOf(baseUrl, apiKey) {
      const answer = await listModels({ provider: 'compatible', baseUrl, apiKey }, asking);
      return answer.state === 'ready' ? chatModels(answer.models) : [];
    },
    channelWith(id, variables) {
      const channel = connected(id, variables);
      const health = channel?.health() ?? { configured: false, detail: `there is no channel ${id}` };
      return { ...health, receives: channel?.inbound !== undefined };
    },
    sendBy: async (id, { variables, text, signal }) =>
      connected(id, variables)?.send(text, signal) ?? { state: 'failed', detail: `there is no channel ${id}` },
    subscription: (id, variables) => findChannel(id)?.subscribe?.(loadTried(variables).channels),
    tryModel: async (section, variables, call) => {
      const { models: tried } = loadTried(variables);
      const trial = createModels({
        options: only(section, tried),
        ...{ store, log, redactor, now, timeZone },
        fetchFor: asking.fetchFor,
        modelFetch: (caller) => gateway.modelFetch(caller),
        projectsDir: home.projects,
        handed: { builtin: openBuiltin },
      });
      return nameOfReady(trial, call).finally(() => trial.close());
    },
  };
}

/** @returns the name of the model that was picked and has answered. */
async function nameOfReady(
  models: Models,
  { project, signal }: { project: string; signal: AbortSignal },
): Promise<string> {
  const request = { profile: 'TOOL_EXECUTION', mode: 'classic_tools', project, purpose: 'turn', signal } as const;
  const { model, name } = await models.pick({ ...request, maxTokens: ANSWER_TOKENS });
  await model.invoke('Reply with the word "ready".');
  return name;
}

function whereFrom(envFile: string, variable: string, value: string): 'environment' | 'file' {
  try {
    return parseEnv(readFileSync(envFile, 'utf8'))[variable] === value ? 'file' : 'environment';
  } catch {
    return 'environment';
  }
}

/** One provider alone: with others present, one of those could answer when it refuses the key. */
function only(section: string, options: ModelsOptions): ModelsOptions {
  const { limits, providers } = options;
  return {
    ...options,
    more: [],
    providers: { [section]: providers[section] ?? {} },
    localServerUrl: undefined,
    tiers: { fast: NO_TIER, thinking: NO_TIER },
    localEnabled: false,
    limits: { ...limits, totalMs: Math.min(limits.totalMs, ANSWER_MS) },
  };
}
