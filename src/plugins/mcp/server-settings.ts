import { z } from 'zod';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';

/** A server that is started on this machine and uses its standard streams. */
export interface LocalServer {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
}

/** A remote server. */
export interface RemoteServer {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth: OAuthSettings;
}

/** What the owner registered with a server's login service; every field is optional. */
export interface OAuthSettings {
  /** For services without dynamic client registration. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly scope?: string | undefined;
  /** The port of the redirect URL, if the service has a fixed one. */
  readonly callbackPort?: number | undefined;
}

/** One entry of `mcpServers`, before its variables are substituted. */
export interface ServerSettings {
  readonly name: string;
  readonly target: LocalServer | RemoteServer;
  readonly enabled: boolean;
  /** The server's names of the tools to use; absent: all. */
  readonly allow?: readonly string[] | undefined;
  readonly deny: readonly string[];
  /** The owner's own labels for single tools; `none` means that it only reads. */
  readonly effects: Readonly<Record<string, 'none' | 'outbound'>>;
  /** Whether the server may use our model (sampling). */
  readonly sampling: boolean;
}

/** An entry that cannot be used, and why. */
export interface BadServer {
  readonly name: string;
  readonly problem: string;
}

export interface ReadServers {
  readonly servers: readonly ServerSettings[];
  readonly bad: readonly BadServer[];
}

const NAME = /^[a-z0-9][a-z0-9_-]{0,31}$/u;

const Texts = z.record(z.string(), z.coerce.string());

/** The fields of a server's entry; those of other programs are ignored and kept. */
const Entry = z.looseObject({
  type: z.string().optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.coerce.string()).default([]),
  env: Texts.default({}),
  cwd: z.string().optional(),
  url: z.string().optional(),
  headers: Texts.default({}),
  oauth: z
    .looseObject({
      clientId: z.string().min(1).optional(),
      clientSecret: z.string().min(1).optional(),
      scope: z.string().optional(),
      callbackPort: z.number().int().min(1).max(65_535).optional(),
    })
    .default({}),
  disabled: z.boolean().default(false),
  allow: z.array(z.string()).optional(),
  deny: z.array(z.string()).default([]),
  effects: z.record(z.string(), z.enum(['none', 'outbound'])).default({}),
  sampling: z.boolean().default(false),
});

/**
 * Parse the text of `mcp.json`. An invalid entry does not affect the others.
 *
 * @throws AssistantError `bad_setting` when it is not an object with `mcpServers` at all.
 */
export function readServers(text: string): ReadServers {
  const servers: ServerSettings[] = [];
  const bad: BadServer[] = [];
  for (const [name, entry] of Object.entries(entriesOf(text))) {
    try {
      servers.push(readEntry(name, entry));
    } catch (error) {
      bad.push({ name, problem: messageOf(error) });
    }
  }
  return { servers, bad };
}

/** The unparsed entries of `mcp.json`, for changing one. @throws AssistantError `bad_setting`. */
export function entriesOf(text: string): Record<string, unknown> {
  const whole = documentOf(text);
  const entries = whole.mcpServers ?? {};
  if (isRecord(entries)) return entries;
  throw unreadable('"mcpServers" is not an object');
}

/** The whole document, so that other programs' fields are kept. @throws AssistantError `bad_setting`. */
export function documentOf(text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  try {
    const whole: unknown = JSON.parse(text);
    if (isRecord(whole)) return whole;
  } catch (error) {
    throw unreadable(messageOf(error), error);
  }
  throw unreadable('it is not a JSON object');
}

/** @throws AssistantError `bad_usage` for a name that is not valid as a prefix of tool names. */
export function requireServerName(name: string): string {
  if (NAME.test(name)) return name;
  throw new AssistantError('bad_usage', `"${name}" is no name for a server.`, {
    hint: 'Use up to 32 small letters, digits, "-" and "_", beginning with a letter or digit.',
  });
}

/** @throws Error that names the field. */
export function readEntry(name: string, entry: unknown): ServerSettings {
  if (!NAME.test(name)) throw new Error('its name must be small letters, digits, "-" and "_", at most 32');
  const parsed = Entry.safeParse(entry);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join('.') || 'the entry'}: ${issue?.message ?? 'not valid'}`);
  }
  const { disabled, allow, deny, effects, sampling } = parsed.data;
  return { name, target: targetOf(parsed.data), enabled: !disabled, allow, deny, effects, sampling };
}

function targetOf({
  type,
  command,
  args,
  env,
  cwd,
  url,
  headers,
  oauth,
}: z.output<typeof Entry>): ServerSettings['target'] {
  if (command !== undefined && url !== undefined) throw new Error('it has both a command and a url; use one');
  if (command !== undefined) return { kind: 'stdio', command, args, env, cwd };
  if (url === undefined) throw new Error('it has neither a command nor a url');
  if (type === 'sse') throw new Error('the older "sse" form is not spoken; give the "http" address of the server');
  const parsed = URL.parse(url);
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') throw new Error(`url: "${url}" is no web address`);
  if (parsed.username || parsed.password) throw new Error('url: give the password as a header, not in the address');
  return { kind: 'http', url, headers, oauth };
}

/** `${NAME}` and `${NAME:-otherwise}` from these variables. @throws Error that names one that is not set. */
export function expandVariables(text: string, variables: NodeJS.ProcessEnv): string {
  return text.replace(/\$\{(\w+)(?::-([^}]*))?\}/gu, (_whole, name: string, otherwise: string | undefined) => {
    const value = variables[name] || otherwise;
    if (value === undefined) throw new Error(`${name} is not set`);
    return value;
  });
}

function unreadable(why: string, cause?: unknown): AssistantError {
  return new AssistantError('bad_setting', `mcp.json cannot be read: ${why}.`, {
    hint: 'It must be {"mcpServers": {"NAME": {"command": …}}}; correct it or move it away.',
    cause,
  });
}
