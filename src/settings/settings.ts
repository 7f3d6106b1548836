import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { loadEnvFile } from 'node:process';
import { Load } from 'config/lib/util.js';
import { AssistantError, messageOf } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';
import { type Home, locateHome } from './home.ts';
import { isKeychainEntry, readKeychain } from './keychain.ts';
import { everySetting, type SettingValues } from './table.ts';

/** All settings of one start, validated and frozen. */
export interface Settings extends SettingValues {
  readonly home: Home;
  /** `plugins.<name>` of the config files; each plugin validates its own. */
  readonly plugins: Readonly<Record<string, unknown>>;
  /** The values of all secret settings, for the redactor. */
  readonly secrets: readonly string[];
}

/** Placeholders from example files; they count as not set. */
const PLACEHOLDER = /^(?:YOUR_\w+_HERE|changeme|<[^>]*>)$/iu;

/**
 * Read config files and environment. Later ones win: config/default.json, config/local.json of the checkout, that of
 * the home, `.env`, the real environment. Writes to `process.env`: the variables of `.env`, and current names for
 * legacy ones.
 *
 * @throws AssistantError `bad_setting` naming key, variable, problem and fix.
 */
export function loadSettings(homeDir?: string): Settings {
  const home = locateHome(homeDir);
  readEnvFile(home.envFile);
  adoptLegacyNames();
  const raw = readConfig(home);
  const values: Record<string, unknown> = {};
  const secrets: string[] = [];
  for (const { path, setting } of everySetting()) {
    const found = secretValue(setting, at(raw, setting.key));
    const parsed = setting.schema.safeParse(isUnset(found) ? setting.default : found);
    if (!parsed.success) throw badSetting(setting, parsed.error.issues[0]?.message ?? 'not valid');
    put(values, path, parsed.data);
    if (setting.secret && typeof parsed.data === 'string') secrets.push(parsed.data);
  }
  const plugins = isRecord(raw) && isRecord(raw.plugins) ? raw.plugins : {};
  return Object.freeze({ ...(deepFreeze(values) as unknown as SettingValues), home, secrets, plugins });
}

/** Set a value at its path, making the objects on the way. */
function put(root: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let node = root;
  for (const part of path.slice(0, -1)) {
    const inner = isRecord(node[part]) ? node[part] : {};
    node[part] = inner;
    node = inner;
  }
  node[path.at(-1) ?? ''] = value;
}

function deepFreeze(value: Record<string, unknown>): Record<string, unknown> {
  for (const inner of Object.values(value)) if (isRecord(inner)) deepFreeze(inner);
  return Object.freeze(value);
}

/** A secret may be kept in the system keychain, with only its name in the settings. */
function secretValue(setting: { readonly secret: boolean; readonly env: string }, found: unknown): unknown {
  return setting.secret && isKeychainEntry(found) ? readKeychain(found, setting.env) : found;
}

function readEnvFile(path: string): void {
  if (!existsSync(path)) return;
  try {
    loadEnvFile(path);
  } catch (error) {
    const hint = 'Check that it is a readable text file.';
    throw new AssistantError('bad_setting', `Cannot read ${path}: ${messageOf(error)}.`, { hint, cause: error });
  }
}

/** Legacy variables still work; the current name wins. */
function adoptLegacyNames(): void {
  for (const { setting } of everySetting()) {
    const old = setting.aliases.map((name) => process.env[name]).find((value) => value);
    if (!process.env[setting.env] && old) process.env[setting.env] = old;
  }
}

function readConfig(home: Home): unknown {
  const dirs = [...new Set([join(home.checkout, 'config'), join(home.dir, 'config')])];
  const loader = new Load({ configDir: dirs.join(delimiter), nodeEnv: [process.env.NODE_ENV ?? 'development'] });
  try {
    loader.scan();
  } catch (error) {
    const hint = 'Fix the file; it must be valid JSON.';
    throw new AssistantError('bad_setting', messageOf(error), { hint, cause: error });
  }
  return loader.config;
}

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
