import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { AssistantError, messageOf } from '../base/errors.ts';
import { headAndTail } from '../base/text.ts';
import type { Material } from '../base/turn.ts';
import type { App } from './app.ts';
import { fileContent } from './read-material.ts';

/** About 100,000 tokens: more than most models' windows hold. */
export const MAX_MATERIAL_CHARS = 400_000;

/**
 * A file of any format that can be ingested, as text. It is trusted as the owner's unless it is known not to be.
 *
 * @throws AssistantError `file_not_found`, `bad_usage` when it cannot be read.
 */
export async function fileMaterial(given: string, app: Pick<App, 'knowledge'>, signal: AbortSignal): Promise<Material> {
  const path = resolve(given);
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new AssistantError('file_not_found', `${given} cannot be read: ${messageOf(error)}.`, {
      hint: 'Give the path of a file, from here or an absolute one.',
      cause: error,
    });
  });
  try {
    const content = await fileContent(bytes, path, signal);
    const { files } = app.knowledge.origins;
    const { untrusted } = await files.judge(await files.look(path));
    return { name: basename(path), ...content, untrusted };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AssistantError) throw error;
    const hint = '"wooster ingest --help" names the formats.';
    throw new AssistantError('bad_usage', `${given} cannot be read: ${messageOf(error)}.`, { hint, cause: error });
  }
}

/** As much of it as is handed to a model. @param chars  what there is room for. */
export function fitting(material: Material, chars = MAX_MATERIAL_CHARS): Material {
  if (material.text.length <= chars) return material;
  return { ...material, text: headAndTail(material.text, chars) };
}
