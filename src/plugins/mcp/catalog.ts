import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { canonicalJson, parseJson, sha256 } from '../../base/json.ts';
import { replaceFile } from '../../base/replace-file.ts';
import type { ListedPrompt, ListedTool } from './listed-tools.ts';
import type { ServerSettings } from './server-settings.ts';

/** A tool whose description has changed since its owner last saw it. */
export interface ChangedTool {
  readonly before: ListedTool | undefined;
  readonly now: ListedTool;
}

const Listed = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  destructive: z.boolean().optional(),
  hash: z.string(),
});

const Prompt = z.object({
  name: z.string(),
  description: z.string(),
  arguments: z.array(z.object({ name: z.string(), required: z.boolean() })),
});

const StoredCatalog = z.object({
  /** A hash of the command or URL that this catalog belongs to. */
  target: z.string(),
  /** As the owner has seen them, including those that the server no longer lists. */
  seen: z.array(Listed),
  /** Names of the tools that it lists now. */
  listed: z.array(z.string()),
  changed: z.array(Listed).default([]),
  prompts: z.array(Prompt).default([]),
  /** It could not be asked yet; turns do not wait for it again. */
  failed: z.boolean().default(false),
});

type State = z.output<typeof StoredCatalog>;

/** Keeps a server that keeps renaming its tools from filling the disk. */
const MAX_SEEN = 2000;

/**
 * What is cached about a server: its tools as the owner has seen them, each pinned by a hash. A tool that
 * changes is off until the owner has reviewed it; a new one is added. Saved in a file, so that a turn can declare
 * the tools of a server that is not running yet.
 */
export class Catalog {
  readonly #path: string;
  readonly #target: string;
  #state: State;
  #known: boolean;
  #tools: readonly ListedTool[];

  constructor(path: string, { target }: Pick<ServerSettings, 'target'>) {
    this.#path = path;
    this.#target = sha256(canonicalJson(target));
    const kept = readKept(path);
    this.#known = kept?.target === this.#target;
    this.#state = kept && this.#known ? kept : { ...NOTHING, target: this.#target };
    this.#tools = currentTools(this.#state);
  }

  /** Whether the server has ever been asked, with or without success. */
  get known(): boolean {
    return this.#known;
  }

  /** The tools that may be used. */
  get tools(): readonly ListedTool[] {
    return this.#tools;
  }

  get prompts(): readonly ListedPrompt[] {
    return this.#state.prompts;
  }

  /** The tools that are off, since they have changed. */
  get changed(): readonly ChangedTool[] {
    const before = new Map(this.#state.seen.map((tool) => [tool.name, tool as ListedTool]));
    return this.#state.changed.map((now) => ({ before: before.get(now.name), now: now as ListedTool }));
  }

  /** Take over the server's latest list. @returns whether anything has changed. */
  async update(tools: readonly ListedTool[], prompts: readonly ListedPrompt[]): Promise<boolean> {
    const seen = new Map(this.#state.seen.map((tool) => [tool.name, tool as ListedTool]));
    for (const tool of tools) if (!seen.has(tool.name) && seen.size < MAX_SEEN) seen.set(tool.name, tool);
    const isAsSeen = ({ name, hash }: ListedTool) => seen.get(name)?.hash === hash;
    return this.#keep({
      seen: [...seen.values()],
      listed: tools.filter(isAsSeen).map(({ name }) => name),
      changed: tools.filter((tool) => seen.has(tool.name) && !isAsSeen(tool)),
      prompts,
      failed: false,
    });
  }

  /** Accept the changed tools, which the owner has reviewed. */
  async pin(): Promise<void> {
    const { seen, listed, changed } = this.#state;
    const names = changed.map(({ name }) => name);
    const unchanged = seen.filter(({ name }) => !names.includes(name));
    await this.#keep({ seen: [...unchanged, ...changed], listed: [...listed, ...names], changed: [] });
  }

  /** Record that it could not be asked. */
  async failed(): Promise<void> {
    if (!this.#known) await this.#keep({ failed: true });
  }

  async #keep(change: Changes): Promise<boolean> {
    const state = { ...this.#state, ...change } as State;
    const isNew = !this.#known || canonicalJson(state) !== canonicalJson(this.#state);
    this.#state = state;
    this.#known = true;
    if (!isNew) return false;
    this.#tools = currentTools(state);
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    await replaceFile(this.#path, `${JSON.stringify(state)}\n`);
    return true;
  }
}

/** The changes that a new list brings. */
type Changes = { readonly [Key in keyof State]?: Readonly<State[Key]> | readonly unknown[] };

const NOTHING = { seen: [], listed: [], changed: [], prompts: [], failed: false };

function currentTools({ seen, listed }: State): readonly ListedTool[] {
  const names = new Set(listed);
  return seen.filter(({ name }) => names.has(name)) as ListedTool[];
}

/** A damaged file counts as missing: the server is asked again. */
function readKept(path: string): State | undefined {
  try {
    return StoredCatalog.safeParse(parseJson(readFileSync(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}
