import { isRecord } from '../base/json.ts';
import type { ModelsOptions } from '../models/options.ts';
import type { ModelRequest } from '../models/types.ts';
import { everySetting } from '../settings/table.ts';

/** What a turn in classic mode asks for. */
export const modelRequest = (changes: Partial<ModelRequest> = {}): ModelRequest => ({
  profile: 'TOOL_EXECUTION',
  mode: 'classic_tools',
  project: 'home',
  purpose: 'turn',
  signal: new AbortController().signal,
  ...changes,
});

type Changed<T> = T extends readonly unknown[] ? T : T extends object ? { readonly [K in keyof T]?: Changed<T[K]> } : T;

/** Options to change; groups are merged with the defaults, lists are replaced. */
export type ModelsChanges = Changed<ModelsOptions>;

/** The default settings of the models, with changes applied in order; no server on this machine is looked for. */
export function modelsOptions(...changes: readonly ModelsChanges[]): ModelsOptions {
  const defaults: Record<string, unknown> = { providers: {}, localEnabled: false };
  for (const { path, setting } of everySetting()) {
    const [room, ...names] = path;
    if (room === 'models' && names[0] !== 'localEnabled') merge(defaults, nested(names, setting.default));
  }
  for (const each of changes) merge(defaults, each as Record<string, unknown>);
  return defaults as unknown as ModelsOptions;
}

function nested([name = '', ...rest]: readonly string[], value: unknown): Record<string, unknown> {
  return { [name]: rest.length > 0 ? nested(rest, value) : value };
}

function merge(target: Record<string, unknown>, changes: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(changes)) {
    if (!isRecord(value)) target[name] = value;
    else {
      const inner = isRecord(target[name]) ? target[name] : {};
      target[name] = inner;
      merge(inner, value);
    }
  }
}
