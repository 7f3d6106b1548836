import type { Provider } from './provider.ts';

/** The assistant without a model: no key, no network. It knows the tools, so the program hands it over. */
export const builtin: Provider = {
  id: 'builtin',
  label: 'Built-in model',
  settings: {},
  inProcess: true,
  // A few hundred requests: it searches the conversation for its last subject, and reads all of it at each step.
  looksBackTokens: 4000,
  defaultModel: 'builtin',
  models: [[/^builtin$/u, 1_000_000, 1, 5, [0, 0, 0]]],
};
