import { fstatSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { AssistantError, messageOf } from '../base/errors.ts';
import { headAndTail } from '../base/text.ts';
import type { Material } from '../base/turn.ts';
import type { App } from '../face/app.ts';
import { fileText } from '../face/read-material.ts';
import { badUsage } from './flags.ts';

/** About 100,000 tokens: more than most models' windows hold. */
export const MAX_MATERIAL_CHARS = 400_000;
/** How long a question waits for an open pipe to which nobody writes. */
const FIRST_BYTE_MS = 2000;
/** Nobody asks a question about more text than this. */
const MAX_PIPED_BYTES = 64 * 1024 * 1024;

export const STANDARD_INPUT = 'standard input';

/**
 * Whether somebody may be writing to our standard input: it is a pipe, a socket or a file. A terminal is for typing,
 * and the devices that services start with give nothing.
 */
export function isPiped(): boolean {
  try {
    const input = fstatSync(0);
    return input.isFIFO() || input.isSocket() || input.isFile();
  } catch {
    return false;
  }
}

/** What was read: undefined when nothing came within two seconds, or nothing at all. */
export interface Piped {
  readonly text: string | undefined;
  /** Nothing came, and the pipe is still open. */
  readonly silent: boolean;
}

/**
 * Read a stream to its end, unless its first byte takes too long.
 *
 * @throws AssistantError `bad_usage` when it is not text; the signal's reason.
 */
export async function readPiped(input: Readable, signal: AbortSignal, firstByteMs = FIRST_BYTE_MS): Promise<Piped> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), firstByteMs);
  try {
    for await (const piece of until(input, AbortSignal.any([signal, silence.signal]))) {
      clearTimeout(timer);
      pieces.push(piece);
      bytes += piece.length;
      if (bytes <= MAX_PIPED_BYTES) continue;
      const hint = 'Save it to a file, "wooster ingest" that, and ask about it.';
      throw badUsage('More than 64 MB came on standard input.', hint);
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!silence.signal.aborted) throw error;
    return { text: undefined, silent: true };
  } finally {
    clearTimeout(timer);
  }
  return { text: asText(Buffer.concat(pieces)), silent: false };
}

/** The stream's pieces; it throws as soon as the signal fires, also between two of them. */
async function* until(input: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  const { addAbortSignal } = await import('node:stream');
  for await (const piece of addAbortSignal(signal, input)) yield Buffer.from(piece as Uint8Array);
}

function asText(bytes: Buffer): string | undefined {
  const hint = 'Save it to a file, and hand that over with --file.';
  if (bytes.includes(0)) throw badUsage('Standard input is not text.', hint);
  const text = bytes.toString('utf8').trimEnd();
  return text === '' ? undefined : text;
}

/**
 * A file of any format that can be ingested, as text. It is trusted as the owner's unless it is known not to be.
 *
 * @throws AssistantError `file_not_found`, `bad_usage` when it cannot be read.
 */
export async function fileMaterial(given: string, app: App, signal: AbortSignal): Promise<Material> {
  const path = resolve(given);
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new AssistantError('file_not_found', `${given} cannot be read: ${messageOf(error)}.`, {
      hint: 'Give the path of a file, from here or an absolute one.',
      cause: error,
    });
  });
  try {
    const text = await fileText(bytes, path, signal);
    const { files } = app.knowledge.origins;
    const { untrusted } = await files.judge(await files.look(path));
    return { name: basename(path), text, untrusted };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AssistantError) throw error;
    const hint = '"wooster ingest --help" names the formats.';
    throw badUsage(`${given} cannot be read: ${messageOf(error)}.`, hint, error);
  }
}

/** As much of it as is handed to a model. @param chars  what there is room for. */
export function fitting(material: Material, chars = MAX_MATERIAL_CHARS): Material {
  if (material.text.length <= chars) return material;
  return { ...material, text: headAndTail(material.text, chars) };
}
