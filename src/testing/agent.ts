import { resolve } from 'node:path';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type Agent, createAgent } from '../agent/agent.ts';
import { createClassicEngine } from '../agent/classic/engine.ts';
import type { AgentDeps } from '../agent/types.ts';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { type Decision, NOBODY_TO_ASK, type Turn, type TurnContext, type TurnEvent } from '../base/turn.ts';
import type { ModelRequest, Models } from '../models/types.ts';
import type { Store } from '../store/store.ts';
import { ApprovalRules } from '../tools/gate/approvals.ts';
import { Origins } from '../tools/gate/origins.ts';
import { Proposals } from '../tools/gate/proposals.ts';
import { Toolbox } from '../tools/gate/toolbox.ts';
import type { Tool } from '../tools/tool.ts';
import { type Scripted, ScriptedModel } from './scripted-model.ts';
import { openTestStore } from './stores.ts';

export interface TestAgentOptions {
  readonly store?: Store;
  readonly tools?: readonly Tool[];
  /** Tokens. */
  readonly window?: number;
  readonly maxIterations?: number;
  readonly deps?: Partial<AgentDeps>;
  readonly model?: BaseChatModel;
}

export interface TestAgent extends Agent {
  readonly store: Store;
  readonly model: ScriptedModel;
  /** The requests for models, in order. */
  readonly picked: ModelRequest[];
  readonly proposals: Proposals;
}

const NOW = new Date('2026-01-15T09:00:00.000Z');

/** A complete agent in classic mode, with a real store and a scripted model. */
export async function testAgent(replies: readonly Scripted[], options: TestAgentOptions = {}): Promise<TestAgent> {
  const store = options.store ?? (await openTestStore());
  const model = new ScriptedModel(replies);
  const picked: ModelRequest[] = [];
  const proposals = new Proposals({ store, now: () => NOW, ttlHours: 24 });
  const engine = createClassicEngine({ maxIterations: options.maxIterations ?? 50 });
  const agent = await createAgent({
    store,
    models: scriptedModels(options.model ?? model, options.window ?? 128_000, picked),
    toolbox: new Toolbox({
      tools: options.tools ?? [],
      rules: new ApprovalRules(store, () => NOW),
      origins: new Origins(store, () => NOW),
      proposals,
      redactor: new Redactor(),
      log: silentLog,
      maxResultChars: 10_000,
    }),
    plugins: { prepare: async () => ({ context: [], tools: [] }) },
    projects: { prompt: () => undefined },
    engines: { classic_tools: engine, code_agent: engine },
    promptsDir: resolve(import.meta.dirname, '../../prompts'),
    options: {},
    redactor: new Redactor(),
    log: silentLog,
    proposals,
    ...options.deps,
  });
  return { ...agent, store, model, picked, proposals };
}

/** A model registry that always picks the given model. */
function scriptedModels(model: BaseChatModel, contextWindow: number, picked: ModelRequest[] = []): Models {
  return {
    pick: async (request) => {
      picked.push(request);
      return { model, provider: 'scripted', name: 'scripted', local: true, contextWindow, why: [] };
    },
    candidates: async () => [],
    close: async () => {},
  };
}

/** A turn of the conversation `conv_1`, typed on the command line; its id is derived from the text. */
export function testTurn(text: string, turn: Partial<Turn> = {}): Turn {
  const id = turn.id ?? `turn_${text.replace(/\W+/gu, '_').slice(0, 40)}`;
  return { conversationId: 'conv_1', origin: 'cli', mode: 'classic_tools', project: 'home', ...turn, id, text };
}

export interface TestContext extends TurnContext {
  /** Everything that was shown, in order. */
  readonly events: TurnEvent[];
}

/** A context that records events and, unless `decide` is given, refuses every approval as if nobody could be asked. */
export function testContext(options: { signal?: AbortSignal; decide?: Decision; now?: () => Date } = {}): TestContext {
  const events: TurnEvent[] = [];
  return {
    events,
    signal: options.signal ?? new AbortController().signal,
    now: options.now ?? (() => NOW),
    timeZone: 'Europe/Oslo',
    show: (event) => events.push(event),
    approve: async () => options.decide ?? NOBODY_TO_ASK,
  };
}
