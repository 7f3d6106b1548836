import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { canonicalJson, parseJson, sha256 } from '../../base/json.ts';
import { replaceFile } from '../../base/replace-file.ts';
import type { ListedPrompt, ListedTool } from './listed-tools.ts';
import type { ServerSettings } from './server-settings.ts';

/** What a server lists otherwise than its owner has seen it, or what they have not seen at all. */
export interface Unseen<T> {
  readonly before: T | undefined;
  readonly now: T;
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
  /** New or changed, and off until the owner has seen them. */
  changed: z.array(Listed).default([]),
  /** Those of its prompts that the owner has seen, and the others. */
  prompts: z.array(Prompt).default([]),
  changedPrompts: z.array(Prompt).default([]),
  /** The owner has taken over a list: whatever comes later is shown first. */
  agreed: z.boolean().default(true),
  /** It could not be asked yet; turns do not wait for it again. */
  failed: z.boolean().default(false),
});

type State = z.output<typeof StoredCatalog>;

/** Keeps a server that keeps renaming its tools from filling the disk. */
const MAX_SEEN = 2000;

/**
 * What is cached about a server: its tools and prompts as the owner has seen them, each pinned by all that a model is
 * told of it. The first list comes with the server that the owner has set up; whatever is new or has changed after it
 * is off until they have seen it. Saved in a file, so that a turn can declare the tools of a server that is not running
 * yet.
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

  /** The prompts that may be used. */
  get prompts(): readonly ListedPrompt[] {
    return others(this.#state.prompts, this.#state.changedPrompts);
  }

  /** The tools that are off, since the owner has not seen them as they are. */
  get changed(): readonly Unseen<ListedTool>[] {
    return unseenOf(this.#state.seen as ListedTool[], this.#state.changed as ListedTool[]);
  }

  get changedPrompts(): readonly Unseen<ListedPrompt>[] {
    return unseenOf(this.#state.prompts, this.#state.changedPrompts);
  }

  /** Take over the server's latest list. @returns whether anything has changed. */
  async update(tools: readonly ListedTool[], prompts: readonly ListedPrompt[]): Promise<boolean> {
    const { agreed } = this.#state;
    const seen = agreed ? (this.#state.seen as ListedTool[]) : tools.slice(0, MAX_SEEN);
    const seenPrompts = agreed ? this.#state.prompts : prompts;
    const hashes = new Map(seen.map(({ name, hash }) => [name, hash]));
    const isAsSeen = ({ name, hash }: ListedTool) => hashes.get(name) === hash;
    const known = new Set(seenPrompts.map(canonicalJson));
    return this.#keep({
      seen,
      listed: tools.filter(isAsSeen).map(({ name }) => name),
      changed: tools.filter((tool) => !isAsSeen(tool)).slice(0, MAX_SEEN),
      prompts: seenPrompts.filter(({ name }) => prompts.some((prompt) => prompt.name === name)),
      changedPrompts: prompts.filter((prompt) => !known.has(canonicalJson(prompt))),
      agreed: true,
      failed: false,
    });
  }

  /** Accept what is new or has changed, which the owner has reviewed. */
  async pin(): Promise<void> {
    const { seen, listed, changed, prompts, changedPrompts } = this.#state;
    await this.#keep({
      seen: [...others(seen, changed), ...changed],
      listed: [...listed, ...changed.map(({ name }) => name)],
      changed: [],
      prompts: [...others(prompts, changedPrompts), ...changedPrompts],
      changedPrompts: [],
    });
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

const NOTHING = {
  ...{ seen: [], listed: [], changed: [], prompts: [], changedPrompts: [] },
  ...{ agreed: false, failed: false },
};

interface Named {
  readonly name: string;
}

function unseenOf<T extends Named>(seen: readonly T[], changed: readonly T[]): Unseen<T>[] {
  return changed.map((now) => ({ before: seen.find(({ name }) => name === now.name), now }));
}

/** Those of a list whose names are not in another. */
function others<T extends Named>(all: readonly T[], named: readonly Named[]): T[] {
  const names = new Set(named.map(({ name }) => name));
  return all.filter(({ name }) => !names.has(name));
}

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
