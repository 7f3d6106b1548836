import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf } from '../base/errors.ts';
import type { Answer, Turn } from '../base/turn.ts';
import type { PluginOffer } from '../models/message-data.ts';
import { modelToolName } from '../tools/gate/toolbox.ts';
import type { CallObserver, ObservedCall, ObservedResult } from '../tools/gate/types.ts';
import type { Tool } from '../tools/tool.ts';
import type { Plugin, Prepared, ScheduledTask } from './definition.ts';
import { cardOf, examplesOf, type FoundPlugin } from './discover.ts';
import type { ServiceMap } from './legacy.ts';
import { manifestOf } from './open-plugin.ts';
import { type FoldersDeps, PluginFolders } from './plugin-folders.ts';
import { type Running, type StartDeps, startPlugin } from './running.ts';
import { type Opened, type PluginStatus, type Slot, statusOf } from './slot.ts';

/** The user is waiting for an answer at this point. */
const PREPARE_LIMIT_MS = 2_000;
/** Nobody waits for observers. */
const OBSERVE_LIMIT_MS = 5_000;

export interface PluginsDeps extends StartDeps, FoldersDeps {
  /** Plugins passed in by an embedding program, which are on whatever the settings say. */
  readonly given?: readonly Plugin[];
  /** Tools whose names plugins may not use. */
  readonly reserved: readonly Tool[];
}

/**
 * The plugins of the program: those that are running, and why the others are not.
 *
 * They start one after the other, so that tool names are given out in a fixed order. A plugin that cannot start is
 * logged, shown by `wooster plugins` and skipped; nothing a plugin does stops the program.
 */
export class Plugins implements CallObserver {
  readonly #deps: PluginsDeps;
  readonly #slots = new Map<string, Slot>();
  readonly #services: ServiceMap = new Map();
  /** What is on disk, and the owner's decisions about it. */
  readonly folders: PluginFolders;
  readonly #observing = new Set<Promise<unknown>>();
  readonly #offered = new WeakMap<FoundPlugin, readonly PluginOffer[]>();
  /** Cached: the same list until a plugin starts or stops. */
  #tools: readonly Tool[] = [];
  #changed: () => Promise<void> = async () => undefined;

  private constructor(deps: PluginsDeps) {
    this.#deps = deps;
    this.folders = new PluginFolders(deps, this.#services, (root, why) => {
      for (const slot of this.#slots.values()) if (slot.found?.root === root) this.#misbehaved(slot, why);
    });
  }

  /** Find, check and start all plugins that are switched on. Never rejects because of a plugin. */
  static async load(deps: PluginsDeps): Promise<Plugins> {
    const plugins = new Plugins(deps);
    await plugins.#startFound();
    return plugins;
  }

