import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { type PackageInfo, packageInfo, packageRoot } from './package-info.ts';

const run = promisify(execFile);
const INSTALL_MS = 300_000;
/** What the installation was made from, for updates. */
const SOURCE = 'source.txt';

export interface Installed {
  /** The plugin's name from now on. */
  readonly name: string;
  readonly info: PackageInfo;
}

/**
 * Install a package from npm, or from a folder or tarball on this machine. None of its code is run, and no script
 * of its dependencies. A failed installation leaves nothing behind.
 *
 * @param dir the folder of added plugins.
 * @throws AssistantError `plugin_broken` when npm fails, or the package is not a plugin.
 */
export async function installPlugin(dir: string, spec: string, replaces?: string): Promise<Installed> {
  const source = existsSync(spec) ? resolve(spec) : spec;
  const draft = join(dir, `.${newId('draft')}`);
  mkdirSync(draft, { recursive: true });
  try {
    await npmInstall(draft, source);
    const root = packageRoot(draft);
    if (root === undefined) throw new TypeError('npm installed nothing');
    const info = packageInfo(root);
    const name = replaces ?? folderOf(info.name);
    const place = join(dir, name);
    if (replaces === undefined && existsSync(place)) throw new TypeError(`there is a plugin "${name}" already`);
    writeFileSync(join(draft, SOURCE), source);
    rmSync(place, { recursive: true, force: true });
    // npm's links are relative, so the whole folder can be moved.
    renameSync(draft, place);
    return { name, info };
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw new AssistantError('plugin_broken', `${basename(spec)} was not added: ${messageOf(error)}.`, {
      hint: 'Give a package of npm, or a folder or .tgz file with a package.json that has "wooster" in it.',
      cause: error,
    });
  }
}

/** Install the newest version of an added plugin. */
export function updatePlugin(dir: string, name: string): Promise<Installed> {
  const source = readFileSync(join(dir, name, SOURCE), 'utf8');
  return installPlugin(dir, existsSync(source) ? source : `${source.replace(/(?<=.)@[^@/]*$/u, '')}@latest`, name);
}

export function uninstallPlugin(dir: string, name: string): void {
  rmSync(join(dir, name), { recursive: true, force: true });
}

async function npmInstall(prefix: string, source: string): Promise<void> {
  const flags = ['--ignore-scripts', '--omit=dev', '--omit=peer', '--save-exact', '--install-links'];
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  writeFileSync(join(prefix, 'package.json'), '{"private":true}\n');
  try {
    await run('npm', ['install', '--prefix', prefix, ...flags, ...quiet, '--', source], { timeout: INSTALL_MS });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const line = stderr.split('\n').find((each) => each.startsWith('npm error') && !/npm error code/u.test(each));
    throw new Error(line?.replace('npm error', 'npm says:') ?? messageOf(error).split('\n')[0] ?? '', { cause: error });
  }
}

/** `@someone/wooster-plugin-tides` becomes `tides`. */
function folderOf(name: string): string {
  const bare = name.replace(/^@[^/]*\//u, '').replace(/^wooster-(?:plugin-)?/u, '');
  return bare.toLowerCase().replace(/[^a-z0-9-]/gu, '-');
}
