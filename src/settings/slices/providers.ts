import type { ProviderSettings } from '../../models/options.ts';
import { PROVIDERS } from '../../models/providers/list.ts';
import type { SettingText } from '../../models/providers/provider.ts';
import { flag, type Setting, secret, text, url } from '../setting.ts';

/** What kind of value each setting of a provider has; none has a default but `enabled`. */
const KINDS = {
  apiKey: (about: SettingText) => secret({ ...about, default: undefined }),
  baseUrl: (about: SettingText) => url({ ...about, default: undefined }),
  model: (about: SettingText) => text({ ...about, default: undefined }),
  embeddingModel: (about: SettingText) => text({ ...about, default: undefined }),
  enabled: (about: SettingText) => flag({ ...about, default: true }),
} satisfies Record<keyof ProviderSettings, (about: SettingText) => Setting<unknown>>;

type ProviderTable = { readonly [Field in keyof typeof KINDS]?: ReturnType<(typeof KINDS)[Field]> };

/** The settings of each provider, by provider id; part of the slice `models`. A new provider needs no line here. */
export const providers: Readonly<Record<string, ProviderTable>> = Object.fromEntries(
  PROVIDERS.map(({ id, settings }) => [id, settingsOf(settings)]),
);

function settingsOf(texts: (typeof PROVIDERS)[number]['settings']): ProviderTable {
  const entries = Object.entries(texts) as [keyof ProviderSettings, SettingText][];
  return Object.fromEntries(entries.map(([field, about]) => [field, KINDS[field](about)]));
}
