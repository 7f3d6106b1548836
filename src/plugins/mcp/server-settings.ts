import { z } from 'zod';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';

/** A server that is started here and spoken to over its standard streams. */
export interface LocalServer {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
}

/** A server elsewhere. */
export interface RemoteServer {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth: OAuthSettings;
}

/** What the owner has agreed with a server's login service; all of it may be left out. */
export interface OAuthSettings {
  /** For services that do not register programs by themselves. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly scope?: string | undefined;
  /** Of the page that the browser comes back to, where the service knows its address. */
  readonly callbackPort?: number | undefined;
}

/** One entry of `mcpServers`, with its variables still by name. */
export interface ServerSettings {
  readonly name: string;
  readonly target: LocalServer | RemoteServer;
  readonly enabled: boolean;
  /** Names of tools as the server has them; absent: all. */
  readonly allow?: readonly string[] | undefined;
  readonly deny: readonly string[];
  /** What the owner knows of single tools: `none` reads and changes nothing. */
  readonly effects: Readonly<Record<string, 'none' | 'outbound'>>;
  /** The server may have texts written by our model. */
  readonly sampling: boolean;
}

/** A server of the file that cannot be used, and why. */
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

/** What a server's entry may say; what other programs write there besides is left alone. */
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
 * Read the text of `mcp.json`. A bad entry does not keep the others from being used.
 *
 * @throws AssistantError `bad_setting` when it is no object with `mcpServers` at all.
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

/** The entries of `mcp.json` as they stand there, for whoever changes one. @throws AssistantError `bad_setting`. */
export function entriesOf(text: string): Record<string, unknown> {
  const whole = documentOf(text);
  const entries = whole.mcpServers ?? {};
  if (isRecord(entries)) return entries;
  throw unreadable('"mcpServers" is no object');
}

/** The whole document, so that what others keep in it stays. @throws AssistantError `bad_setting`. */
export function documentOf(text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  try {
    const whole: unknown = JSON.parse(text);
    if (isRecord(whole)) return whole;
  } catch (error) {
    throw unreadable(messageOf(error), error);
  }
  throw unreadable('it is no JSON object');
}

/** @throws AssistantError `bad_usage` for a name that tools could not begin with. */
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
