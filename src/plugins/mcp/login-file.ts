import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { isRecord } from '../../base/json.ts';
import { replaceFile } from '../../base/replace-file.ts';

/** The owner's login at a remote server. */
export interface Login {
  /** The server's URL; a login is valid for it only. */
  readonly url: string;
  readonly redirectUrl: string;
  readonly client?: StoredOAuthClientInformation | undefined;
  readonly tokens?: StoredOAuthTokens | undefined;
  readonly discovery?: OAuthDiscoveryState | undefined;
}

/** The login at one server, in a file of the home that only its owner can read. */
export class LoginFile {
  readonly path: string;
  readonly #url: string;

  constructor(homeDir: string, name: string, url: string) {
    this.path = join(homeDir, 'state', 'mcp', `${name}.login.json`);
    this.#url = url;
  }

  /** Undefined if there is none, or only one for another URL. */
  read(): Login | undefined {
    if (!existsSync(this.path)) return undefined;
    try {
      const login: unknown = JSON.parse(readFileSync(this.path, 'utf8'));
      return isRecord(login) && login.url === this.#url ? (login as unknown as Login) : undefined;
    } catch {
      return undefined;
    }
  }

  async write(login: Login): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    await replaceFile(this.path, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600 });
  }

  /** @returns whether there was one. */
  remove(): boolean {
    const wasThere = existsSync(this.path);
    rmSync(this.path, { force: true });
    return wasThere;
  }
}
