import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Load } from 'config/lib/util.js';
import { isRecord } from '../base/json.ts';
import { nearest } from '../base/text.ts';
import type { Settings } from './settings.ts';
import { everySetting } from './table.ts';

/** Variables of earlier versions and other programs that people may expect to work, and what to use instead. */
const NOT_READ: Readonly<Record<string, string>> = {
  OPENAI_MODEL: 'set OPENAI_MODEL_NAME',
  OPENAI_KEY: 'set OPENAI_API_KEY',
  OPENAI_API_BASE: 'set OPENAI_BASE_URL',
  ROUTING_FAST_MAX_TOKENS: 'models have no such limit any more',
  ROUTING_THINKING_MAX_TOKENS: 'models have no such limit any more',
  ROUTING_LOG_PERFORMANCE: '`wooster usage` shows the latency of each model',
  LOGGING_CONSOLE_LOG_LEVEL: 'add --verbose to see the log on the terminal',
  LOGGING_CONSOLE_QUIET_MODE: 'the terminal is quiet without --verbose',
  LOGGING_LOG_FILE: 'the log is in logs/, one file a day',
  LOGGING_LOG_AGENT_LLM_INTERACTIONS: '`wooster context --raw` shows what a model is sent',
  MLX_EMBEDDINGS_DIMENSIONS: 'the dimensions are those of the model',
  PLUGIN_CALCULATOR_ENABLED: 'no longer needed: `calculate` is always there',
  MODEL_ROUTING_FALLBACK_CHAIN: '`wooster models` shows the order that is used',
};

/** Something that was set and that nothing reads. */
export interface Unread {
  /** The variable, or the key and its file. */
  readonly name: string;
  readonly instead: string;
}

/**
 * Settings without effect: known variables that are not read, lines of `.env` that look like typos, and keys of
 * the home's config/local.json that match no setting.
 */
export function unreadSettings({ home, env }: Pick<Settings, 'home' | 'env'>): Unread[] {
  const settings = everySetting().map(({ setting }) => setting);
  const names = settings.flatMap(({ env: name, aliases }) => [name, ...aliases]);
  const known = new Set(names);
  const variables = Object.entries(NOT_READ).filter(([name]) => env[name] && !known.has(name));
  const slips = namesIn(home.envFile)
    .filter((name) => !known.has(name) && !(name in NOT_READ))
    .flatMap((name) => {
      const guess = nearest(name, names);
      return guess === undefined ? [] : [{ name, instead: `did you mean ${guess}?` }];
    });
  return [
    ...variables.map(([name, instead]) => ({ name, instead })),
    ...slips,
    ...unknownKeys(
      join(home.dir, 'config', 'local.json'),
      settings.map(({ key }) => key),
    ),
  ];
}

function namesIn(envFile: string): string[] {
  return existsSync(envFile) ? Object.keys(parseEnv(readFileSync(envFile, 'utf8'))) : [];
}

function unknownKeys(file: string, known: readonly string[]): Unread[] {
  if (!existsSync(file)) return [];
  // Parsed like the settings, comments included.
  const found = leavesOf(new Load({}).loadFile(file), '');
  return found
    .filter((key) => !key.startsWith('plugins.') && !known.some((each) => key === each || key.startsWith(`${each}.`)))
    .map((key) => {
      const guess = nearest(key, known);
      return {
        name: `${key} in config/local.json`,
        instead: guess ? `did you mean ${guess}?` : 'there is no such key',
      };
    });
}

/** The dotted keys of all values. */
function leavesOf(value: unknown, at: string): string[] {
  if (!isRecord(value)) return [at];
  return Object.entries(value).flatMap(([key, each]) => leavesOf(each, at === '' ? key : `${at}.${key}`));
}
