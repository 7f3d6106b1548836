import type { Setting } from './setting.ts';
import { agent, codeAgent } from './slices/agent.ts';
import { approvals } from './slices/approvals.ts';
import { channels } from './slices/channels.ts';
import { models } from './slices/models.ts';
import { net, web } from './slices/net.ts';
import { program } from './slices/program.ts';
import { rag } from './slices/rag.ts';
import { scheduler } from './slices/scheduler.ts';
import { workspace } from './slices/workspace.ts';

/** Every setting, by room. */
export const TABLE = {
  program,
  agent,
  codeAgent,
  models,
  channels,
  scheduler,
  net,
  web,
  approvals,
  rag,
  workspace,
} as const;

type ValueOf<S> = S extends Setting<infer T> ? T : never;

/** The settings as the rooms get them: one frozen object, a slice per room. */
export type SettingValues = {
  readonly [Room in keyof typeof TABLE]: {
    readonly [Name in keyof (typeof TABLE)[Room]]: ValueOf<(typeof TABLE)[Room][Name]>;
  };
};

/** Room, name and description of each setting, in the order of the docs. */
export function everySetting(): { readonly room: string; readonly name: string; readonly setting: Setting<unknown> }[] {
  return Object.entries(TABLE).flatMap(([room, slice]) =>
    Object.entries(slice).map(([name, setting]) => ({ room, name, setting: setting as Setting<unknown> })),
  );
}
