import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { replaceFile } from '../../base/replace-file.ts';
import { counted } from '../../base/text.ts';
import { visible, visibleLine } from '../../base/visible-characters.ts';
import type { Tools } from '../../face/app.ts';
import type { McpHub } from '../../plugins/mcp/hub.ts';
import type { McpServer } from '../../plugins/mcp/server.ts';
import type { CommandCall } from '../command.ts';
import { badUsage, isYes } from '../flags.ts';

/** `mcp import`: take over the servers of other programs, all of them off. */
export async function importServers({ app, out }: CommandCall, [file]: readonly string[]): Promise<number> {
  const { findServers } = await import('../../plugins/mcp/import-servers.ts');
  const hub = await app.tools.mcp.hub();
  const { found, unusable } = readFiles(() => findServers(file === undefined ? undefined : resolve(file)), file);
  let added = 0;
  for (const { name, file: from, entry } of found) {
    const isThere = Object.hasOwn(hub.file.entries(), name);
    if (!isThere) await hub.file.put(name, withNamedSecrets(hub, name, entry));
    added += isThere ? 0 : 1;
    out.row({ name, from, added: !isThere });
    out.line(`${isThere ? 'kept' : 'off '}  ${name}: ${visibleLine(whatRuns(entry))}  (${from})`);
  }
  for (const { name, file: from, problem } of unusable)
    out.note(`${visibleLine(name)} of ${from} is left out: ${problem}`);
  await hub.load();
  const hint = added > 0 ? ' They are off: "wooster mcp enable NAME" switches one on.' : '';
  out.line(`${counted(added, 'server')} imported.${hint}`);
  return 0;
}

function readFiles<T>(read: () => T, file: string | undefined): T {
  try {
    return read();
  } catch (cause) {
    throw new AssistantError('file_not_found', `${file ?? 'A file'} cannot be read: ${messageOf(cause)}.`, {
      hint: 'Name the file in which the other program keeps its servers.',
      cause,
    });
  }
}

function withNamedSecrets(hub: McpHub, name: string, entry: Readonly<Record<string, unknown>>) {
  const named = ['env', 'headers'].flatMap((field) => {
    const texts = entry[field];
    return texts === undefined ? [] : [[field, hub.file.namedSecrets(name, texts as Record<string, string>)] as const];
  });
  return { ...entry, ...Object.fromEntries(named) };
}

function whatRuns({ command, args, url }: Readonly<Record<string, unknown>>): string {
  return typeof url === 'string' ? url : [command, ...(args as unknown[])].join(' ');
}

/** `mcp resources`: what a server lets others read. */
export async function resources({ app, out }: CommandCall, [name = '']: readonly string[]): Promise<number> {
  const { listResources } = await import('../../plugins/mcp/resources.ts');
  const found = await listResources(await serverOf(app.tools.mcp, name));
  for (const { uri, name: title } of found) {
    out.show({ server: name, uri, name: title }, `mcp:${name}/${visibleLine(uri)}  ${visibleLine(title)}`);
  }
  out.line(`${counted(found.length, 'resource')}. "wooster ingest mcp:${name}/URI" adds one to the documents.`);
  return 0;
}

/**
 * `mcp prompt`, and `/SERVER:PROMPT`: show the text of a server's prompt and, if the person agrees, answer it. It is
 * the server's text, so the turn counts as one that has read untrusted content.
 */
export async function prompt(
  call: CommandCall,
  [server = '', name = '', ...words]: readonly string[],
): Promise<number> {
  const { app, out, session } = call;
  const { promptText } = await import('../../plugins/mcp/prompts.ts');
  const from = await serverOf(app.tools.mcp, server);
  if (!from.catalog.known) await from.refresh();
  const text = await promptText(from, name, words);
  out.show({ server, prompt: name, text }, visible(text));
  if (!session.yes && !isYes(await out.ask(`Answer this prompt of ${server}? [y/N] `))) return 1;
  const material = [{ name: `prompt ${name} of the MCP server ${server}`, text, untrusted: true }];
  return call.ask(`Do what the prompt "${name}" below asks for.`, { material });
}

/** `mcp login`: log in to a server elsewhere. The address is shown, never opened. */
export async function login({ app, out, signal }: CommandCall, [name = '']: readonly string[]): Promise<number> {
  const hub = await app.tools.mcp.hub();
  const show = (address: URL) => {
    out.row({ name, open: address.href });
    out.line(`Open this address in your browser to log in to ${name} at ${address.host}:`);
    out.line(visibleLine(address.href));
  };
  try {
    await hub.logIn(name, show, signal);
  } catch (cause) {
    if (cause instanceof AssistantError) throw cause;
    const why = signal.aborted ? 'it was stopped' : messageOf(cause);
    throw new AssistantError('plugin_broken', `You are not logged in to ${name}: ${visibleLine(why)}.`, {
      hint: `"wooster mcp login ${name}" begins anew; a key goes into its headers instead.`,
      cause,
    });
  }
  const problem = hub.server(name) && (await hub.ask(15_000)).find((each) => each.name === name)?.problem;
  out.row({ name, loggedIn: true, problem: problem ?? null });
  const count = hub.server(name)?.catalog.tools.length ?? 0;
  out.line(problem === undefined ? `You are logged in to ${name}: ${counted(count, 'tool')}.` : visibleLine(problem));
  return problem === undefined ? 0 : 1;
}

/** `mcp logout`: delete the owner's tokens for a server. */
export async function logout({ app, out }: CommandCall, [name = '']: readonly string[]): Promise<number> {
  const was = await (await app.tools.mcp.hub()).logOut(name);
  out.show({ name, loggedOut: was }, was ? `You are logged out of ${name}.` : `You were not logged in to ${name}.`);
  return was ? 0 : 1;
}

/** The paths of an ingest; resources of MCP servers are first saved in the project, as untrusted files. */
export async function savedResources(call: CommandCall, paths: readonly string[]): Promise<string[]> {
  return Promise.all(paths.map((path) => (path.startsWith('mcp:') ? savedResource(call, path) : path)));
}

async function savedResource({ app, session, signal }: CommandCall, address: string): Promise<string> {
  const [, name = '', uri = ''] = /^mcp:([^/]+)\/(.+)$/su.exec(address) ?? [];
  const { readResource } = await import('../../plugins/mcp/resources.ts');
  const { fileName, content } = await readResource(await serverOf(app.tools.mcp, name), uri, signal);
  const path = join(app.knowledge.projects.folder(session.project), 'mcp', name, fileName);
  await mkdir(dirname(path), { recursive: true });
  // Before anybody can read it.
  await app.knowledge.origins.files.declare(path, { untrusted: true, folder: false }).catch(() => undefined);
  await replaceFile(path, content);
  await app.knowledge.origins.files.declare(path, { untrusted: true, folder: false });
  return path;
}

/** @throws AssistantError `bad_usage` when there is no server of this name, or it is off. */
async function serverOf(mcp: Tools['mcp'], name: string): Promise<McpServer> {
  const hub = await mcp.hub();
  const server = hub.server(name);
  if (server) return server;
  hub.file.entry(name);
  throw badUsage(`The MCP server ${name} is not on.`, `"wooster mcp enable ${name}" switches it on.`);
}
