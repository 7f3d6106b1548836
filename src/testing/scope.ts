import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { type Decision, NOBODY_TO_ASK, type Turn, type TurnContext, type TurnEvent } from '../base/turn.ts';
import type { Store } from '../store/store.ts';
import { ApprovalRules } from '../tools/gate/approvals.ts';
import { EffectLedger } from '../tools/gate/effect-ledger.ts';
import { CLEAN, Labels } from '../tools/gate/labels.ts';
import { Origins } from '../tools/gate/origins.ts';
import { Toolbox } from '../tools/gate/toolbox.ts';
import { startTurnState } from '../tools/gate/turn-state.ts';
import type { CallScope, ToolboxDeps } from '../tools/gate/types.ts';
import type { Tool } from '../tools/tool.ts';
import { openTestStore } from './stores.ts';

export interface TestScope extends CallScope {
  readonly store: Store;
  /** Everything shown so far, in order. */
  readonly events: TurnEvent[];
}

export interface ScopeOptions {
  readonly store?: Store;
  readonly turn?: Partial<Turn>;
  readonly signal?: AbortSignal;
  readonly decide?: Decision;
  readonly now?: () => Date;
  readonly timeZone?: string;
}

const NOW = new Date('2026-01-15T09:00:00.000Z');

/** A turn's scope over a real store in memory. There is nobody to ask for approval unless `decide` answers. */
export async function testScope(options: ScopeOptions = {}): Promise<TestScope> {
  const store = options.store ?? (await openTestStore());
  const now = options.now ?? (() => NOW);
  const turn: Turn = {
    id: 'turn_1',
    conversationId: 'conv_1',
    text: 'do it',
    origin: 'cli',
    mode: 'classic_tools',
    project: 'home',
    ...options.turn,
  };
  const events: TurnEvent[] = [];
  const context: TurnContext = {
    signal: options.signal ?? new AbortController().signal,
    now,
    timeZone: options.timeZone ?? 'Europe/Oslo',
    show: (event) => events.push(event),
    approve: async () => options.decide ?? NOBODY_TO_ASK,
  };
  return {
    store,
    events,
    turn,
    context,
    labels: new Labels(CLEAN),
    ledger: new EffectLedger({ store, turn, now }),
    said: [turn.text],
    ...startTurnState(),
  };
}

/** A real toolbox on the scope's store, with parts of a test's own. */
export function testToolbox(
  tools: readonly Tool[],
  scope: TestScope,
  own: Partial<Omit<ToolboxDeps, 'tools'>> = {},
): Toolbox {
  return new Toolbox({
    tools,
    rules: new ApprovalRules(scope.store, scope.context.now),
    origins: new Origins(scope.store, scope.context.now),
    redactor: new Redactor(),
    log: silentLog,
    maxResultChars: 10_000,
    ...own,
  });
}
