import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { parse as parseToml, TomlError } from 'smol-toml';
import { isRecord, parseJson } from '../../base/json.ts';
import { readEntry } from './server-settings.ts';

/** A server from another program's settings, in our form. */
export interface FoundServer {
  readonly name: string;
  readonly file: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** A server from another program's settings that cannot be used here. */
export interface UnusableServer {
  readonly name: string;
  readonly file: string;
  readonly problem: string;
}

/** The settings files of other programs: in the person's home folder, then in the working folder. */
function usualFiles(): string[] {
  const home = homedir();
  return [
    join(home, 'Library/Application Support/Claude/claude_desktop_config.json'),
    join(process.env.APPDATA ?? join(home, '.config'), 'Claude/claude_desktop_config.json'),
    join(home, '.claude.json'),
    join(home, '.cursor/mcp.json'),
    join(home, '.gemini/settings.json'),
    join(home, '.codex/config.toml'),
    join(home, '.config/opencode/opencode.json'),
    join(home, '.codeium/windsurf/mcp_config.json'),
    ...['.mcp.json', '.vscode/mcp.json', '.cursor/mcp.json'].map((file) => join(process.cwd(), file)),
  ];
}

/** All servers set up in other programs, or those of one file. Permissions granted there are not imported. */
export function findServers(file?: string): { found: FoundServer[]; unusable: UnusableServer[] } {
  const found: FoundServer[] = [];
  const unusable: UnusableServer[] = [];
  for (const path of file === undefined ? usualFiles().filter(existsSync) : [file]) {
    const { servers, problem } = serversIn(path);
    if (problem !== undefined) unusable.push({ name: basename(path), file: path, problem });
    for (const [given, raw] of Object.entries(servers)) {
      const name = usableName(given);
      try {
        const entry = ourEntry(raw);
        readEntry(name, entry);
        found.push({ name, file: path, entry });
      } catch (error) {
        unusable.push({ name: given, file: path, problem: error instanceof Error ? error.message : String(error) });
      }
    }
  }
  return { found, unusable };
}

function serversIn(path: string): { readonly servers: Record<string, unknown>; readonly problem?: string } {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.toml')) return serversInToml(text);
  const whole = parseJson(text) ?? parseJson(withoutLastCommas(withoutComments(text)));
  // An empty file has no servers.
  const isBroken = whole === undefined && text.trim() !== '';
  return { servers: serversOf(whole), ...(isBroken ? { problem: 'it is not valid JSON' } : {}) };
}

function serversInToml(text: string): ReturnType<typeof serversIn> {
  try {
    return { servers: serversOf(parseToml(text)) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { servers: {}, problem: `it is not valid TOML (line ${error.line})` };
  }
}

/** The server tables, wherever another program keeps them in its file. */
function serversOf(whole: unknown): Record<string, unknown> {
  if (!isRecord(whole)) return {};
  const tables = [
    whole.mcpServers,
    whole.servers,
    whole.mcp_servers,
    isRecord(whole.mcp) ? (whole.mcp.servers ?? whole.mcp) : undefined,
  ];
  const projects = isRecord(whole.projects)
    ? Object.values(whole.projects).map((each) => (isRecord(each) ? each.mcpServers : undefined))
    : [];
  return Object.assign({}, ...[...projects, ...tables].filter(isRecord)) as Record<string, unknown>;
}

/** In our format, without any trust or permission granted elsewhere. */
function ourEntry(raw: unknown): Record<string, unknown> {
  if (!isRecord(raw)) throw new Error('it is not an object');
  const [command, ...more] = [raw.command ?? raw.cmd].flat();
  const url = raw.url ?? raw.httpUrl ?? raw.serverUrl;
  const env = raw.env ?? raw.environment ?? raw.envs;
  const target =
    command === undefined
      ? { type: raw.type === 'sse' ? 'sse' : 'http', url, ...textsIn('headers', raw.headers) }
      : {
          command,
          args: [...more, ...(Array.isArray(raw.args) ? raw.args : [])],
          ...(raw.cwd ? { cwd: raw.cwd } : {}),
        };
  return { ...(mapTexts({ ...target, ...textsIn('env', env) }) as Record<string, unknown>), disabled: true };
}

/** A field of strings, which others also write as numbers and booleans. */
function textsIn(field: string, values: unknown): Record<string, unknown> {
  if (!isRecord(values)) return {};
  return { [field]: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)])) };
}

/** `${env:NAME}` and `${input:name}` of other programs become variables. */
function mapTexts(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(
      /\$\{(?:env|input):([\w-]+)\}/gu,
      (_all, name: string) => `\${${name.replace(/-/gu, '_').toUpperCase()}}`,
    );
  if (Array.isArray(value)) return value.map(mapTexts);
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapTexts(inner)]))
    : value;
}

function usableName(name: string): string {
  const usable = name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/gu, '-')
    .replace(/^[-_]+/u, '')
    .slice(0, 32);
  return usable === '' ? 'server' : usable;
}

function withoutComments(text: string): string {
  return text.replace(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//gu,
    (_all, kept: string | undefined) => kept ?? '',
  );
}

/** Without the trailing commas that other programs allow. */
function withoutLastCommas(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/gu, '$1');
}
