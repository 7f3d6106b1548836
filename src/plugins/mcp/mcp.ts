import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Turn } from '../../base/turn.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Preparation } from '../definition.ts';
import type { McpDeps, McpHub } from './hub.ts';

const NONE: readonly Tool[] = [];

/** The MCP servers of the home. Nothing is loaded without an `mcp.json`. */
export class Mcp {
  readonly #deps: McpDeps;
  #opening: Promise<McpHub> | undefined;
  #hub: McpHub | undefined;

  private constructor(deps: McpDeps) {
    this.#deps = deps;
  }

  static async open(deps: McpDeps): Promise<Mcp> {
    const mcp = new Mcp(deps);
    if (existsSync(join(deps.homeDir, 'mcp.json'))) await mcp.hub();
    return mcp;
  }

  /** For commands; reads `mcp.json` on first use. */
  hub(): Promise<McpHub> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** The servers' tools as currently known; the same list until one changes. */
  readonly tools = (): readonly Tool[] => this.#hub?.tools() ?? NONE;

  async prepare(turn: Turn): Promise<Preparation> {
    return (await this.#hub?.prepare(turn)) ?? {};
  }

  /** Start the servers in the background; nothing waits for them. */
  start(): void {
    this.#hub?.start();
  }

  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  async #open(): Promise<McpHub> {
    const { McpHub } = await import('./hub.ts');
    const hub = new McpHub(this.#deps);
    await hub.load();
    this.#hub = hub;
    return hub;
  }
}
