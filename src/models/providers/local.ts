import { AssistantError } from '../../base/errors.ts';
import type { Provider } from './provider.ts';

/** Models that were installed into the home and run in a process of ours; `LocalModels` opens them. */
export const local: Provider = {
  id: 'local',
  label: 'Installed model',
  settings: {},
  onMachine: true,
  structured: true,
  // Held by a grammar always, so only counted.
  constraints: [],
  async open({ model }) {
    throw new AssistantError('model_missing_package', `The model ${model} cannot be used without a home.`, {
      hint: 'Start Wooster with a home in which it is installed.',
    });
  },
};
