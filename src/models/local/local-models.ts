import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { availableMemory } from 'node:process';
import { AssistantError } from '../../base/errors.ts';
import type { ProviderFactory } from '../providers/provider.ts';
import { ENGINE, engineDir } from './engine/engine.ts';
import { EngineClient, type EngineClientOptions } from './engine-client.ts';
import { InstalledModels } from './installed.ts';
import type { LocalOptions } from './options.ts';

export interface LocalModelsDeps {
  /** Folder of the models. */
  readonly modelsDir: string;
  readonly enginesDir: string;
  readonly options: LocalOptions;
  /** Memory that can be had now; that of the machine unless given. */
  readonly freeBytes?: () => number;
}

/** Conversations that are remembered at once, memory permitting. */
const SLOTS = 2;
const MINUTE_MS = 60_000;

/** The models installed in one home, and the processes that serve them. */
export class LocalModels {
  readonly installed: InstalledModels;
  readonly #deps: LocalModelsDeps;
  readonly #clients = new Map<string, EngineClient>();

  constructor(deps: LocalModelsDeps) {
    this.#deps = deps;
    this.installed = new InstalledModels(deps.modelsDir);
  }

  get contextTokens(): number {
    return this.#deps.options.contextTokens;
  }

  /** Those that can be asked: installed, and the engine with them. */
  names(): readonly string[] {
    return this.hasEngine() ? this.installed.list().map(({ name }) => name) : [];
  }

  hasEngine(): boolean {
    return existsSync(this.engineDir());
  }

  engineDir(): string {
    return engineDir(this.#deps.enginesDir);
  }

  open: ProviderFactory = async (asked) => {
    const { LocalChatModel } = await import('./local-chat-model.ts');
    const client = this.client(asked.model);
    return new LocalChatModel({
      ...asked,
      think: this.#deps.options.thinking,
      onActivity: asked.onActivity ?? (() => undefined),
      chat: (request, signal) => client.chat(request, signal),
    });
  };

  /** The process of a model, which starts with its first request. @throws AssistantError `model_missing_package`. */
  client(name: string): EngineClient {
    const known = this.#clients.get(name);
    if (known) return known;
    const hint = `\`wooster models install ${name}\` installs it, \`wooster models list\` shows what is there.`;
    const model = this.installed.list().find((each) => each.name === name);
    if (model === undefined)
      throw new AssistantError('model_missing_package', `The model ${name} is not installed.`, { hint });
    if (!this.hasEngine())
      throw new AssistantError('model_missing_package', `The engine ${ENGINE} of local models is not installed.`, {
        hint,
      });
    const client = new EngineClient({
      ...this.#clientOptions(model.path),
      makeRoom: () => this.#unloadIdle(name),
    });
    this.#clients.set(name, client);
    return client;
  }

  /** Whether the engine runs here. @throws ReplyError why it does not. */
  async probeEngine(signal: AbortSignal): Promise<void> {
    const probe = new EngineClient(this.#clientOptions(''));
    try {
      await probe.start(signal);
    } finally {
      await probe.unload();
    }
  }

  /** End the process of a model that is to be removed or replaced. */
  async forget(name: string): Promise<void> {
    await this.#clients.get(name)?.unload();
    this.#clients.delete(name);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.keys()].map((name) => this.forget(name)));
  }

  #clientOptions(path: string): EngineClientOptions {
    const { contextTokens, idleMinutes, threads = Math.max(1, availableParallelism() - 1) } = this.#deps.options;
    return {
      engineDir: this.engineDir(),
      load: { path, contextTokens, slots: SLOTS, threads },
      idleMs: idleMinutes * MINUTE_MS,
      freeBytes: this.#deps.freeBytes ?? availableMemory,
    };
  }

  async #unloadIdle(except: string): Promise<void> {
    for (const [name, client] of this.#clients) if (name !== except && !client.isBusy) await client.unload();
  }
}
