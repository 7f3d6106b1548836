import { Costs } from '../lang/runtime/costs.ts';
import type { AiHost } from '../lang/runtime/host.ts';
import type { ModelRequest } from '../models/types.ts';
import { type Scripted, ScriptedModel } from './scripted-model.ts';

/** What AI calls run on, with one model that replies from a script. `name` is its own where servers are remembered. */
export function scriptedHost(replies: readonly Scripted[], own: Partial<AiHost> = {}, name = 'm') {
  const model = new ScriptedModel(replies);
  const picked: ModelRequest[] = [];
  const warnings: string[] = [];
  const host: AiHost = {
    models: {
      pick: async (request) => {
        picked.push(request);
        return { model, provider: 'scripted', name, local: true, contextWindow: 8_000, why: [] };
      },
    },
    redactor: { redact: (text) => text.replaceAll('sk-secret', '[key]') },
    runTurn: () => Promise.reject(new Error('no turn is expected')),
    ...{ project: 'home', mode: 'classic_tools', origin: 'embed', timeZone: 'UTC' },
    now: () => new Date('2026-01-15T09:00:00.000Z'),
    signal: new AbortController().signal,
    costs: new Costs(),
    warn: (text) => warnings.push(text),
    ...own,
  };
  /** The words of each request, without those that are the same for all. */
  const asked = () => model.requests.map(({ messages }) => messages.slice(1).map(({ text }) => text));
  return { host, model, picked, warnings, asked };
}
