import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import { MODES, type Mode } from '../../base/turn.ts';
import type { App } from '../../face/app.ts';

/** Whether calls that need approval are asked about in the editor, or wait for `wooster approve`. */
export const HABITS = ['ask', 'later'] as const;
export type Habit = (typeof HABITS)[number];

/** What a person can choose for a session. */
export interface Choices {
  mode: Mode;
  project: string;
  /** `provider:model`; undefined: the router chooses. */
  model: string | undefined;
  habit: Habit;
}

const MODE_NAMES: Readonly<Record<Mode, { readonly name: string; readonly description: string }>> = {
  classic_tools: { name: 'Tools', description: 'The model calls tools one by one' },
  code_agent: { name: 'Code', description: 'The model writes one script for several steps' },
};
const ROUTER = 'auto';

export function modeState({ mode }: Pick<Choices, 'mode'>): SessionModeState {
  return { currentModeId: mode, availableModes: MODES.map((id) => ({ id, ...MODE_NAMES[id] })) };
}

/** The same choices for clients that know options instead of modes. */
export async function configOptions(app: App, choices: Choices): Promise<SessionConfigOption[]> {
  const models = (await app.models.candidates()).map(({ provider, name }) => `${provider}:${name}`);
  const select = (currentValue: string, values: readonly (readonly [value: string, name: string])[]) => {
    const options = values.map(([value, name]) => ({ value, name }));
    return { type: 'select' as const, currentValue, options };
  };
  const modes = MODES.map((mode) => [mode, MODE_NAMES[mode].name] as const);
  const named = [ROUTER, ...models].map((model) => [model, model === ROUTER ? 'chosen by Wooster' : model] as const);
  const projects = app.knowledge.projects.list().map((name) => [name, name] as const);
  const habits = [
    ['ask', 'ask here'],
    ['later', 'keep them for `wooster approve`'],
  ] as const;
  return [
    { id: 'mode', name: 'Mode', category: 'mode', ...select(choices.mode, modes) },
    { id: 'model', name: 'Model', category: 'model', ...select(choices.model ?? ROUTER, named) },
    { id: 'project', name: 'Project', ...select(choices.project, projects) },
    { id: 'approvals', name: 'Calls that need approval', ...select(choices.habit, habits) },
  ];
}

/** @returns the reason why it cannot be chosen. */
export async function choose(app: App, choices: Choices, id: string, value: unknown): Promise<string | undefined> {
  const option = (await configOptions(app, choices)).find((each) => each.id === id);
  if (option?.type !== 'select') return `there is no option "${id}"`;
  const known = option.options.some((each) => 'value' in each && each.value === value);
  if (!known || typeof value !== 'string') return `${id} cannot be ${JSON.stringify(value)}`;
  if (id === 'mode') choices.mode = value as Mode;
  if (id === 'model') choices.model = value === ROUTER ? undefined : value;
  if (id === 'project') choices.project = value;
  if (id === 'approvals') choices.habit = value as Habit;
  return undefined;
}
