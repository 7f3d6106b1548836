import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock, EmbeddedResource } from '@agentclientprotocol/sdk';
import type { Material } from '../../base/turn.ts';
import type { FileOrigins } from '../../tools/gate/file-origins.ts';

/** What a person sent from an editor: what they typed, and the texts that came along. */
export interface EditorPrompt {
  readonly text: string;
  readonly material: readonly Material[];
  /** What could not be taken along, for the person. */
  readonly left: readonly string[];
}

/**
 * @param folder the folder that the owner gave to Wooster: texts of files inside are theirs, but for those that are
 *   known not to be.
 */
export async function readPrompt(
  blocks: readonly ContentBlock[],
  folder: string | undefined,
  files: Pick<FileOrigins, 'look' | 'judge'>,
): Promise<EditorPrompt> {
  const text: string[] = [];
  const material: Material[] = [];
  const left: string[] = [];
  for (const block of blocks) {
    if (block.type === 'text') text.push(block.text);
    else if (block.type === 'resource_link') text.push(linkText(block));
    else if (block.type === 'resource') {
      const read = await resourceText(block, folder, files);
      if (read) material.push(read);
      else left.push(`${block.resource.uri} is not a text`);
    } else left.push(`the ${block.type} (only texts are read)`);
  }
  return { text: text.join('').trim(), material, left };
}

/** Only its name is handed on: what it holds is read by the file tools, behind the gate. */
function linkText({ uri, name }: ContentBlock & { type: 'resource_link' }): string {
  const path = pathOf(uri);
  return ` ${path === undefined ? `${name} (${uri})` : path} `;
}

/** A buffer may hold what was never saved, a resource be anybody's: only a file of the owner's folder is theirs. */
async function resourceText(
  { resource }: EmbeddedResource,
  folder: string | undefined,
  files: Pick<FileOrigins, 'look' | 'judge'>,
): Promise<Material | undefined> {
  if (!('text' in resource)) return undefined;
  const path = pathOf(resource.uri);
  const inside = path !== undefined && folder !== undefined ? await placeIn(folder, path) : undefined;
  if (inside === undefined || path === undefined) return { name: resource.uri, text: resource.text, untrusted: true };
  const { untrusted } = await files.judge(await files.look(path));
  return { name: inside, text: resource.text, untrusted };
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
