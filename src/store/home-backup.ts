import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { AssistantError, messageOf } from '../base/errors.ts';
import { verifyBackup } from './backup.ts';
import { diskFull, isNoRoom } from './write-failure.ts';

/** A file or folder of the home that belongs into a backup. */
export interface Kept {
  /** Its path in the backup, with `/`. */
  readonly as: string;
  /** Where it is in the home; it may be missing. */
  readonly at: string;
  /** Takes secrets out of the text of a file. @returns what is left, and the names of what was left out. */
  clean?(text: string): { readonly text: string; readonly left: readonly string[] };
}

const MANIFEST = 'manifest.json';
/** The database in a backup of a home. */
export const DATABASE = 'wooster.sqlite3';
const PREFIX = 'wooster-';
const PART = '.part';
/** No backup takes longer. */
const LONGEST_MS = 24 * 3_600_000;

const schema = z.object({
  format: z.literal(1),
  /** ISO 8601 in UTC. */
  at: z.string(),
  /** The version of Wooster that made it. */
  version: z.string(),
  /** Which home it is of; missing in older ones. */
  home: z.string().optional(),
  files: z.array(z.object({ path: z.string(), bytes: z.number(), sha256: z.string() })),
  /** What is not in it, in words: secrets, links. */
  left: z.array(z.string()),
});

/** What a backup of a home says about itself. */
export type Manifest = z.output<typeof schema>;

/** A backup of a home that was read and found whole. */
export interface HomeBackup {
  readonly path: string;
  readonly manifest: Manifest;
  readonly bytes: number;
}

interface Writing {
  readonly kept: readonly Kept[];
  /** Write the whole database to a new file. */
  database(path: string): Promise<unknown>;
  /** The folder in which backups are collected. */
  readonly to: string;
  readonly now: Date;
  readonly version: string;
  readonly home: string;
}

/**
 * Write a folder `wooster-TIME`, with a number for another of the same second, with the database and the files of a
 * home, and read all of it again. A file that the newest backup in `to` has as well becomes another name of that one,
 * where the file system can do that.
 *
 * @throws AssistantError `home_not_writable`; `store_damaged` when what was written is not what was read.
 */
