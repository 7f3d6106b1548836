import { z } from 'zod';
import type { Turn } from '../../base/turn.ts';
import { findTools } from '../../tools/find-tools.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { shownDescription } from './mcp-tool.ts';

/** Up to this many server tools are declared in full; of more a turn gets only names, and asks for what it needs. */
const MAX_DECLARED = 40;
/** The most tools that one search adds to a turn. */
const MAX_ADDED = 8;
/** What the names of undeclared tools may take in a prompt: about 500 tokens. */
const MAX_LIST_CHARS = 1500;
const MAX_ONE_LINE_CHARS = 44;
const MAX_NAME_CHARS = 64;
/** More than the turns that ever run at the same time. */
const MAX_TURNS = 50;

/** Decides which server tools are declared in a turn. */
export class Discovery {
  /** What each turn has found, by its id. */
  readonly #found = new Map<string, Set<string>>();
  #isFull = true;

  /** The tools of all servers, and a search tool when there are too many to declare. */
  of(tools: readonly Tool[]): readonly Tool[] {
    this.#isFull = tools.length <= MAX_DECLARED;
    return this.#isFull ? tools : [...tools, this.#finder(tools)];
  }

  /** In code mode always: its prompt declares what it has room for, and scripts can search the rest. */
  isOffered(id: string, turn: Turn): boolean {
    return this.#isFull || turn.mode === 'code_agent' || this.#found.get(turn.id)?.has(id) === true;
  }

  /** What a turn is told about undeclared tools. */
  lines(tools: readonly Tool[], turn: Turn): string[] {
    if (this.#isFull || turn.mode === 'code_agent') return [];
    const how = 'call discover_tools with a few words to get the ones you need';
    const others = tools.filter(({ server }) => server !== undefined);
    return [`${others.length} more tools of MCP servers are not declared here; ${how}:`, ...nameLines(others)];
  }

  #finder(tools: readonly Tool[]): Tool {
    return defineTool({
      name: 'discover_tools',
      positional: ['query'],
      description: `Find tools of connected servers by what they do, and get up to ${MAX_ADDED} of them to call.`,
      input: z.object({ query: z.string().min(1).max(500) }),
      output: z.array(z.object({ name: z.string(), description: z.string() })),
      policy: { effect: 'none' },
      provenance: { readsFrom: ['web'] },
      presentation: { offer: ({ mode }) => mode === 'classic_tools' },
      timeoutMs: 5000,
      execute: ({ query }, { turn }) => {
        const found = findTools(tools, query).slice(0, MAX_ADDED);
        this.#add(turn.id, found);
        return found.map(({ name, description }) => ({ name: name.replaceAll('.', '_'), description }));
      },
    });
  }

  #add(turnId: string, tools: readonly Tool[]): void {
    const known = this.#found.get(turnId) ?? new Set();
    for (const { name } of tools) known.add(name);
    this.#found.set(turnId, known);
    const [oldest] = this.#found.keys();
    if (this.#found.size > MAX_TURNS && oldest !== undefined) this.#found.delete(oldest);
  }
}

/** One line per server, with as many tool names as fit; the first ones with their descriptions. */
function nameLines(tools: readonly Tool[]): string[] {
  const servers = Map.groupBy(tools, ({ server }) => server ?? '');
  const share = Math.floor(MAX_LIST_CHARS / servers.size);
  return [...servers].slice(0, 20).map(([server, own]) => {
    const names: string[] = [];
    let left = share;
    for (const { name, description } of own) {
      const short = name.slice(server.length + 1, server.length + 1 + MAX_NAME_CHARS);
      const entry = left > share / 3 ? `${short} (${shownDescription(description, MAX_ONE_LINE_CHARS)})` : short;
      left -= entry.length + 2;
      if (left < 0) break;
      names.push(entry);
    }
    const more = own.length - names.length;
    return `- ${server}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  });
}