  /** Every plugin, including those that are off or failed. */
  list(): readonly PluginStatus[] {
    return [...this.#slots.values()].map(({ status }) => status);
  }

  /** Of one plugin, by the name of its folder. */
  status(name: string): PluginStatus | undefined {
    return this.#slots.get(name)?.status;
  }

  /** Tools of all running plugins, in loading order. */
  tools(): readonly Tool[] {
    return this.#tools;
  }

  tasks(): readonly ScheduledTask[] {
    return this.#running().flatMap(({ tasks }) => tasks);
  }

  /** Called when plugins have started or stopped since the program did. */
  onChange(changed: () => Promise<void>): void {
    this.#changed = changed;
  }

  /** Context lines and tools for one turn. A plugin that throws or takes too long adds nothing. */
  async prepare(turn: Turn): Promise<Prepared> {
    if (this.folders.hasNews()) await this.refresh();
    const slots = [...this.#slots.values()];
    const prepared = await Promise.all(slots.map((slot) => this.#prepareOne(slot, turn)));
    return {
      context: prepared.flatMap(({ context }) => context),
      tools: this.#withFreeNames(prepared.flatMap(({ tools }) => tools)),
      offers: this.#offers(),
    };
  }

  /** Tell plugins of a call that begins. */
  observeCall(call: ObservedCall): void {
    this.#observe(({ plugin }) => plugin.onToolCall && (() => plugin.onToolCall?.(structuredClone(call))));
  }

  observeResult(result: ObservedResult): void {
    this.#observe(({ plugin }) => plugin.onToolResult && (() => plugin.onToolResult?.(structuredClone(result))));
  }

  observeTurn(turn: Turn, answer: Answer): void {
    this.#observe(({ plugin }) => plugin.onTurn && (() => plugin.onTurn?.(turn, structuredClone(answer))));
  }

  /** Shut down in reverse order, since a later plugin may use an earlier one. Never rejects. */
  async shutdown(): Promise<void> {
    await Promise.allSettled(this.#observing);
    for (const slot of this.#loaded().toReversed()) await this.#stop(slot);
    this.folders.close();
  }

  /** Start and stop plugins according to the owner's latest decisions, without a restart. */
  async refresh(): Promise<void> {
    const before = this.#tools;
    const there = new Set(this.folders.find().map(({ entry }) => entry));
    for (const slot of [...this.#slots.values()].filter(({ found }) => found !== undefined)) {
      const { found, running } = slot as Slot & { found: FoundPlugin };
      const stays = there.has(found.entry) && this.folders.isWanted(found) && this.folders.isCurrent(found);
      if (running && !stays) await this.#stop(slot);
      if (!there.has(found.entry)) this.#slots.delete(slot.name);
    }
    await this.#startFound();
    if (before !== this.#tools) await this.#changed();
  }

  /** What bundled plugins that are off would do. */
  #offers(): PluginOffer[] {
    return [...this.#slots.values()].flatMap(({ name, found, status }) =>
      status.state === 'off' && found ? this.#offersOf(name, found) : [],
    );
  }

  /** Read once: every turn asks, and a bundled plugin stays as it was installed. */
  #offersOf(name: string, found: FoundPlugin): readonly PluginOffer[] {
    const known = this.#offered.get(found);
    if (known) return known;
    const offers = cardOf(found) ? [{ plugin: name, examples: examplesOf(found) }] : [];
    this.#offered.set(found, offers);
    return offers;
  }

  #running(): Running[] {
    return [...this.#slots.values()].flatMap(({ running }) => running ?? []);
  }

  #loaded(): Slot[] {
    return [...this.#slots.values()].filter(({ running }) => running !== undefined);
  }

  /** Start all that is wanted and not running yet. */
  async #startFound(): Promise<void> {
    const opened: Opened[] = [];
    for (const found of this.folders.find()) {
      if (this.#slots.get(found.folder)?.running) continue;
      const slot = this.#slot(found.folder, found);
      const plugin = await this.#attempt(slot, () => this.#open(slot, found));
      if (plugin) opened.push({ slot, plugin });
    }
    for (const plugin of this.#deps.given ?? []) {
      if (!this.#slots.has(plugin.name)) opened.push({ slot: this.#slot(plugin.name, undefined), plugin });
    }
    for (const { slot, plugin } of inLoadOrder(opened)) await this.#attempt(slot, () => this.#start(slot, plugin));
  }

  #slot(name: string, found: FoundPlugin | undefined): Slot {
    const slot = { name, found, status: statusOf(name), running: undefined, fault: undefined };
    this.#slots.set(name, slot);
    return slot;
  }

  /** Failures are the plugin's fault, and are reported as its own. */
  async #attempt<T>(slot: Slot, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#deps.log.warn('plugin skipped', { plugin: slot.name, error: messageOf(error) });
      const detail = this.#deps.redactor.redact(messageOf(error));
      slot.status = { ...statusOf(slot.name), state: 'failed', detail };
      return undefined;
    }
  }

  /** @returns undefined for a plugin that is off. @throws Error why one that is on cannot be loaded. */
  async #open(slot: Slot, found: FoundPlugin): Promise<Plugin | undefined> {
    const opened = await this.folders.open(found);
    if (typeof opened !== 'string') return opened;
    const { description = '' } = cardOf(found) ?? {};
    slot.status = { ...statusOf(slot.name), description, detail: opened };
    return undefined;
  }

  async #start(slot: Slot, plugin: Plugin): Promise<void> {
    const missing = (plugin.uses ?? [])
      .map(readUse)
      .find((use) => !use.optional && this.offered(use.name).length === 0);
    if (missing) throw new TypeError(`no running plugin provides the service "${missing.name}"`);
    const isOurs = slot.found === undefined || slot.found.origin === 'bundled';
    const running = await startPlugin(plugin, this.folders.configOf(slot.name), {
      ...this.#deps,
      services: (name) => this.offered(name),
      examples: slot.found && examplesOf(slot.found),
      declared: slot.found && manifestOf(slot.found),
      guarded: isOurs
        ? undefined
        : { misbehaved: (what) => this.#misbehaved(slot, what), watch: this.folders.watchOf(slot.found) },
    });
    slot.running = running;
    try {
      if (slot.fault !== undefined) throw new Error(slot.fault);
      this.#refuseTakenNames(slot, running.tools);
    } catch (error) {
      await this.#stop(slot);
      throw error;
    }
    this.#list();
    const { name, version, description } = plugin;
    const tools = running.tools.map((tool) => tool.name);
    const { manifest } = running;
    const detail = this.#deps.redactor.redact(running.refused.join('; '));
    if (detail !== '') this.#deps.log.warn('functions left out', { plugin: name, why: detail });
    slot.status = { name, version, description, state: 'on', detail, tools, manifest };
  }

  async #stop(slot: Slot): Promise<void> {
    const { running, name } = slot;
    slot.running = undefined;
    this.#list();
    const { version, description } = slot.status;
    slot.status = { ...statusOf(name), version, description };
    await running?.stop().catch((error: unknown) => {
      this.#deps.log.warn('plugin did not shut down', { plugin: name, error: messageOf(error) });
    });
  }

  /** Switch it off, now and for later starts. May be called several times for one incident. */
  #misbehaved(slot: Slot, why: string): void {
    if (slot.fault !== undefined) return;
    slot.fault = this.#deps.redactor.redact(why);
    this.#deps.log.warn('plugin switched off', { plugin: slot.name, error: why });
    const kept = this.folders.blame(slot.name, slot.fault);
    const stopped = slot.running ? this.#stop(slot).then(() => this.#changed()) : undefined;
    slot.status = { ...statusOf(slot.name), state: 'failed', detail: `switched off: ${slot.fault}` };
    this.#track(Promise.all([kept, stopped]));
  }

  async #prepareOne(slot: Slot, turn: Turn): Promise<Prepared> {
    const { running } = slot;
    if (!running?.plugin.prepare) return { context: [], tools: [] };
    try {
      const { plugin, call, adapt } = running;
      const { context = [], tools } = (await call(PREPARE_LIMIT_MS, () => plugin.prepare?.(turn))) ?? {};
      return { context: context.map(String), tools: await adapt(tools) };
    } catch (error) {
      await this.#failed(slot, `it could not prepare a turn: ${messageOf(error)}`);
      return { context: [], tools: [] };
    }
  }

