import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { ANALYSIS_VERSION } from '../analysis/words.ts';
import type { Written } from './array-file.ts';
import { writeParts } from './array-file-writer.ts';

/** Raise it when the files have another form. */
const FORMAT = 2;
const MANIFEST = 'manifest.json';
const DAMAGED = 'damaged-';
/** What may lie in an index folder and be cleared away when no manifest names it. */
const OURS = /^(?:segment|vectors|lsa|graph)-\d+\.(?:bin|hnsw)(?:\.writing)?$/u;

export interface IndexFile extends Written {
  readonly file: string;
  readonly chunks: number;
}

export interface Manifest {
  readonly format: typeof FORMAT;
  readonly analysis: typeof ANALYSIS_VERSION;
  /** Of the rows that the index was made from. */
  readonly revision: number;
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

/** What the folder's index is made of; empty when there is none, or one of another version or broken. */
export function readManifest(dir: string): Manifest {
  try {
    const { checksum, ...manifest } = JSON.parse(readFileSync(join(dir, MANIFEST), 'utf8')) as Manifest & Sealed;
    const isOurs = manifest.format === FORMAT && manifest.analysis === ANALYSIS_VERSION;
    return isOurs && checksum === checksumOf(manifest) ? manifest : EMPTY_MANIFEST;
  } catch {
    return EMPTY_MANIFEST;
  }
}

/** Vouches for the shape as well: only `writeManifest` makes one that fits. */
interface Sealed {
  readonly checksum: number;
}

function checksumOf(manifest: Manifest): number {
  return crc32(JSON.stringify(manifest));
}

/** Take a new set of files into use, then clear away what it does not name. */
export function writeManifest(dir: string, manifest: Manifest): void {
  const sealed: Manifest & Sealed = { ...manifest, checksum: checksumOf(manifest) };
  writeParts(join(dir, MANIFEST), [Buffer.from(`${JSON.stringify(sealed, null, 1)}\n`)]);
  const named = new Set(filesOf(manifest).map(({ file }) => file));
  for (const name of readdirSync(dir))
    if (OURS.test(name) && !named.has(name)) rmSync(join(dir, name), { force: true });
}

/** Put a broken file where it does no harm but can be looked at. */
export function moveAside(dir: string, file: string): void {
  if (existsSync(join(dir, file))) renameSync(join(dir, file), join(dir, `${DAMAGED}${file}`));
}

/** An index that was made anew needs nobody to look at what broke before. */
export function clearDamaged(dir: string): void {
  for (const name of readdirSync(dir)) if (name.startsWith(DAMAGED)) rmSync(join(dir, name), { force: true });
}

/** Every file that a manifest names. */
export function filesOf({ segments, dense }: Manifest): IndexFile[] {
  return [...segments, dense, dense?.lsa, dense?.graph].filter((file) => file !== null && file !== undefined);
}
