import type { Provider } from './provider.ts';

/** Wooster's own rule-based model: no key, no network. */
export const builtin: Provider = {
  id: 'builtin',
  label: 'Built-in model',
  settings: {},
  inProcess: true,
  // Some hundred requests: it looks for what was last talked about, and reads all of it at each step of a turn.
  looksBackTokens: 4000,
  defaultModel: 'builtin',
  models: [[/^builtin$/u, 1_000_000, 1, 5, [0, 0, 0]]],
  async open({ now, timeZone }) {
    const { BuiltinChatModel } = await import('../builtin/builtin-model.ts');
    return new BuiltinChatModel({ now, timeZone });
  },
};