  #observe(choose: (running: Running) => (() => unknown) | undefined): void {
    for (const slot of this.#loaded()) {
      const { running } = slot;
      const observer = running && choose(running);
      if (!running || !observer) continue;
      const done = running.call(OBSERVE_LIMIT_MS, observer);
      this.#track(done.catch((error: unknown) => this.#failed(slot, `it failed while observing: ${messageOf(error)}`)));
    }
  }

  #track(work: Promise<unknown>): void {
    this.#observing.add(work);
    void work.finally(() => this.#observing.delete(work));
  }

  /** Misbehaviour switches off the owner's plugins; ours fail visibly. */
  async #failed(slot: Slot, why: string): Promise<void> {
    // A plugin that was stopped also times out; the reason for stopping it is reported first.
    await nextTurn();
    if (slot.found?.origin === 'own' || slot.found?.origin === 'added') this.#misbehaved(slot, why);
    else this.#deps.log.warn('plugin failed', { plugin: slot.name, error: why });
  }

  #list(): void {
    this.#tools = this.#running().flatMap(({ tools }) => tools);
  }

  /** What the running plugins offer under a name, in loading order. */
  offered(name: string): unknown[] {
    const registered = this.#services.has(name) ? [this.#services.get(name)] : [];
    return [...this.#running().flatMap(({ services }) => (name in services ? [services[name]] : [])), ...registered];
  }

  /** The turn's tools whose names are free: a duplicate name would end the turn. */
  #withFreeNames(tools: readonly Tool[]): Tool[] {
    const taken = new Set([...this.#deps.reserved, ...this.#tools].map(({ name }) => modelToolName(name)));
    return tools.filter(({ name, origin }) => {
      const isFree = !taken.has(modelToolName(name));
      if (!isFree) this.#deps.log.warn('a tool of a turn is left out: its name is taken', { tool: name, origin });
      taken.add(modelToolName(name));
      return isFree;
    });
  }

  /** The name as a model sees it: `a.b` and `a_b` are the same. */
  #refuseTakenNames(slot: Slot, tools: readonly Tool[]): void {
    const others = this.#running().filter((each) => each !== slot.running);
    const all = [...this.#deps.reserved, ...others.flatMap((each) => each.tools)];
    const taken = new Set(all.map((tool) => modelToolName(tool.name)));
    const clash = tools.find((tool) => taken.has(modelToolName(tool.name)));
    if (clash) throw new TypeError(`the tool name "${clash.name}" is taken`);
  }
}

/** A service named in `uses`, and whether it is optional. */
function readUse(use: string): { readonly name: string; readonly optional: boolean } {
  return use.endsWith('?') ? { name: use.slice(0, -1), optional: true } : { name: use, optional: false };
}

/**
 * Put providers of services before their users, otherwise keeping the order. Plugins that need each other stay
 * where they are, and the first of them does not find its service.
 */
function inLoadOrder<Each extends { readonly plugin: Plugin }>(all: readonly Each[]): Each[] {
  const ordered = new Set<Each>();
  const path = new Set<Each>();
  const visit = (each: Each) => {
    if (ordered.has(each) || path.has(each)) return;
    path.add(each);
    for (const { name } of (each.plugin.uses ?? []).map(readUse)) {
      for (const other of all) if (other.plugin.provides?.includes(name)) visit(other);
    }
    path.delete(each);
    ordered.add(each);
  };
  for (const each of all) visit(each);
  return [...ordered];
}
