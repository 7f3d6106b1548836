import type { ModelsOptions } from '../models/options.ts';
import { models } from '../settings/slices/models.ts';

/** The default settings of the models, with some of them changed. */
export function modelsOptions(changes: Partial<ModelsOptions> = {}): ModelsOptions {
  const defaults = Object.fromEntries(Object.entries(models).map(([name, setting]) => [name, setting.default]));
  return { ...(defaults as unknown as ModelsOptions), localEnabled: false, ...changes };
}
