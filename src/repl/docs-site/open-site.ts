import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AssistantError, messageOf } from '../../base/errors.ts';
import type { Output } from '../command.ts';
import { buildSite } from './site.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export interface SiteWish {
  /** Where to write it; a folder of the user's cache unless given. */
  readonly folder: string | undefined;
  /** Show it in the browser of the desktop; where there is none, its address has been said. */
  readonly opens: boolean;
}

/**
 * Write the docs as a site of files, and open it. Row: `{site}`, the file to open.
 *
 * @returns the exit code.
 *
 * @throws AssistantError `path_refused` when the folder cannot be written.
 */
export async function openSite({ folder, opens }: SiteWish, out: Pick<Output, 'show'>): Promise<number> {
  const target = resolve(folder ?? join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'wooster', 'docs'));
  try {
    for (const [path, content] of buildSite(ROOT)) {
      const file = join(target, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  } catch (cause) {
    const hint = 'Choose a folder that is writable: wooster help --web --output FOLDER.';
    throw new AssistantError('path_refused', `Cannot write the docs to ${target}: ${messageOf(cause)}.`, {
      hint,
      cause,
    });
  }
  const { href } = pathToFileURL(join(target, 'index.html'));
  out.show({ site: href }, href);
  if (opens) openInBrowser(href);
  return 0;
}

function openInBrowser(url: string): void {
  const child = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [url], { detached: true, stdio: 'ignore' });
  // There is no desktop: whoever asked has the address.
  child.on('error', () => {});
  child.unref();
}
