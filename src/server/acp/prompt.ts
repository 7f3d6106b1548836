import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock, EmbeddedResource, ImageContent } from '@agentclientprotocol/sdk';
import { messageOf } from '../../base/errors.ts';
import type { Material } from '../../base/turn.ts';
import type { FileOrigins } from '../../tools/gate/file-origins.ts';

/** What a person sent from an editor: what they typed, and the texts that came along. */
export interface EditorPrompt {
  readonly text: string;
  readonly material: readonly Material[];
  /** What could not be taken along, for the person. */
  readonly left: readonly string[];
}

/** Where a prompt comes from, and what is known of files. */
export interface PromptParts {
  /** That the owner gave to Wooster: texts of files inside are theirs, but for those that are known not to be. */
  readonly folder: string | undefined;
  readonly files: Pick<FileOrigins, 'look' | 'judge'>;
  readonly signal: AbortSignal;
}

export async function readPrompt(blocks: readonly ContentBlock[], parts: PromptParts): Promise<EditorPrompt> {
  const text: string[] = [];
  const material: Material[] = [];
  const left: string[] = [];
  for (const block of blocks) {
    if (block.type === 'text') text.push(block.text);
    else if (block.type === 'resource_link') text.push(linkText(block));
    else if (block.type === 'resource' || block.type === 'image') {
      const read = await (block.type === 'image' ? pictureText(block, parts) : resourceText(block, parts));
      if (typeof read === 'string') left.push(read);
      else material.push(read);
    } else left.push(`the ${block.type} (only texts and pictures are read)`);
  }
  return { text: text.join('').trim(), material, left };
}

/** Only its name is handed on: what it holds is read by the file tools, behind the gate. */
function linkText({ uri, name }: ContentBlock & { type: 'resource_link' }): string {
  const path = pathOf(uri);
  return ` ${path === undefined ? `${name} (${uri})` : path} `;
}

/**
 * A buffer may hold what was never saved, a resource be anybody's: only a file of the owner's folder is theirs.
 *
 * @returns a reason when it cannot be read.
 */
async function resourceText({ resource }: EmbeddedResource, parts: PromptParts): Promise<Material | string> {
  const { folder, files, signal } = parts;
  const path = pathOf(resource.uri);
  const inside = path !== undefined && folder !== undefined ? await placeIn(folder, path) : undefined;
  const { untrusted } =
    inside === undefined || path === undefined ? { untrusted: true } : await files.judge(await files.look(path));
  const about = { name: inside ?? resource.uri, untrusted };
  return 'text' in resource ? { ...about, text: resource.text } : readFile(about, resource.blob, signal);
}

/** A picture that was pasted has no name. */
function pictureText({ mimeType, data, uri }: ImageContent, { signal }: PromptParts): Promise<Material | string> {
  const kind = mimeType.replace(/^image\//u, '');
  return readFile({ name: uri ?? `picture.${kind}`, untrusted: true }, data, signal);
}

/** @returns a reason when it cannot be read. */
async function readFile(
  about: Omit<Material, 'text'>,
  base64: string,
  signal: AbortSignal,
): Promise<Material | string> {
  const { fileContent } = await import('../../face/read-material.ts');
  try {
    const content = await fileContent(Buffer.from(base64, 'base64'), about.name, signal);
    return content.text === '' ? `${about.name} (no text in it)` : { ...about, ...content };
  } catch (error) {
    signal.throwIfAborted();
    return `${about.name} (${messageOf(error)})`;
  }
}

function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file://') ? fileURLToPath(uri.replace(/[#?].*$/u, '')) : undefined;
  } catch {
    return undefined;
  }
}

/** A file's path below a folder, by where both really are; undefined outside, for hidden files and for no file. */
async function placeIn(folder: string, path: string): Promise<string | undefined> {
  try {
    const parts = relative(await realpath(folder), await realpath(path)).split(sep);
    return parts.some((part) => part === '' || part.startsWith('.')) ? undefined : parts.join('/');
  } catch {
    return undefined;
  }
}
