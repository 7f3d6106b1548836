import { createReadStream, createWriteStream, existsSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { type CatalogueEntry, hubUrl, readCatalogue, suitable } from './catalogue.ts';
import { download, ensureRoom, hashOf } from './download.ts';
import { ENGINE_BYTES, installEngine, oldEngines, removeEngines } from './engine/engine.ts';
import type { InstalledModel, ModelCard } from './installed.ts';
import type { LocalModels } from './local-models.ts';
import { findModelServers, type ModelServer } from './server-pull.ts';

/** What will be installed, for the person to agree to. */
export interface InstallPlan {
  readonly name: string;
  readonly title: string;
  readonly licence: string;
  /** An address, or the path of a file. */
  readonly source: string;
  /** Absent for the person's own file, whose checksum is taken from what is there. */
  readonly sha256: string | undefined;
  /** Of the file; absent if nobody knows. */
  readonly bytes: number | undefined;
  /** In memory, about; absent if nobody knows. */
  readonly memoryBytes: number | undefined;
  /** Bytes of the engine, if it has to be installed too. */
  readonly engineBytes: number | undefined;
}

/** What a person asks for: a name of the catalogue, an address, or a path. */
export interface Wish {
  readonly what: string;
  readonly sha256?: string | undefined;
  readonly licence?: string | undefined;
}

export type Stage = 'engine' | 'download' | 'copy' | 'trial';

export interface InstallCall {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: {
    readonly stage: Stage;
    readonly done: number;
    readonly total: number | undefined;
  }) => void;
}

export interface InstallerDeps {
  readonly local: LocalModels;
  readonly enginesDir: string;
  /** Where the models of the catalogue lie. */
  readonly hubUrl: string;
  /** A `fetch` for files: public ones, and those at the origins that the person named. */
  readonly downloadFetch: (named: readonly string[]) => typeof fetch;
  /** A `fetch` to a server on this machine. */
  readonly fetchFor: (origin: string) => typeof fetch;
  readonly catalogue?: readonly CatalogueEntry[];
  readonly findServers?: typeof findModelServers;
  readonly env?: NodeJS.ProcessEnv;
}

const SERVER_MS = 1000;

/** Installs and removes models of this machine, and the engine with them. */
export class ModelInstaller {
  readonly catalogue: readonly CatalogueEntry[];
  readonly #deps: InstallerDeps;

  constructor(deps: InstallerDeps) {
    this.#deps = deps;
    this.catalogue = deps.catalogue ?? readCatalogue();
  }

  /** The model of the catalogue that suits this machine. */
  suitable(): CatalogueEntry | undefined {
    return suitable(this.catalogue);
  }

  installed(): readonly InstalledModel[] {
    return this.#deps.local.installed.list();
  }

