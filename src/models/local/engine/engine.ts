import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AssistantError, messageOf } from '../../../base/errors.ts';
import { pattern } from '../../../base/pattern.ts';

/** That of lock.json, which `scripts/pin-engine.ts` writes. */
const VERSION = '3.21.1';
export const ENGINE = `node-llama-cpp ${VERSION}`;
/** On disk, about; a third of it more while it is installed. */
export const ENGINE_BYTES = 51_000_000;

/** Its source code, which nobody needs who has it compiled. */
const NEEDLESS = 'node_modules/node-llama-cpp/llama/gitRelease.bundle';
const MOST_MS = 600_000;
const QUIETLY = ['--no-audit', '--no-fund', '--loglevel=error'];
const CLEAN_INSTALL = ['ci', '--omit=optional', '--ignore-scripts', '--fetch-timeout=60000', ...QUIETLY];

/** The folder of this version of the engine. */
export function engineDir(enginesDir: string): string {
  return join(enginesDir, `node-llama-cpp-${VERSION}`);
}

interface Lock {
  readonly lockfileVersion: number;
  /** By place, `node_modules/NAME`. */
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

const LIBRARY = 'node-llama-cpp';
const COMPILED = 'node_modules/@node-llama-cpp/';

/** The package with the compiled engine for a system; undefined where there is none. */
export function platformPackage(
  platform: string = process.platform,
  arch: string = process.arch,
  lock = pinned(),
): string | undefined {
  const system = { linux: 'linux', darwin: 'mac', win32: 'win' }[platform];
  const found = Object.keys(lock.packages).find((at) => `${at}-`.startsWith(`${COMPILED}${system}-${arch}-`));
  return found?.slice('node_modules/'.length);
}

/** Manifest and lock of what one system needs, for npm. */
export function pinnedFor(platform: string, lock = pinned()) {
  const others = (at: string) => at.startsWith(COMPILED) && at !== `node_modules/${platform}`;
  const packages = Object.fromEntries(Object.entries(lock.packages).filter(([at]) => !others(at)));
  const versions = [LIBRARY, platform].map((name) => [name, packages[`node_modules/${name}`]?.version ?? '']);
  const root = { name: 'wooster-engine', dependencies: Object.fromEntries(versions) as Record<string, string> };
  return { manifest: { ...root, private: true }, lock: { ...root, ...lock, packages: { '': root, ...packages } } };
}

function pinned(): Lock {
  return JSON.parse(readFileSync(new URL('./lock.json', import.meta.url), 'utf8')) as Lock;
}

/**
 * Install the engine by npm, whose checksums are those of our lock and which runs no script of a package.
 *
 * @throws AssistantError `model_not_installed`; nothing is left behind then.
 */
export async function installEngine(enginesDir: string, signal: AbortSignal, env = process.env): Promise<void> {
  const target = engineDir(enginesDir);
  if (existsSync(target)) return;
  const platform = platformPackage();
  if (platform === undefined)
    throw notInstalled(
      `There is no engine for ${process.platform} on ${process.arch}.`,
      'Use a model server: see docs/models.md.',
    );
  await mkdir(enginesDir, { recursive: true, mode: 0o700 });
  const draft = await mkdtemp(join(enginesDir, '.installing-'));
  try {
    const { manifest, lock } = pinnedFor(platform);
    await writeFile(join(draft, 'package.json'), JSON.stringify(manifest));
    await writeFile(join(draft, 'package-lock.json'), JSON.stringify(lock));
    await npm(CLEAN_INSTALL, draft, { signal, env });
    await rm(join(draft, NEEDLESS), { recursive: true, force: true });
    await rename(draft, target);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Also those of other versions. */
export async function removeEngines(enginesDir: string): Promise<void> {
  await rm(enginesDir, { recursive: true, force: true });
}

/** Versions of the engine that this program no longer uses. */
export function oldEngines(enginesDir: string): readonly string[] {
  if (!existsSync(enginesDir)) return [];
  return readdirSync(enginesDir)
    .map((name) => join(enginesDir, name))
    .filter((path) => path !== engineDir(enginesDir));
}

/** What npm needs of the environment, and no key of ours. */
const FOR_NPM = pattern(
  'iu',
  '^(?:path|home|tmpdir|temp|tmp|systemroot|appdata|userprofile|node_extra_ca_certs',
  String.raw`|npm_config_\w+|(?:https?|no)_proxy)$`,
);

async function npm(
  args: readonly string[],
  cwd: string,
  { signal, env }: { readonly signal: AbortSignal; readonly env: NodeJS.ProcessEnv },
): Promise<void> {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => FOR_NPM.test(name)));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  execFile('npm', [...args], { cwd, env: kept, signal, timeout: MOST_MS }, (error, _out, complaint) => {
    if (!error) return resolve();
    const isAbsent = error.code === 'ENOENT';
    const why = complaint.trim().split('\n').at(0) || messageOf(error);
    const hint = isAbsent
      ? 'Install Node.js with npm, or copy the folder engines/ from the home of another machine of the same kind.'
      : 'Check the connection and try again; npm follows its own settings for proxies and registries.';
    reject(notInstalled(isAbsent ? 'npm is not there.' : `npm could not install the engine: ${why}`, hint, error));
  });
  await promise.catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}

function notInstalled(message: string, hint: string, cause?: unknown): AssistantError {
  return new AssistantError('model_not_installed', message, { hint, cause });
}
