import type { Plugin } from './definition.ts';
import type { FoundPlugin } from './discover.ts';
import type { Manifest } from './manifest.ts';
import type { Running } from './running.ts';

/** One plugin as `wooster plugins` shows it. */
export interface PluginStatus {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly state: 'on' | 'off' | 'failed';
  /** How to switch it on, why it failed, or what a running one lacks; else empty. */
  readonly detail: string;
  readonly tools: readonly string[];
  /** Its permissions, if it is on. */
  readonly manifest?: Manifest;
}

/** One plugin, whatever its state. */
export interface Slot {
  /** The folder's name; for a plugin passed in by a program, its own. */
  readonly name: string;
  readonly found: FoundPlugin | undefined;
  status: PluginStatus;
  running: Running | undefined;
  /** The misbehaviour that switched it off. */
  fault: string | undefined;
}

/** A slot whose code is loaded. */
export interface Opened {
  readonly slot: Slot;
  readonly plugin: Plugin;
}

/** The status of a plugin that nothing is known about yet. */
export function statusOf(name: string): PluginStatus {
  return { name, version: '', description: '', state: 'off', detail: '', tools: [] };
}
