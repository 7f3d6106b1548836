import type { Provider } from './provider.ts';

/** Wooster's own rule-based model: no key, no network. */
export const builtin: Provider = {
  id: 'builtin',
  label: 'Built-in model',
  settings: {},
  inProcess: true,
  // A few hundred requests: it searches the conversation for its last subject, and reads all of it at each step.
  looksBackTokens: 4000,
  defaultModel: 'builtin',
  models: [[/^builtin$/u, 1_000_000, 1, 5, [0, 0, 0]]],
  async open({ now, timeZone }) {
    const { BuiltinChatModel } = await import('../builtin/builtin-model.ts');
    return new BuiltinChatModel({ now, timeZone });
  },
};
