import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { sha256 } from '../../base/json.ts';
import { whyOf } from './connect.ts';
import { everyItem } from './listed-tools.ts';
import type { McpServer } from './server.ts';

/** A resource that a server offers. */
export interface ListedResource {
  readonly uri: string;
  readonly name: string;
}

/** The content of a resource, ready to be saved. */
export interface ReadResource {
  /** A file name without folders, always the same for the same URI. */
  readonly fileName: string;
  readonly content: string | Uint8Array;
}

const LIST_MS = 10_000;
const READ_MS = 60_000;
const LONGEST_NAME = 60;

const Listed = z.looseObject({ uri: z.string().min(1).max(2000), name: z.string().default('').catch('') });

const Contents = z.looseObject({
  contents: z.array(
    z.looseObject({ mimeType: z.string().optional(), text: z.string().optional(), blob: z.string().optional() }),
  ),
});

/** Media types and the file extensions that our readers know them by. */
const ENDINGS: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'text/csv': 'csv',
  'text/calendar': 'ics',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/epub+zip': 'epub',
};

/** @throws Error when the server cannot be asked. */
export async function listResources(server: McpServer): Promise<ListedResource[]> {
  const { client } = await server.link();
  if (!client.getServerCapabilities()?.resources) return [];
  const found = await everyItem(client, 'resources', { timeoutMs: LIST_MS });
  return found.flatMap((raw) => {
    const { data } = Listed.safeParse(raw);
    return data ? [{ uri: data.uri, name: data.name }] : [];
  });
}

/** @throws AssistantError `file_not_found` when the server does not give it. */
export async function readResource(server: McpServer, uri: string, signal: AbortSignal): Promise<ReadResource> {
  const { client } = await server.link();
  const request = { method: 'resources/read', params: { uri } };
  try {
    const { contents } = await client.request(request, Contents, { signal, timeout: READ_MS });
    const [first] = contents;
    if (!first) throw new Error('it is empty');
    const texts = contents.flatMap(({ text }) => (text === undefined ? [] : [text]));
    const fileName = fileNameOf(uri, first.mimeType ?? '');
    if (texts.length > 0) return { fileName, content: texts.join('\n\n') };
    return { fileName, content: Buffer.from(first.blob ?? '', 'base64') };
  } catch (cause) {
    signal.throwIfAborted();
    throw new AssistantError('file_not_found', `${server.name} does not give ${uri}: ${whyOf(cause)}.`, {
      hint: `"wooster mcp resources ${server.name}" lists what it has.`,
      cause,
    });
  }
}

/** The last segment of the URI, and a hash of the whole. */
function fileNameOf(uri: string, mimeType: string): string {
  const last = /([^/?#]*)[/?#]*$/u.exec(uri.replace(/[?#].*$/su, ''))?.[1] ?? '';
  const clean = last
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}._-]/gu, '-')
    .replace(/^[.-]+/u, '')
    .slice(0, LONGEST_NAME);
  const [, stem = clean, ending = ''] = /^(.+)\.([a-z0-9]{1,5})$/iu.exec(clean) ?? [];
  const known = ENDINGS[mimeType.split(';')[0]?.trim() ?? ''] ?? (ending || 'md');
  return `${stem || 'resource'}-${sha256(uri).slice(0, 6)}.${known}`;
}
