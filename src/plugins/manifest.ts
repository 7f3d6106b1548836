import { isAbsolute, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import type { Reach } from '../net/reach.ts';
import type { Effect, Source, Tool, ToolContext } from '../tools/tool.ts';

/** A plugin's permissions beyond answering: shown when it is switched on, and enforced from then on. */
export interface Manifest {
  /**
   * Hosts that it may reach: `example.org`, `*.example.org`, `mail.example.org:993`, or `$NAME` for the host in its
   * variable or setting of that name, which may be private. Absent: `fetch` reaches any public address.
   */
  readonly hosts?: readonly string[];
  /** Folders whose files its tools may use, relative to the data folder or absolute. Absent: any. */
  readonly folders?: readonly string[];
  /** The effects that its tools may have. Absent: any. */
  readonly effects?: readonly Effect[];
}

const HOST = /^(?:\$[A-Za-z_]\w*|(?:\*\.)?[A-Za-z0-9.-]+(?::\d+)?|\[[0-9A-Fa-f:.]+\](?::\d+)?)$/u;

const ManifestShape = z.object({
  hosts: z.array(z.string().regex(HOST, 'must be a host, with a port if need be, or $NAME')).optional(),
  folders: z.array(z.string().min(1)).optional(),
  effects: z.array(z.enum(['none', 'local', 'outbound'])).optional(),
});

/** @throws TypeError that names the field. */
export function readManifest(raw: unknown): Manifest {
  const read = ManifestShape.safeParse(raw);
  if (read.success) return read.data as Manifest;
  const [issue] = read.error.issues;
  throw new TypeError(`${issue?.path.join('.')}: ${issue?.message}`);
}

/** The plugin's permissions for its owner, one line per kind. */
export function manifestLines({ hosts, folders, effects }: Manifest): string[] {
  const list = (values: readonly string[] | undefined, none: string) =>
    values === undefined ? 'any' : values.length === 0 ? none : values.join(', ');
  return [
    `hosts:   ${hosts === undefined ? 'any public one' : list(hosts, 'none')}`,
    `folders: ${list(folders, 'none')}`,
    `effects: ${list(effects, 'none')}`,
  ];
}

/** Default ports of the schemes that mail, calendar and similar servers use. */
const PORTS: Readonly<Record<string, string>> = {
  ...{ 'http:': '80', 'https:': '443', 'caldav:': '80', 'caldavs:': '443' },
  ...{ 'imap:': '143', 'imaps:': '993', 'smtp:': '25', 'smtps:': '465', 'submission:': '587' },
};

/** @param values the plugin's variables and settings by name. */
export function reachOf({ hosts = [] }: Manifest, values: Readonly<Record<string, unknown>>): Reach {
  const named = hosts.filter((entry) => entry.startsWith('$')).flatMap((entry) => hostIn(values[entry.slice(1)]));
  return { hosts: hosts.filter((entry) => !entry.startsWith('$')), named };
}

/** `host:port` of a URL, or the host as it was set. */
function hostIn(value: unknown): string[] {
  if (typeof value !== 'string' || value.trim() === '') return [];
  const text = value.trim();
  const url = text.includes('://') ? URL.parse(text) : null;
  if (!url) return [text.toLowerCase()];
  const port = url.port || PORTS[url.protocol];
  return [port === undefined ? url.hostname : `${url.hostname}:${port}`];
}

/** @throws TypeError for a tool that does more than the manifest says. */
export function checkEffects(tools: readonly Tool[], { effects }: Manifest): void {
  const beyond = tools.find(
    (tool) => effects !== undefined && tool.policy.effect !== 'none' && !effects.includes(tool.policy.effect),
  );
  if (beyond) {
    throw new TypeError(
      `the tool "${beyond.name}" has the effect "${beyond.policy.effect}", which its "effects" do not name`,
    );
  }
}

/** @throws TypeError when a call names a file outside the plugin's folders. */
export async function checkFolders(
  tool: Tool,
  call: { readonly input: unknown; readonly context: ToolContext },
  { folders }: Manifest,
  home: string,
): Promise<void> {
  if (folders === undefined) return;
  const { input, context } = call;
  const { readsFrom = [], writesTo } = tool.provenance;
  const read = typeof readsFrom === 'function' ? await readsFrom(input, context) : readsFrom;
  const named = [writesTo?.(input, context, undefined) ?? [], read].flat(2);
  for (const path of named.flatMap((each) => pathIn(each) ?? [])) {
    if (!folders.some((folder) => isInside(path, isAbsolute(folder) ? folder : join(home, folder)))) {
      throw new TypeError(`${path} is outside the folders of this plugin (${folders.join(', ') || 'none'})`);
    }
  }
}

/** Of a thing that is a file. */
function pathIn(thing: Source): string | undefined {
  return typeof thing === 'string' && thing.startsWith('file:') ? thing.slice('file:'.length) : undefined;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return !way.startsWith('..') && !isAbsolute(way);
}
