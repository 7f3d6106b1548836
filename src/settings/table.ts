import type { Setting } from './setting.ts';
import { agent, codeAgent } from './slices/agent.ts';
import { approvals } from './slices/approvals.ts';
import { backup } from './slices/backup.ts';
import { bundled } from './slices/bundled.ts';
import { channels } from './slices/channels.ts';
import { files } from './slices/files.ts';
import { models } from './slices/models.ts';
import { net, web } from './slices/net.ts';
import { program } from './slices/program.ts';
import { rag } from './slices/rag.ts';
import { routes } from './slices/routes.ts';
import { scheduler } from './slices/scheduler.ts';
import { server } from './slices/server.ts';
import { shared } from './slices/shared.ts';
import { workspace } from './slices/workspace.ts';

/** Every setting, by slice: the part of the settings that one folder of src/ gets. */
const TABLE = {
  program,
  agent,
  codeAgent,
  models,
  channels,
  routes,
  scheduler,
  net,
  web,
  approvals,
  rag,
  workspace,
  files,
  server,
  backup,
  shared,
  bundled,
} as const;

type ValueOf<S> = S extends Setting<infer T> ? T : { readonly [Name in keyof S]: ValueOf<S[Name]> };

/** The settings as the modules get them: one frozen object, a slice per module. */
export type SettingValues = ValueOf<typeof TABLE>;

interface Entry {
  /** Where its value is in `SettingValues`, module first. */
  readonly path: readonly string[];
  readonly setting: Setting<unknown>;
}

/** A slice may hold groups of settings, to any depth. */
interface Group {
  readonly [name: string]: Group | Setting<unknown>;
}

/** Every setting, in the order of the docs. */
export function everySetting(): Entry[] {
  return entriesOf(TABLE as unknown as Group, []);
}

/** The environment variables that are settings, older names included. */
export function settingNames(): string[] {
  return everySetting().flatMap(({ setting }) => [setting.env, ...setting.aliases]);
}

function entriesOf(group: Group, path: readonly string[]): Entry[] {
  return Object.entries(group).flatMap(([name, each]) => {
    const here = [...path, name];
    return isSetting(each) ? [{ path: here, setting: each }] : entriesOf(each, here);
  });
}

/** Groups never hold a schema; a setting called `schema` would need another test. */
function isSetting(each: Group | Setting<unknown>): each is Setting<unknown> {
  return 'schema' in each;
}
