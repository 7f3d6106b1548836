import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AssistantError, messageOf } from '../base/errors.ts';
import { sha256 } from '../base/json.ts';
import type { Log } from '../base/log.ts';
import type { Turn } from '../base/turn.ts';
import type { Prepared } from '../plugins/definition.ts';
import type { FileSpace } from '../tools/builtin/project-files.ts';
import type { Backend, Box, WorkspaceLimits } from './backend.ts';
import { BoxFiles } from './box-files.ts';
import { createExecuteCommandTool } from './execute-command.ts';
import { selfTest } from './self-test.ts';

export interface WorkspacesDeps {
  /** Folder for the files of all workspaces, one folder each. */
  readonly dir: string;
  /** Tried in this order. */
  readonly backends: readonly Backend[];
  readonly limits: WorkspaceLimits;
  /** Whether every conversation has a workspace from the start. */
  readonly always: boolean;
  /** What the model is told about its workspace; read each time. */
  readonly prompt: () => string;
  readonly log: Log;
}

/** The backend in use, whose limits were tested, and why those before it were rejected. */
export interface Proven {
  readonly backend: Backend;
  readonly passedOver: readonly string[];
}

interface Open {
  readonly box: Promise<Box>;
  readonly files: FileSpace;
}

/**
 * The workspaces of all conversations. A workspace is off unless switched on. The switch is a file beside the
 * workspace's files, so both survive a restart.
 */
export class Workspaces {
  readonly #deps: WorkspacesDeps;
  readonly #open = new Map<string, Open>();
  #proven: Promise<Proven> | undefined;

  constructor(deps: WorkspacesDeps) {
    this.#deps = deps;
  }

  isOn(conversationId: string): boolean {
    return existsSync(this.#switch(conversationId)) || (this.#deps.always && !existsSync(this.#off(conversationId)));
  }

  /**
   * Give the conversation a workspace, after a backend has passed the self-test.
   *
   * @returns the name of the backend.
   * @throws AssistantError `workspace_unavailable` naming what is missing or which limit does not hold.
   */
  async turnOn(conversationId: string): Promise<string> {
    const { backend } = await this.prove();
    await mkdir(this.files(conversationId), { recursive: true });
    await writeFile(this.#switch(conversationId), '');
    await rm(this.#off(conversationId), { force: true });
    return backend.name;
  }

  /** Take the workspace away. Its container is removed, its files stay. */
  async turnOff(conversationId: string): Promise<void> {
    await rm(this.#switch(conversationId), { force: true });
    if (this.#deps.always) {
      await mkdir(this.#home(conversationId), { recursive: true });
      await writeFile(this.#off(conversationId), '');
    }
    await this.#closeOne(conversationId);
  }

  /** The host's folder that appears as /workspace. */
  files(conversationId: string): string {
    return join(this.#home(conversationId), 'files');
  }

  /** Where the file tools work; undefined when the conversation has no workspace, so they use the project's folder. */
  spaceOf(conversationId: string): FileSpace | undefined {
    return this.isOn(conversationId) ? this.#box(conversationId).files : undefined;
  }

  /** What the workspace adds to a turn: its prompt and the tool `execute_command`. */
  prepare(turn: Turn): Prepared {
    if (!this.isOn(turn.conversationId)) return { context: [], tools: [] };
    const { limits, log, prompt } = this.#deps;
    const tool = createExecuteCommandTool({
      limits,
      boxOf: (conversationId) => this.#box(conversationId).box,
      onRun: (command) => void this.prove().then(({ backend }) => log.debug(`[${backend.name}] Executing: ${command}`)),
    });
    return { context: [prompt()], tools: [tool] };
  }

  /** Remove all boxes; files and switches stay. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.#closeOne(id)));
  }

  #box(conversationId: string): Open {
    const known = this.#open.get(conversationId);
    if (known) return known;
    const box = this.#openBox(conversationId);
    // The first user gets the failure; the next one tries again.
    box.catch(() => this.#open.delete(conversationId));
    const open = { box, files: new BoxFiles(() => box) };
    this.#open.set(conversationId, open);
    return open;
  }

  async #openBox(conversationId: string): Promise<Box> {
    const { backend } = await this.prove();
    const dir = this.files(conversationId);
    await mkdir(dir, { recursive: true });
    return backend.open({ id: folderName(conversationId), dir, limits: this.#deps.limits });
  }

  async #closeOne(conversationId: string): Promise<void> {
    const open = this.#open.get(conversationId);
    this.#open.delete(conversationId);
    const box = await open?.box.catch(() => undefined);
    await box?.close();
  }

  /** Whether conversations have a workspace from the start. */
  get always(): boolean {
    return this.#deps.always;
  }

  /**
   * Find the first backend whose limits hold. The result is kept; after a failure the next call tests again.
   *
   * @throws AssistantError `workspace_unavailable` naming what is missing or which limit does not hold.
   */
  prove(): Promise<Proven> {
    this.#proven ??= this.#prove().catch((error: unknown) => {
      this.#proven = undefined;
      throw error;
    });
    return this.#proven;
  }

  async #prove(): Promise<Proven> {
    const { backends, dir, log } = this.#deps;
    await mkdir(dir, { recursive: true });
    const problems: string[] = [];
    for (const backend of backends) {
      const problem = (await backend.problem()) ?? (await this.#weakness(backend));
      if (problem === undefined) {
        await backend.sweep();
        return { backend, passedOver: problems };
      }
      problems.push(problem);
    }
    log.warn('no workspace backend', { problems });
    throw new AssistantError('workspace_unavailable', `No workspace backend is available: ${problems.join('; ')}.`, {
      hint: 'Install bubblewrap (Debian: apt install bubblewrap), or start Docker or podman.',
    });
  }

  /** Why a backend cannot be trusted; undefined when all its limits hold. */
  async #weakness(backend: Backend): Promise<string | undefined> {
    const { limits, dir } = this.#deps;
    try {
      const broken = await selfTest(backend, limits, dir);
      return broken.length === 0 ? undefined : `${backend.name} failed its self-test: ${broken.join(', ')}`;
    } catch (error) {
      return messageOf(error);
    }
  }

  #home(conversationId: string): string {
    return join(this.#deps.dir, folderName(conversationId));
  }

  #switch(conversationId: string): string {
    return join(this.#home(conversationId), 'on');
  }

  #off(conversationId: string): string {
    return join(this.#home(conversationId), 'off');
  }
}

/** A name that is valid for folders and containers, whatever id a person typed. */
function folderName(conversationId: string): string {
  const plain = conversationId.toLowerCase().replace(/[^a-z0-9]+/gu, '-');
  return `${plain.slice(0, 24)}-${sha256(conversationId).slice(0, 12)}`;
}
