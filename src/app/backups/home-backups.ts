import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { AssistantError } from '../../base/errors.ts';
import type { Redactor } from '../../base/redact.ts';
import { version } from '../../base/version.ts';
import { makeFindable } from '../../conversation/message-search.ts';
import type { ChannelOption } from '../../notify/channel.ts';
import { CHANNEL_ROWS } from '../../notify/channels.ts';
import type { Settings } from '../../settings/settings.ts';
import { everySetting } from '../../settings/table.ts';
import { backUp, verifyBackup } from '../../store/backup.ts';
import { copyStore } from '../../store/copy.ts';
import { type HomeBackup, homeBackups, type Kept, writeHomeBackup } from '../../store/home-backup.ts';
import { type RestoredHome, restoreHomeBackup } from '../../store/home-restore.ts';
import { restoreBackup } from '../../store/restore.ts';
import { backupsOf } from '../../store/sqlite/copy.ts';
import { openStore, type Store } from '../../store/store.ts';
import { thinned } from '../../store/thinning.ts';
import { mustKeep } from '../../store/unkept.ts';
import { envWithoutSecrets, jsonWithoutSecrets, type SecretNames } from './without-secrets.ts';

interface BackupDeps {
  readonly settings: Settings;
  readonly store: Store;
  readonly redactor: Redactor;
  now(): Date;
}

/** Held while a backup is written, so that two programs do not make the same. */
const LOCK = 'home-backup';

/**
 * Backups of all that is the owner's: database, documents, notes, memory, skills, plugins, settings without secrets.
 */
export class HomeBackups {
  readonly #deps: BackupDeps;

  constructor(deps: BackupDeps) {
    this.#deps = deps;
  }

  /** Where they go unless another folder is named. */
  get folder(): string {
    const { home, backup } = this.#deps.settings;
    return backup.to === undefined ? backupsOf(home.database) : resolve(home.dir, backup.to);
  }

  /** Those of this home, newest first: others may be collected in the same folder. */
  async list(): Promise<readonly HomeBackup[]> {
    const all = await homeBackups(this.folder);
    return all.filter(({ manifest: { home } }) => home === undefined || home === this.#home);
  }

  /** The same for every program that serves it. */
  get #home(): string {
    const { settings, store } = this.#deps;
    const { location } = store;
    return location.kind === 'postgres' ? location.home : `${hostname()}:${settings.home.dir}`;
  }

  /**
   * Write a backup and read it again.
   *
   * @throws AssistantError `home_not_writable`, `store_damaged`; `store_unavailable` when another program is writing
   *   one.
   */
  async make(to = this.folder): Promise<HomeBackup> {
    const { store, now } = this.#deps;
    mustKeep(store);
    await using lock = await store.lock(LOCK);
    if (!lock) {
      const hint = 'Wait until it has finished.';
      throw new AssistantError('store_unavailable', 'Another program is backing this home up.', { hint });
    }
    const database = (path: string) => this.#copyTo(path);
    const about = { now: now(), version: version(), home: this.#home };
    return await writeHomeBackup({ kept: this.#kept(), database, to, ...about });
  }

  /** Delete backups that are no longer needed. @returns how many. */
  async thin(): Promise<number> {
    const backups = await this.list();
    const times = new Map(backups.map(({ path, manifest }) => [new Date(manifest.at), path]));
    const gone = thinned([...times.keys()], this.#deps.now());
    for (const time of gone) await rm(times.get(time) ?? '', { recursive: true });
    return gone.length;
  }

  /**
   * Bring a backup back.
   *
   * @throws AssistantError `file_not_found`, `store_damaged`, `stores_differ`, or `store_unavailable` when another
   *   program is using the database.
   */
  async restore(path: string): Promise<RestoredHome> {
    const { settings, now } = this.#deps;
    const stamp = now().toISOString().slice(0, 19).replaceAll(':', '-');
    return restoreHomeBackup({
      ...{ path: resolve(path), kept: this.#kept() },
      aside: join(settings.home.dir, 'state', `before-restore-${stamp}`),
      database: (file) => this.#bringBack(file),
    });
  }

  /** The rows of a home on a server become a file, which can be restored anywhere. */
  async #copyTo(path: string): Promise<void> {
    const { store } = this.#deps;
    if (store.kind === 'sqlite') return void (await backUp(store, path));
    const file = await openStore({ kind: 'sqlite', path });
    try {
      await copyStore(store, file, { signal: new AbortController().signal, makeFindable });
    } finally {
      await file.close();
    }
    verifyBackup(path);
    for (const folder of ['locks', 'workspaces']) await rm(join(path, '..', folder), { recursive: true, force: true });
  }

  async #bringBack(path: string): Promise<void> {
    const { store, now } = this.#deps;
    if (store.kind === 'sqlite') return void (await restoreBackup(store, path, now()));
    const file = await openStore({ kind: 'sqlite', path }, { readOnly: true });
    try {
      await copyStore(file, store, { signal: new AbortController().signal, makeFindable });
    } finally {
      await file.close();
    }
  }

  #kept(): Kept[] {
    const { home } = this.#deps.settings;
    const names = this.#secretNames();
    const json = (text: string) => jsonWithoutSecrets(text, names);
    const ownPrompts = home.dir === home.checkout ? [] : [{ as: 'prompts', at: join(home.dir, 'prompts') }];
    return [
      { as: 'projects', at: home.projects },
      { as: 'notes', at: home.notes },
      ...['memory.md', 'skills', 'programs'].map((name) => ({ as: name, at: join(home.owner, name) })),
      { as: 'user-plugins', at: home.userPlugins },
      ...ownPrompts,
      { as: '.env', at: home.envFile, clean: (text: string) => envWithoutSecrets(text, names) },
      { as: 'config/local.json', at: join(home.dir, 'config', 'local.json'), clean: json },
      { as: 'mcp.json', at: join(home.dir, 'mcp.json'), clean: json },
    ];
  }

  #secretNames(): SecretNames {
    const secret = everySetting().flatMap(({ setting }) => (setting.secret ? setting : []));
    const unguessable = Object.values(CHANNEL_ROWS).filter((row: ChannelOption) => row.unguessable);
    const names = new Set([
      ...secret.flatMap(({ key, env, aliases }) => [key, env, ...aliases]),
      ...unguessable.flatMap(({ key, env }) => [key, env]),
    ]);
    return { redactor: this.#deps.redactor, isSecret: (name) => names.has(name) };
  }
}
