import { anthropic } from './anthropic.ts';
import { builtin } from './builtin.ts';
import { compatible } from './compatible.ts';
import { google } from './google.ts';
import { local } from './local.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';
import type { Provider } from './provider.ts';

/** Every bundled provider, in the order in which configured ones are asked. Clients load on first use. */
export const PROVIDERS: readonly Provider[] = [openai, anthropic, google, ollama, compatible, local, builtin];

const BY_NAME = new Map(PROVIDERS.flatMap((each) => [each.id, ...(each.aliases ?? [])].map((name) => [name, each])));

/** The bundled provider of a name or alias, in any case; undefined for those of plugins and third parties. */
export function providerOf(name: string): Provider | undefined {
  return BY_NAME.get(name.toLowerCase());
}

/** The variable that holds a provider's key: its own, or that of the provider whose settings it shares. */
export function keyNameOf(name: string): string | undefined {
  const provider = providerOf(name);
  return (provider?.settings.apiKey ?? providerOf(provider?.standsInFor ?? '')?.settings.apiKey)?.env;
}

/** Resolves aliases: `gemini` is `google`, `lmstudio` is `compatible`. Unknown names come back in lower case. */
export function providerId(name: string): string {
  return providerOf(name)?.id ?? name.toLowerCase();
}
