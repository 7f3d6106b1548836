import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ANALYSIS_VERSION } from '../analysis/words.ts';
import type { Written } from './array-file.ts';
import { writeParts } from './array-file-writer.ts';

/** Raise it when the format of the files changes: all indexes are then rebuilt. */
const FORMAT = 2;
const MANIFEST = 'manifest.json';
const DAMAGED = 'damaged-';
/** Matches the names of our own files, which are deleted when the manifest does not list them. */
const OURS = /^(?:segment|vectors|lsa|graph)-\d+(?:-[0-9a-f]{8})?\.(?:bin|hnsw)(?:(?:\.\d+-\d+)?\.writing)?$/u;

export interface IndexFile extends Written {
  readonly file: string;
  readonly chunks: number;
}

export interface Manifest {
  readonly format: typeof FORMAT;
  readonly analysis: typeof ANALYSIS_VERSION;
  /** The revision of the rows that the index was built from. */
  readonly revision: number;
  /** The number of the next file. It changes with every write, so that readers notice. */
  readonly next: number;
  readonly segments: readonly IndexFile[];
  readonly dense:
    | (IndexFile & {
        /** `lsa:N` (N = chunks of the fit) or `model:NAME`. Vectors of different ids never meet. */
        readonly id: string;
        readonly dimensions: number;
        /** The LSA model that made them. */
        readonly lsa: IndexFile | null;
        readonly graph: IndexFile | null;
        /** The source of the vectors if they are in PostgreSQL rather than in the file. See vector-table.ts. */
        readonly table?: string;
      })
    | null;
}

export const EMPTY_MANIFEST: Manifest = {
  format: FORMAT,
  analysis: ANALYSIS_VERSION,
  revision: -1,
  next: 1,
  segments: [],
  dense: null,
};

/** Read the list of a folder's index files; empty if it is missing, damaged or of another version. */
export function readManifest(dir: string): Manifest {
  try {
    return unsealManifest(readFileSync(join(dir, MANIFEST), 'utf8'));
  } catch {
    return EMPTY_MANIFEST;
  }
}

/** The manifest in a text of `sealManifest`; empty if the text is damaged or of another version. */
export function unsealManifest(text: string): Manifest {
  try {
    const { checksum, ...manifest } = JSON.parse(text) as Manifest & Sealed;
    const isOurs = manifest.format === FORMAT && manifest.analysis === ANALYSIS_VERSION;
    return isOurs && checksum === checksumOf(manifest) ? manifest : EMPTY_MANIFEST;
  } catch {
    return EMPTY_MANIFEST;
  }
}

/** A manifest as text, with a checksum. */
export function sealManifest(manifest: Manifest): string {
  const sealed: Manifest & Sealed = { ...manifest, checksum: checksumOf(manifest) };
  return `${JSON.stringify(sealed, null, 1)}\n`;
}

/** The checksum also guarantees the shape: only `sealManifest` makes matching ones. */
interface Sealed {
  readonly checksum: number;
}

function checksumOf(manifest: Manifest): number {
  return crc32(JSON.stringify(manifest));
}

/**
 * Take a new set of files into use, then delete the files that it does not list.
 *
 * @param keepMs  files younger than this are kept: another program may be about to use them.
 */
export function writeManifest(dir: string, manifest: Manifest, keepMs = 0): void {
  writeParts(join(dir, MANIFEST), [Buffer.from(sealManifest(manifest))]);
  const named = new Set(filesOf(manifest).map(({ file }) => file));
  for (const name of readdirSync(dir))
    if (OURS.test(name) && !named.has(name) && isOlder(join(dir, name), keepMs))
      rmSync(join(dir, name), { force: true });
}

function isOlder(path: string, ms: number): boolean {
  if (ms === 0) return true;
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Date.now() - written > ms;
}

/** Rename a damaged file so that it is not used again but can be inspected. */
export function moveAside(dir: string, file: string): void {
  if (existsSync(join(dir, file))) renameSync(join(dir, file), join(dir, `${DAMAGED}${file}`));
}

/** Delete damaged files that were moved aside; once the index is rebuilt, they serve no purpose. */
export function clearDamaged(dir: string): void {
  for (const name of readdirSync(dir)) if (name.startsWith(DAMAGED)) rmSync(join(dir, name), { force: true });
}

/** Every file that a manifest lists. */
export function filesOf({ segments, dense }: Manifest): IndexFile[] {
  return [...segments, dense, dense?.lsa, dense?.graph].filter((file) => file !== null && file !== undefined);
}
