import { execFileSync } from 'node:child_process';
import { AssistantError } from '../base/errors.ts';

/** `TAVILY_API_KEY=keychain:search` names the entry `search`. */
const PREFIX = 'keychain:';
/** Long enough for a person to unlock the keychain. */
const TIMEOUT_MS = 20_000;

/** The command that reads one entry of the service "wooster", by platform. */
const READERS: Readonly<Record<string, (account: string) => readonly [string, readonly string[]]>> = {
  darwin: (account) => ['security', ['find-generic-password', '-w', '-s', 'wooster', '-a', account]],
  linux: (account) => ['secret-tool', ['lookup', 'service', 'wooster', 'account', account]],
};

/** The machine whose keychain is asked. */
interface Machine {
  readonly platform: NodeJS.Platform;
  /** @returns what the program printed. */
  run(program: string, args: readonly string[]): string;
}

const THIS_MACHINE: Machine = {
  platform: process.platform,
  run: (program, args) =>
    execFileSync(program, args, { encoding: 'utf8', timeout: TIMEOUT_MS, stdio: ['ignore', 'pipe', 'ignore'] }),
};

/** Does a secret setting name an entry of the system keychain instead of a value? */
export function isKeychainEntry(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(PREFIX);
}

/**
 * The value behind `keychain:NAME`. The system may ask the user for permission first, which is why it waits so long.
 *
 * @throws AssistantError `bad_setting` when there is no such entry, or no readable keychain.
 */
export function readKeychain(value: string, env: string, { platform, run }: Machine = THIS_MACHINE): string {
  const account = value.slice(PREFIX.length).trim();
  const reader = READERS[platform];
  if (!reader) throw unreadable(env, `there is no keychain for ${platform}`, account);
  const [program, args] = reader(account);
  let found: string;
  try {
    found = run(program, args);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw unreadable(env, isMissing ? `${program} is not installed` : `${program} found nothing`, account);
  }
  const secret = found.replace(/\r?\n$/u, '');
  if (secret === '') throw unreadable(env, `${program} found nothing`, account);
  return secret;
}

function unreadable(env: string, why: string, account: string): AssistantError {
  return new AssistantError('bad_setting', `${env} names the keychain entry "${account}", but ${why}.`, {
    hint:
      'Store it: `security add-generic-password -s wooster -a NAME -w` (macOS), ' +
      '`secret-tool store --label wooster service wooster account NAME` (Linux).',
  });
}
