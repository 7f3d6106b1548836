import { existsSync, readFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { Load } from 'config/lib/util.js';
import { AssistantError, messageOf } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { type Home, locateHome, withFolders } from './home.ts';
import { isKeychainEntry, readKeychain } from './keychain.ts';
import type { Setting } from './setting.ts';
import { everySetting, type SettingValues } from './table.ts';

/** All settings of one start, validated and frozen. */
export interface Settings extends SettingValues {
  readonly home: Home;
  /** `plugins.<name>` of the config files; each plugin validates its own. */
  readonly plugins: Readonly<Record<string, unknown>>;
  /** The values of all secret settings, for the redactor. */
  readonly secrets: readonly string[];
  /** The variables that were read, including those of `.env`; plugins are granted variables from here. */
  readonly env: NodeJS.ProcessEnv;
}

/** The program's own files in config/; the others belong to the owner of the machine. */
const PROGRAM_FILES = new Set(['default.json', 'custom-environment-variables.json']);
/** Placeholders from example files; they count as not set. */
const PLACEHOLDER = /^(?:YOUR_\w+_HERE|changeme|<[^>]*>)$/iu;

/**
 * Read config files and environment. Later ones win: config/default.json, config/local.json of the checkout, that of
 * the home, `.env`, the real environment. Writes to `process.env`: the variables of `.env`, and current names for
 * legacy ones.
 *
 * @param env where variables come from, and where those of `.env` go. The program uses its own environment; an
 *            embedder hands over a copy, so that nothing of the host process changes.
 * @param options `alone`: what belongs to the machine's owner stays out: config/local.json of the checkout and the
 *            system keychain.
 * @throws AssistantError `bad_setting` naming key, variable, problem and fix.
 */
export function loadSettings(
  homeDir?: string,
  env: NodeJS.ProcessEnv = process.env,
  { alone = false }: { readonly alone?: boolean } = {},
): Settings {
  const home = locateHome(homeDir, env);
  readEnvFile(home.envFile, env);
  const named = adoptLegacyNames(env);
  const raw = readConfig(home, env, alone);
  const values: Record<string, unknown> = {};
  const secrets: string[] = [];
  for (const { path, setting } of everySetting()) {
    const found = secretValue(setting, at(raw, setting.key), alone);
    const parsed = setting.schema.safeParse(isUnset(found) ? setting.default : found);
    if (!parsed.success)
      throw badSetting(
        { ...setting, env: named.get(setting.env) ?? setting.env },
        parsed.error.issues[0]?.message ?? 'not valid',
      );
    put(values, path, parsed.data);
    if (setting.secret && typeof parsed.data === 'string') secrets.push(parsed.data);
  }
  const plugins = withBundled(asRecord(asRecord(raw).plugins), asRecord(values.bundled));
  const settings = deepFreeze(values) as unknown as SettingValues;
  return Object.freeze({ ...settings, home: withFolders(home, settings.shared), secrets, plugins, env });
}

/** The plugins' sections as written, with validated values for the settings of bundled ones. */
function withBundled(sections: Record<string, unknown>, bundled: Record<string, unknown>): Record<string, unknown> {
  const merged = Object.entries(bundled).map(([name, values]) => [
    name,
    { ...asRecord(sections[name]), ...asRecord(values) },
  ]);
  return { ...sections, ...Object.fromEntries(merged) };
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** Set a value at its path, creating the objects on the way. */
function put(root: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let node = root;
  for (const part of path.slice(0, -1)) {
    const inner = isRecord(node[part]) ? node[part] : {};
    node[part] = inner;
    node = inner;
  }
  node[path.at(-1) ?? ''] = value;
}

/** Settings are shared by everything, so nothing may change them. */
function deepFreeze(value: Record<string, unknown>): Record<string, unknown> {
  for (const inner of Object.values(value)) if (isRecord(inner)) deepFreeze(inner);
  return Object.freeze(value);
}

/** A secret may be kept in the system keychain, with only its name in the settings. */
function secretValue(setting: Setting<unknown>, found: unknown, alone: boolean): unknown {
  if (!setting.secret || !isKeychainEntry(found)) return found;
  if (alone) throw badSetting(setting, 'the keychain belongs to whoever runs the service');
  return readKeychain(found, setting.env);
}

function readEnvFile(path: string, env: NodeJS.ProcessEnv): void {
  if (!existsSync(path)) return;
  try {
    for (const [name, value] of Object.entries(parseEnv(readFileSync(path, 'utf8')))) env[name] ??= value;
  } catch (error) {
    const hint = 'Check that it is a readable text file.';
    throw new AssistantError('bad_setting', `Cannot read ${path}: ${messageOf(error)}.`, { hint, cause: error });
  }
}

/** Legacy variables still work; the current name wins. @returns the name that was set, by the current one. */
function adoptLegacyNames(env: NodeJS.ProcessEnv): ReadonlyMap<string, string> {
  const named = new Map<string, string>();
  for (const { setting } of everySetting()) {
    const old = setting.aliases.find((name) => env[name]);
    if (env[setting.env] || old === undefined) continue;
    env[setting.env] = env[old];
    named.set(setting.env, old);
  }
  return named;
}

/** Takes the variables from the environment it is given; `Load` by itself knows only the process's own. */
class EnvLoad extends Load {
  readonly #env: NodeJS.ProcessEnv;
  readonly #skip: (file: string) => boolean;

  constructor(
    options: ConstructorParameters<typeof Load>[0],
    env: NodeJS.ProcessEnv,
    skip: (file: string) => boolean = () => false,
  ) {
    super(options);
    this.#env = env;
    this.#skip = skip;
  }

  override loadFile(file: string, ...rest: []): ReturnType<Load['loadFile']> {
    return this.#skip(file) ? null : super.loadFile(file, ...rest);
  }

  protected override substituteDeep(map: object): unknown {
    return super.substituteDeep(map, this.#env);
  }
}

function readConfig(home: Home, env: NodeJS.ProcessEnv, alone: boolean): unknown {
  const dirs = [...new Set([join(home.checkout, 'config'), join(home.dir, 'config')])];
  const options = { configDir: dirs.join(delimiter), nodeEnv: [env.NODE_ENV ?? 'development'] };
  const ofOwner = (file: string) => dirname(file) === dirs[0] && !PROGRAM_FILES.has(basename(file));
  const loader = new EnvLoad(options, env, alone ? ofOwner : undefined);
  try {
    loader.scan();
  } catch (error) {
    const hint = 'Fix the file; it must be valid JSON.';
    throw new AssistantError('bad_setting', messageOf(error), { hint, cause: error });
  }
  return loader.config;
}

/** The value at a dotted key; undefined where a part is missing. */
function at(config: unknown, key: string): unknown {
  let value: unknown = config;
  for (const part of key.split('.')) value = isRecord(value) ? value[part] : undefined;
  return typeof value === 'string' ? unquote(value) : value;
}

/** Some shells and legacy files wrap values in quotes: take off one pair. */
function unquote(value: string): string {
  const inner = /^(["'])(.*)\1$/su.exec(value.trim());
  return inner?.[2] ?? value;
}

/** An empty variable counts as missing, so that a line of `.env` can be left blank. */
function isUnset(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (typeof value === 'string' && PLACEHOLDER.test(value))
  );
}

function badSetting(setting: { key: string; env: string; form: string }, problem: string): AssistantError {
  return new AssistantError('bad_setting', `Setting ${setting.key} (${setting.env}) is not valid: ${problem}.`, {
    hint: `Set ${setting.env} to: ${setting.form}. Or remove it to use the default.`,
  });
}
