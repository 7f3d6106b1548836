import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { badUsage } from './flags.ts';

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
