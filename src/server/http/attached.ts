import { messageOf } from '../../base/errors.ts';
import type { Material } from '../../base/turn.ts';
import { fitting } from '../../face/file-material.ts';
import { fileContent } from '../../face/read-material.ts';
import { Refused } from './problem.ts';

/** A file that came with a request. */
export interface SentFile {
  /** Tells its format. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What a device sends along may be from anywhere. @throws Refused 400 naming a file that cannot be read. */
export async function materialOf(files: readonly SentFile[], signal: AbortSignal): Promise<readonly Material[]> {
  const material: Material[] = [];
  // One after the other: each may start a process to read it.
  for (const { name, bytes } of files) {
    const content = await fileContent(bytes, name, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      throw new Refused(400, 'unreadable', `${name} cannot be read: ${messageOf(error)}.`);
    });
    material.push(fitting({ name, ...content, untrusted: true }));
  }
  return material;
}

const DATA_URL = /^data:(?<type>[\w.+/-]*)(?:;[\w=.+-]+)*;base64,/u;

/**
 * A file from a `data:` URL or from base64 alone. Nothing is fetched: an address would lead a program to where it
 * should not look.
 *
 * @throws Refused 400 when it is neither.
 */
export function sentFile(data: string, name?: string): SentFile {
  const { type = '' } = DATA_URL.exec(data)?.groups ?? {};
  const base64 = data.replace(DATA_URL, '');
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/u.test(base64))
    throw new Refused(400, 'no_file', 'A file must be sent as data, in base64.', 'Addresses are not fetched.');
  const ending = type.split('/').at(-1)?.replace('plain', 'txt').replace('markdown', 'md') || 'txt';
  return { name: name ?? `file.${ending}`, bytes: Buffer.from(base64, 'base64') };
}
