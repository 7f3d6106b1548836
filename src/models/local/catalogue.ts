import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { z } from 'zod';

const Entry = z.object({
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]*$/u),
  title: z.string(),
  licence: z.string(),
  /** Of the file and of the memory it takes with a window of 8,192 tokens; about. */
  downloadGb: z.number(),
  memoryGb: z.number(),
  /** Memory of a machine for which it is a sensible choice. */
  fromRamGb: z.number(),
  /** At the hub. */
  repository: z.string(),
  file: z.string(),
  /** What Ollama and LM Studio call it. */
  ollama: z.string(),
  lmStudio: z.string(),
  /**
   * Null until somebody with a connection has run `scripts/pin-models.ts`: without a checksum nothing is downloaded.
   */
  pinned: z
    .object({
      commit: z.string().regex(/^[0-9a-f]{40}$/u),
      bytes: z.int(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/u),
    })
    .nullable(),
});

/** A model that can be installed by its name. */
export type CatalogueEntry = z.infer<typeof Entry>;
export const Catalogue = z.array(Entry);

/** The models we know; the first suits most machines. */
export function readCatalogue(): readonly CatalogueEntry[] {
  return Catalogue.parse(JSON.parse(readFileSync(new URL('./catalogue.json', import.meta.url), 'utf8')));
}

/** The first that a machine has memory for, else the smallest. */
export function suitable(catalogue: readonly CatalogueEntry[], ramBytes = totalmem()): CatalogueEntry | undefined {
  // Some of the memory that is built in never shows.
  const ramGb = (ramBytes / 1e9) * 1.08;
  const smallest = catalogue.toSorted((a, b) => a.memoryGb - b.memoryGb)[0];
  return catalogue.find(({ fromRamGb }) => fromRamGb <= ramGb) ?? smallest;
}

/** Where a file lies at the hub. @param ref  a commit, or a branch. */
export function hubUrl(
  hub: string,
  { repository, file }: Pick<CatalogueEntry, 'repository' | 'file'>,
  ref: string,
): string {
  return `${hub.replace(/\/$/u, '')}/${repository}/resolve/${ref}/${file}`;
}
