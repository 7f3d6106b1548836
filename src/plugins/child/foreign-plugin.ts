import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Artifacts } from '../../tools/builtin/artifacts.ts';
import type { Plugin } from '../definition.ts';
import type { FoundPlugin } from '../discover.ts';
import type { Manifest } from '../manifest.ts';
import type { ConnectDeps } from '../mcp/connect.ts';
import type { PackageInfo } from './package-info.ts';

export interface ForeignDeps extends ConnectDeps {
  readonly homeDir: string;
  readonly timeZone: string;
  readonly artifacts: Pick<Artifacts, 'keep'>;
  /** Called with the reason when its process was stopped. */
  readonly held?: ((why: string) => void) | undefined;
}

/**
 * Wraps a third-party plugin, whose tools are called in a process of its own. That process can reach
 * the files of the package, the folders of its manifest and the variables that it declares; it starts with the first
 * call. What its tools return is untrusted.
 *
 * @param start its section of the config files, and which copy of its files to run.
 */
export async function foreignPlugin(
  { folder, entry, root }: FoundPlugin,
  { version, description, manifest, env }: PackageInfo,
  start: { readonly config: Readonly<Record<string, unknown>>; readonly copy: string },
  deps: ForeignDeps,
): Promise<Plugin> {
  const { McpServer } = await import('../mcp/server.ts');
  const { mcpTool } = await import('../mcp/mcp-tool.ts');
  const given = { root, entry, home: deps.homeDir, timeZone: deps.timeZone, ...start };
  const effect = (['outbound', 'local'] as const).find((each) => manifest.effects?.includes(each)) ?? 'none';
  const server = new McpServer(
    {
      name: folder,
      target: {
        kind: 'stdio',
        command: process.execPath,
        args: [...flagsFor(root, manifest, deps.homeDir), CHILD, JSON.stringify(given)],
        env: Object.fromEntries(env.filter((each) => deps.env[each]).map((each) => [each, `\${${each}}`])),
      },
      ...{ enabled: true, deny: [], sampling: false, effects: {} },
    },
    { ...deps, catalogPath: join(deps.homeDir, 'state', 'mcp', `plugin-${folder}.json`), changed: () => undefined },
  );
  return {
    ...{ name: folder, version, description },
    async initialize() {
      // Its tools are cached from the last run, so that its process can wait for the first call.
      if (server.catalog.tools.length === 0) await server.refresh();
    },
    getAgentTools: (async () => {
      const tools = server.catalog.tools.map((listed) => mcpTool(server, listed, { ...deps, offered: () => true }));
      return (await Promise.all(tools)).map((tool) => ({
        ...tool,
        policy: { ...tool.policy, effect, network: effect === 'outbound' },
      }));
    }) as unknown as NonNullable<Plugin['getAgentTools']>,
    shutdown: () => server.close(),
  };
}

const CHILD = fileURLToPath(new URL('./plugin-child.ts', import.meta.url));

/** What the process may access: Node refuses all other files, programs and threads, but cannot refuse the network. */
function flagsFor(root: string, { folders = [] }: Manifest, home: string): string[] {
  const own = folders.map((folder) => (isAbsolute(folder) ? folder : join(home, folder)));
  const code = CHILD.endsWith('.ts') ? join(dirname(CHILD), '../..') : dirname(CHILD);
  const packages = [...ancestorsOf(root), ...ancestorsOf(CHILD)].map((dir) => join(dir, 'node_modules'));
  const readable = [root, code, ...packages, ...ancestorsOf(CHILD).map((dir) => join(dir, 'package.json')), ...own];
  return [
    '--permission',
    '--disable-warning=ExperimentalWarning',
    '--disable-warning=SecurityWarning',
    ...[...new Set(readable)].filter(existsSync).map((path) => `--allow-fs-read=${path}`),
    ...own.map((path) => `--allow-fs-write=${path}`),
  ];
}

function ancestorsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...ancestorsOf(parent)];
}
