import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ANALYSIS_VERSION } from '../analysis/words.ts';
import { writeParts } from './container.ts';

/** Raise it when the files have another form. */
const FORMAT = 2;
const MANIFEST = 'manifest.json';
const DAMAGED = 'damaged-';
/** What may lie in an index folder and be cleared away when no manifest names it. */
const OURS = /^(?:segment|vectors|lsa|graph)-\d+\.(?:bin|hnsw)(?:\.writing)?$/u;

const fileSchema = z.object({ file: z.string(), bytes: z.int(), crc: z.int(), chunks: z.int() });

const manifestSchema = z.object({
  format: z.literal(FORMAT),
  analysis: z.literal(ANALYSIS_VERSION),
  /** Of the rows that the index was made from. */
  revision: z.int(),
  next: z.int(),
  segments: z.array(fileSchema),
  dense: fileSchema
    .extend({
      /** `lsa:N` (N = chunks of the fit) or `model:NAME`. Vectors of different ids never meet. */
      id: z.string(),
      dimensions: z.int(),
      /** The LSA model that made them. */
      lsa: fileSchema.nullable(),
      graph: fileSchema.nullable(),
    })
    .nullable(),
});

export type IndexFile = z.infer<typeof fileSchema>;
export type Manifest = z.infer<typeof manifestSchema>;

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
    return manifestSchema.parse(JSON.parse(readFileSync(join(dir, MANIFEST), 'utf8')));
  } catch {
    return EMPTY_MANIFEST;
  }
}

/** Take a new set of files into use, then clear away what it does not name. */
export function writeManifest(dir: string, manifest: Manifest): void {
  writeParts(join(dir, MANIFEST), [Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`)]);
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
