import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AssistantError, messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';

/** A file to be fetched, and what it has to be. */
export interface Wanted {
  readonly url: string;
  /** Where it goes; `.part` is appended until it is whole and right. */
  readonly path: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Absent if nobody knows. */
  readonly bytes?: number | undefined;
}

export interface Downloading {
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly done: number; readonly total: number | undefined }) => void;
  /** Waits before the next attempt; a real wait unless given. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Attempts in a row that bring nothing new. */
const MOST_FRUITLESS = 4;
const FIRST_WAIT_MS = 500;
/** Room beyond the file, since the disk is not ours alone. */
const SPARE = 1.1;

/** The answer is not the file, and asking again would not help. */
function wrong(message: string, hint: string, cause?: unknown): AssistantError {
  return new AssistantError('model_not_installed', message, { hint, cause });
}

/** What can be tried again. */
class BrokenOff extends Error {}

/**
 * Fetch a file, going on where an earlier attempt stopped, and keep it only if it is the right one.
 *
 * @throws AssistantError `model_not_installed`, `egress_refused`, `egress_failed`; the signal's reason. What has
 *   arrived is kept, unless it is wrong.
 */
export async function download(wanted: Wanted, how: Downloading): Promise<void> {
  await mkdir(dirname(wanted.path), { recursive: true, mode: 0o700 });
  const part = `${wanted.path}.part`;
  const isResumed = (await sizeOf(part)) > 0;
  await fetchAll(wanted, part, how);
  try {
    await accept(part, wanted);
  } catch (error) {
    // What was there before may have been of another file.
    if (!isResumed || !(error instanceof AssistantError)) throw error;
    await fetchAll(wanted, part, how);
    await accept(part, wanted);
  }
}

async function fetchAll(wanted: Wanted, part: string, how: Downloading): Promise<void> {
  for (let fruitless = 0; ; ) {
    const before = await sizeOf(part);
    if (before === wanted.bytes) return;
    try {
      return await fetchRest(wanted, part, how);
    } catch (error) {
      how.signal.throwIfAborted();
      if (!isPassing(error)) throw told(error);
      fruitless = (await sizeOf(part)) > before ? 0 : fruitless + 1;
      if (fruitless >= MOST_FRUITLESS)
        throw wrong(
          `The download broke off: ${messageOf(error)}.`,
          'Give the same command again: it goes on there.',
          error,
        );
      await (how.pause ?? pauseFor)(FIRST_WAIT_MS * 2 ** fruitless, how.signal);
    }
  }
}

/** One request, for what is still lacking. */
async function fetchRest(wanted: Wanted, part: string, { fetch, signal, onProgress }: Downloading): Promise<void> {
  const have = await sizeOf(part);
  const headers = { range: `bytes=${have}-`, 'accept-encoding': 'identity' };
  const response = await fetch(wanted.url, { headers, signal });
  if (response.status === 416) {
    await rm(part, { force: true });
    throw new BrokenOff('what was there is longer than the file');
  }
  const { start, total = wanted.bytes } = await placeOf(response, wanted);
  if (start !== 0 && start !== have) throw new BrokenOff('the server sent another part of the file than was asked for');
  await ensureRoom(part, (total ?? 0) - start);
  const file = await open(part, start === 0 ? 'w' : 'a', 0o600);
  try {
    const done = await append(file, response, { start, total, signal, onProgress });
    if (total !== undefined && done < total) throw new BrokenOff(`${done} of ${total} bytes came`);
  } finally {
    await file.close();
  }
}

async function append(
  file: FileHandle,
  response: Response,
  { start, total, signal, onProgress }: Pick<Downloading, 'signal' | 'onProgress'> & Place,
): Promise<number> {
  let done = start;
  for await (const piece of response.body ?? []) {
    signal.throwIfAborted();
    await file.write(piece as Uint8Array);
    done += (piece as Uint8Array).byteLength;
    onProgress({ done, total });
  }
  await file.sync();
  return done;
}

interface Place {
  /** Where in the file the answer begins. */
  readonly start: number;
  readonly total?: number | undefined;
}

/** @throws AssistantError when this cannot be the file, BrokenOff when it may come later. */
async function placeOf(response: Response, { url, bytes }: Wanted): Promise<Place> {
  const where = new URL(url).host;
  const isPage = /^text\/html/u.test(response.headers.get('content-type') ?? '');
  if (!response.ok || isPage) await response.body?.cancel();
  if (response.status >= 500 || response.status === 429) throw new BrokenOff(`${where} answered ${response.status}`);
  if (!response.ok)
    throw wrong(`${where} answered ${response.status}.`, 'Check the address, or ask whoever runs that server.');
  if (isPage)
    throw wrong(`${where} answered with a web page.`, 'Is there a proxy in between, or a page to sign in on?');
  const range = /^bytes (?<start>\d+)-\d+\/(?<total>\d+|\*)$/u.exec(
    response.headers.get('content-range') ?? '',
  )?.groups;
  const total = range?.total === undefined || range.total === '*' ? undefined : Number(range.total);
  if (total !== undefined && bytes !== undefined && total !== bytes) {
    await response.body?.cancel();
    throw wrong(`The file at ${where} has ${total} bytes, not ${bytes}: it is another one.`, 'Nothing was changed.');
  }
  return { start: response.status === 206 ? Number(range?.start ?? 0) : 0, total };
}

/** @throws AssistantError when it is not the right file, which is then removed. */
async function accept(part: string, { path, sha256 }: Wanted): Promise<void> {
  const found = await hashOf(part);
  if (found !== sha256) {
    await rm(part, { force: true });
    const message = `The file that came is not the one that was meant: its SHA-256 is ${found}, not ${sha256}.`;
    throw wrong(message, 'It was removed. Try again; if it stays so, whoever offers it has changed or damaged it.');
  }
  await rename(part, path);
}

/** SHA-256 of a file, in lower-case hex. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

/** @throws AssistantError if the disk has no room for so much. */
export async function ensureRoom(path: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path));
  const lacking = bytes * SPARE - bavail * bsize;
  if (lacking > 0) throw noRoom(`The disk lacks ${(lacking / 1e9).toFixed(1)} GB.`);
}

function noRoom(message: string, cause?: unknown): AssistantError {
  return wrong(message, 'Make room on it, or choose a smaller model.', cause);
}

/** Errors of the disk are for the person; what the network did may pass. */
function isPassing(error: unknown): boolean {
  if (error instanceof AssistantError) return error.code === 'egress_failed';
  return !(isRecord(error) && 'syscall' in error && 'errno' in error && !('hostname' in error) && isOfDisk(error.code));
}

function isOfDisk(code: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'EIO', 'EFBIG', 'EISDIR'].includes(String(code));
}

function told(error: unknown): unknown {
  if (isRecord(error) && (error.code === 'ENOSPC' || error.code === 'EDQUOT'))
    return noRoom('The disk is full.', error);
  if (error instanceof AssistantError) return error;
  return wrong(`The file could not be written: ${messageOf(error)}.`, 'Check the folder and its permissions.', error);
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

async function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
}
