import { AssistantError } from '../base/errors.ts';
import type { ModelProvider } from '../models/providers/completing.ts';
import { PROVIDERS, providerOf } from '../models/providers/list.ts';
import type { ModelChoice } from '../models/types.ts';
import { loadSettings, type Settings } from '../settings/settings.ts';
import type { AssistantOptions, ModelSetup } from './types.ts';

/** The router's name for a chat model of the embedder. */
export const OWN_PROVIDER = 'own';

/** Whether this is a chat model rather than the description of one. */
export function isChatModel(model: AssistantOptions['model']): model is ModelChoice['model'] {
  return typeof model === 'object' && 'invoke' in model;
}

/**
 * The settings of one assistant: those of the home and the environment, with the options on top. Reads a copy of the
 * environment, so that assistants side by side, and their host, keep their own.
 *
 * @throws AssistantError `bad_setting`, `bad_usage`.
 */
export function settingsFrom(options: AssistantOptions): Settings {
  const env = { ...(options.env ?? process.env), ...variablesOf(options) };
  return loadSettings(options.home, env as NodeJS.ProcessEnv);
}

function variablesOf({ timeZone, model }: AssistantOptions): Record<string, string> {
  return { ...(timeZone === undefined ? {} : { WOOSTER_TIME_ZONE: timeZone }), ...modelVariables(model) };
}

/** Whether this is a provider of the embedder: it completes but is not a chat model. */
export function isModelProvider(model: AssistantOptions['model']): model is ModelProvider {
  return typeof model === 'object' && 'complete' in model && !('invoke' in model);
}

function modelVariables(model: AssistantOptions['model']): Record<string, string> {
  if (model === undefined) return {};
  if (typeof model === 'string') return { MODEL_NAME: model };
  if (isChatModel(model)) return { MODEL_NAME: `${OWN_PROVIDER}:${model.getName()}` };
  if (isModelProvider(model)) return { MODEL_NAME: `${OWN_PROVIDER}:default` };
  const name = model.model ?? providerOf(model.provider)?.defaultModel;
  // Its server is asked for its models, so no other provider may come first.
  const first = name === undefined ? withoutOthers(model.provider) : { MODEL_NAME: `${model.provider}:${name}` };
  return { ...first, ...accessVariables(model) };
}

function withoutOthers(provider: string): Record<string, string> {
  const kept = providerOf(provider);
  const ours = kept?.standsInFor ?? kept?.id;
  const others = PROVIDERS.filter(({ id }) => id !== ours).flatMap(({ settings }) => [
    settings.apiKey,
    settings.baseUrl,
  ]);
  const base = kept?.settings.baseUrl && kept.defaultUrl ? { [kept.settings.baseUrl.env]: kept.defaultUrl } : {};
  return { ...Object.fromEntries(others.flatMap((each) => (each ? [[each.env, '']] : []))), ...base };
}

/** Sets the variables that the provider's own descriptor names. */
function accessVariables({ provider, model, apiKey, baseUrl }: ModelSetup): Record<string, string> {
  const found = providerOf(provider);
  const settings = (providerOf(found?.standsInFor ?? '') ?? found)?.settings;
  const given = [
    [settings?.apiKey?.env, apiKey],
    [settings?.baseUrl?.env, baseUrl],
  ] as const;
  const named = [
    ...given,
    // Otherwise a server with an address but no model is asked for its models.
    [settings?.model?.env, model],
  ] as const;
  if (given.some(([env, value]) => env === undefined && value !== undefined)) {
    const names = PROVIDERS.map(({ id }) => id).join(', ');
    const hint = `Providers with settings: ${names}. Pass others as a LangChain model.`;
    throw new AssistantError('bad_usage', `The provider ${provider} does not take that apiKey or baseUrl.`, { hint });
  }
  return Object.fromEntries(named.flatMap(([env, value]) => (env && value !== undefined ? [[env, value]] : [])));
}