export async function writeHomeBackup({ kept, database, to, now, ...about }: Writing): Promise<HomeBackup> {
  const path = await claimed(to, now);
  const part = `${path}${PART}`;
  try {
    await database(join(part, DATABASE));
    const [newest] = await homeBackups(to);
    const writer = new BackupWriter(part, newest);
    await writer.add(DATABASE);
    for (const each of kept) await writer.take(each);
    const { files, left } = writer;
    const manifest: Manifest = { format: 1, at: now.toISOString(), ...about, files, left };
    await writeFile(join(part, MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
    await verifyHomeBackup(part);
    await rename(part, path);
  } catch (error) {
    await rm(part, { recursive: true, force: true }).catch(() => undefined);
    throw explained(error);
  }
  return verified(path, await readManifest(path));
}

/** Make the folder of a backup that is being written, which nobody else has. @returns what it is called afterwards. */
async function claimed(to: string, now: Date): Promise<string> {
  const path = join(to, `${PREFIX}${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`);
  try {
    await mkdir(to, { recursive: true, mode: 0o700 });
    await sweepParts(to, now);
    for (let number = 1; ; number++) {
      const free = number === 1 ? path : `${path}-${number}`;
      if (!existsSync(free) && (await isMade(`${free}${PART}`))) return free;
    }
  } catch (error) {
    throw explained(error);
  }
}

/** @returns false when it is there already. */
async function isMade(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Remove what was left by programs that were killed while they wrote a backup. */
async function sweepParts(to: string, now: Date): Promise<void> {
  for (const name of (await readdir(to)).filter((each) => each.startsWith(PREFIX) && each.endsWith(PART))) {
    const { mtimeMs } = await stat(join(to, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (now.getTime() - mtimeMs > LONGEST_MS) await rm(join(to, name), { recursive: true, force: true });
  }
}

function explained(error: unknown): unknown {
  if (error instanceof AssistantError) return error;
  if (isNoRoom(error)) return diskFull(error);
  const hint = 'Choose a folder that can be written, with --to or BACKUP_TO.';
  const message = `The backup cannot be written: ${messageOf(error)}.`;
  return new AssistantError('home_not_writable', message, { hint, cause: error });
}

/** Collects the files of one backup. */
class BackupWriter {
  readonly files: Manifest['files'] = [];
  readonly left: string[] = [];
  readonly #dir: string;
  readonly #earlier: string;
  readonly #known: ReadonlyMap<string, string>;

  constructor(dir: string, earlier: HomeBackup | undefined) {
    this.#dir = dir;
    this.#earlier = earlier?.path ?? '';
    this.#known = new Map(earlier?.manifest.files.map(({ path, sha256 }) => [path, sha256]));
  }

  async take({ as, at, clean }: Kept): Promise<void> {
    const found = await stat(at).catch(() => undefined);
    if (found?.isDirectory()) await this.#takeFolder(as, at);
    else if (found?.isFile() && clean) await this.#takeCleaned(as, clean(await readFile(at, 'utf8')));
    else if (found?.isFile()) await this.#takeFile(as, at);
  }

  async #takeFolder(as: string, at: string): Promise<void> {
    for (const entry of (await readdir(at, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const [inside, path] = [`${as}/${entry.name}`, join(at, entry.name)];
      if (entry.isDirectory()) await this.#takeFolder(inside, path);
      else if (entry.isFile()) await this.#takeFile(inside, path);
      else this.left.push(`${inside}: it is no file and no folder`);
    }
  }

  async #takeCleaned(as: string, { text, left }: { readonly text: string; readonly left: readonly string[] }) {
    await mkdir(dirname(join(this.#dir, as)), { recursive: true });
    await writeFile(join(this.#dir, as), text, { mode: 0o600 });
    this.left.push(...left.map((name) => `${as}: ${name}`));
    await this.add(as);
  }

  async #takeFile(as: string, at: string): Promise<void> {
    const to = join(this.#dir, as);
    await mkdir(dirname(to), { recursive: true });
    if (!(await this.#linked(as, at, to))) {
      await rm(to, { force: true });
      await pipeline(createReadStream(at), createWriteStream(to, { flags: 'wx', mode: 0o600 }));
    }
    await this.add(as);
  }

  /** Only to what is still as it was written: a disk that fails must not spread into later backups. */
  async #linked(as: string, at: string, to: string): Promise<boolean> {
    const known = this.#known.get(as);
    if (known === undefined || known !== (await hashOf(at)).sha256) return false;
    try {
      await link(join(this.#earlier, as), to);
      return (await hashOf(to)).sha256 === known;
    } catch {
      return false;
    }
  }

  /** Write down a file that is in the backup now. */
  async add(path: string): Promise<void> {
    this.files.push({ path, ...(await hashOf(join(this.#dir, path))) });
  }
}

/** The size and SHA-256 of a file. */
export async function hashOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const counting = new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      hash.update(part);
      done();
    },
  });
  await pipeline(createReadStream(path), counting.resume());
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Read a whole backup of a home and compare it with its manifest.
 *
 * @throws AssistantError `file_not_found` when it is none, `store_damaged`.
 */
export async function verifyHomeBackup(path: string): Promise<HomeBackup> {
  const manifest = await readManifest(path);
  for (const { path: file, sha256 } of manifest.files) {
    const found = await hashOf(join(path, file)).catch(() => undefined);
    if (found?.sha256 === sha256) continue;
    const what = found ? 'is not what was written' : 'is missing or cannot be read';
    throw new AssistantError('store_damaged', `The backup ${path} is not intact: ${file} ${what}.`, {
      hint: 'Use another backup.',
    });
  }
  verifyBackup(join(path, DATABASE));
  return verified(path, manifest);
}

function verified(path: string, manifest: Manifest): HomeBackup {
  return { path, manifest, bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/** Whether a path is a backup of a home, rather than of a database. */
export function isHomeBackup(path: string): boolean {
  return existsSync(join(path, MANIFEST));
}

async function readManifest(path: string): Promise<Manifest> {
  if (!isHomeBackup(path)) {
    throw new AssistantError('file_not_found', `${path} is no backup of a home.`, {
      hint: '`wooster backup --all` makes one: a folder with a manifest.json.',
    });
  }
  try {
    const manifest = schema.parse(JSON.parse(await readFile(join(path, MANIFEST), 'utf8')));
    const outside = manifest.files.find(({ path: file }) => /(?:^|[/\\])\.\.(?:[/\\]|$)|^[/\\]/u.test(file));
    if (outside) throw new Error(`${outside.path} leads out of it`);
    return manifest;
  } catch (error) {
    const hint = 'Use another backup.';
    const message = `The backup ${path} is not intact: ${messageOf(error)}.`;
    throw new AssistantError('store_damaged', message, { hint, cause: error });
  }
}

/** The backups of homes in a folder, newest first. Their files are not read; broken ones are left out. */
export async function homeBackups(dir: string): Promise<HomeBackup[]> {
  const names = await readdir(dir).catch(() => []);
  const backups: HomeBackup[] = [];
  for (const name of names.filter((each) => each.startsWith(PREFIX) && !each.endsWith(PART))) {
    const manifest = await readManifest(join(dir, name)).catch(() => undefined);
    if (manifest) backups.push(verified(join(dir, name), manifest));
  }
  const key = ({ manifest, path }: HomeBackup) => `${manifest.at} ${path}`;
  return backups.toSorted((one, other) => (key(one) < key(other) ? 1 : -1));
}