  /** Programs on this machine that could fetch the model instead. */
  servers(): Promise<readonly ModelServer[]> {
    return (this.#deps.findServers ?? findModelServers)(this.#deps.fetchFor, SERVER_MS);
  }

  pull(server: ModelServer, entry: CatalogueEntry, { signal, onProgress }: InstallCall): Promise<void> {
    const report = (progress: { done: number; total: number | undefined }) =>
      onProgress({ stage: 'download', ...progress });
    return server.pull(entry, { fetch: this.#deps.fetchFor(server.origin), signal, onProgress: report });
  }

  /**
   * @throws AssistantError `bad_usage`, `file_not_found`, `model_not_installed` for what cannot be installed as it is.
   */
  plan(wish: Wish): InstallPlan {
    const entry = this.catalogue.find(({ name }) => name === wish.what);
    const engineBytes = this.#deps.local.hasEngine() ? undefined : ENGINE_BYTES;
    if (entry) return { ...this.#ofCatalogue(entry), engineBytes };
    return { ...(/^https?:/u.test(wish.what) ? fromAddress(wish) : fromFile(wish)), engineBytes };
  }

  /**
   * Install what was agreed to: engine, file, a trial.
   *
   * @throws AssistantError `model_not_installed`; the signal's reason. What has been downloaded stays for the next try.
   */
  async install(plan: InstallPlan, { signal, onProgress }: InstallCall): Promise<ModelCard> {
    const { local, enginesDir, env } = this.#deps;
    onProgress({ stage: 'engine', done: 0, total: undefined });
    await installEngine(enginesDir, signal, env);
    for (const old of oldEngines(enginesDir)) await rm(old, { recursive: true, force: true });
    await this.#startedEngine(signal);
    const path = local.installed.pathOf(plan.name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await local.forget(plan.name);
    const sha256 = await this.#fetched(plan, path, { signal, onProgress });
    const card = { name: plan.name, licence: plan.licence, source: plan.source, sha256, bytes: statSync(path).size };
    await local.installed.add(card);
    onProgress({ stage: 'trial', done: 0, total: undefined });
    await this.#tried(plan.name, signal);
    return card;
  }

  /** Remove a model, and the engine with the last one. @returns whether the engine went too. */
  async remove(name: string): Promise<boolean> {
    const { local, enginesDir } = this.#deps;
    await local.forget(name);
    await local.installed.remove(name);
    if (local.installed.list().length > 0) return false;
    await removeEngines(enginesDir);
    if (existsSync(local.installed.dir) && readdirSync(local.installed.dir).length === 0)
      rmdirSync(local.installed.dir);
    return true;
  }

  /** A word of the model. @throws ReplyError of the client. */
  async word(name: string, signal: AbortSignal): Promise<{ readonly text: string; readonly ms: number }> {
    const started = performance.now();
    const messages = [{ role: 'user' as const, content: 'Say hello in one short sentence.' }];
    let text = '';
    for await (const event of this.#deps.local.client(name).chat({ messages, tools: [], maxTokens: 32 }, signal)) {
      if (event.type === 'text') text += event.text;
    }
    return { text: text.trim(), ms: performance.now() - started };
  }

  #ofCatalogue(entry: CatalogueEntry): Omit<InstallPlan, 'engineBytes'> {
    const { name, title, licence, pinned, downloadGb, memoryGb } = entry;
    if (pinned === null) {
      const pin = `node scripts/pin-models.ts ${name}`;
      const hint = `Where there is a connection, \`${pin}\` writes them into the catalogue.`;
      const message = `${title} has no address and checksum in the catalogue yet, so it is not downloaded.`;
      throw new AssistantError('model_not_installed', message, { hint });
    }
    return {
      ...{ name, title, licence, source: hubUrl(this.#deps.hubUrl, entry, pinned.commit), sha256: pinned.sha256 },
      ...{ bytes: pinned.bytes || downloadGb * 1e9, memoryBytes: memoryGb * 1e9 },
    };
  }

  async #fetched(plan: InstallPlan, path: string, { signal, onProgress }: InstallCall): Promise<string> {
    const { source, sha256, bytes } = plan;
    if (existsSync(path) && (await hashOf(path)) === sha256) return sha256;
    if (sha256 === undefined || !/^https?:/u.test(source)) return copied(plan, path, { signal, onProgress });
    await download(
      { url: source, path, sha256, bytes },
      {
        fetch: this.#deps.downloadFetch([new URL(source).origin]),
        signal,
        onProgress: (progress) => onProgress({ stage: 'download', ...progress }),
      },
    );
    return sha256;
  }

  /** Before anything large is fetched. */
  async #startedEngine(signal: AbortSignal): Promise<void> {
    try {
      await this.#deps.local.probeEngine(signal);
    } catch (error) {
      signal.throwIfAborted();
      await removeEngines(this.#deps.enginesDir);
      const hint = 'It was removed. Use a model server instead: see docs/models.md.';
      const message = `The engine does not run on this machine: ${messageOf(error)}.`;
      throw new AssistantError('model_not_installed', message, { hint, cause: error });
    }
  }

  /** A file that does not load was of no use: it does not stay. */
  async #tried(name: string, signal: AbortSignal): Promise<void> {
    try {
      await this.word(name, signal);
    } catch (error) {
      signal.throwIfAborted();
      const isForLater = (error as { kind?: unknown }).kind === 'memory';
      if (!isForLater) await this.remove(name);
      const hint = isForLater ? 'It is installed; close other programs before you use it.' : 'Nothing of it was kept.';
      throw new AssistantError('model_not_installed', `${name} ${messageOf(error)}.`, { hint, cause: error });
    }
  }
}

/** A checksum is needed where anybody on the way could change the file. */
function fromAddress({ what, sha256, licence }: Wish): Omit<InstallPlan, 'engineBytes'> {
  const hint = 'Give it with --sha256; hubs show it on the page of the file.';
  if (sha256 === undefined)
    throw new AssistantError('bad_usage', 'A file from an address needs its checksum.', { hint });
  const name = nameOf(new URL(what).pathname);
  const about = { title: name, licence: licence ?? 'not stated', bytes: undefined, memoryBytes: undefined };
  return { ...about, name, source: what, sha256: checked(sha256) };
}

function fromFile({ what, sha256, licence }: Wish): Omit<InstallPlan, 'engineBytes'> {
  const path = resolve(what);
  const hint = '`wooster models install` without a name shows what can be installed by name.';
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isFile()) throw new AssistantError('file_not_found', `There is no model and no file ${what}.`, { hint });
  const name = nameOf(path);
  const about = { title: name, licence: licence ?? 'not stated', bytes: found.size, memoryBytes: undefined };
  return { ...about, name, source: path, sha256: sha256 && checked(sha256) };
}

function checked(sha256: string): string {
  if (/^[0-9a-f]{64}$/iu.test(sha256)) return sha256.toLowerCase();
  throw new AssistantError('bad_usage', 'A SHA-256 checksum has 64 digits, 0-9 and a-f.', { hint: 'Copy all of it.' });
}

/** A model's name from that of its file. */
function nameOf(path: string): string {
  const name = basename(path, '.gguf')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/gu, '-')
    .replace(/^[^a-z0-9]+/u, '');
  return name === '' ? 'model' : name;
}

async function copied(
  { source, sha256, bytes = 0 }: InstallPlan,
  path: string,
  { signal, onProgress }: InstallCall,
): Promise<string> {
  const found = await hashOf(source);
  if (sha256 !== undefined && found !== sha256) {
    const message = `${source} is not the file that was meant: its SHA-256 is ${found}, not ${sha256}.`;
    throw new AssistantError('model_not_installed', message, { hint: 'Copy it again from where it came.' });
  }
  if (resolve(source) === resolve(path)) return found;
  await ensureRoom(path, bytes);
  const part = `${path}.part`;
  try {
    onProgress({ stage: 'copy', done: 0, total: bytes });
    await pipeline(createReadStream(source), createWriteStream(part, { mode: 0o600, flush: true }), { signal });
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    signal.throwIfAborted();
    const hint = 'Make room on the disk, or check the permissions of the folder.';
    throw new AssistantError('model_not_installed', `The file could not be copied: ${messageOf(error)}.`, {
      hint,
      cause: error,
    });
  }
  return found;
}
