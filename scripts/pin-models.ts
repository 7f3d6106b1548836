/**
 * Pins the models of the catalogue: `node scripts/pin-models.ts [NAME...]` asks the hub for the newest commit of each
 * repository and for size and SHA-256 of the file, and writes them into src/models/local/catalogue.json. To be read before
 * it is committed: from then on everybody downloads exactly that file. LOCAL_MODEL_HUB names another hub.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { Catalogue, type CatalogueEntry } from '../src/models/local/catalogue.ts';

const FILE = resolve(process.env.CATALOGUE ?? `${import.meta.dirname}/../src/models/local/catalogue.json`);
const HUB = process.env.LOCAL_MODEL_HUB ?? 'https://huggingface.co';
/** @see https://huggingface.co/docs/hub/api */
const Repository = z.object({
  sha: z.string().regex(/^[0-9a-f]{40}$/u),
  siblings: z.array(
    z.object({
      rfilename: z.string(),
      lfs: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/u), size: z.int() }).optional(),
    }),
  ),
});

async function pinned(entry: CatalogueEntry): Promise<CatalogueEntry> {
  const { name, repository, file } = entry;
  const answer = await fetch(`${HUB}/api/models/${repository}?blobs=true`);
  if (!answer.ok) throw new Error(`${name}: ${HUB} answered ${answer.status} for ${repository}`);
  const { sha, siblings } = Repository.parse(await answer.json());
  const found = siblings.find(({ rfilename }) => rfilename === file);
  if (!found?.lfs) throw new Error(`${name}: ${repository} has no file ${file} with a checksum`);
  return { ...entry, pinned: { commit: sha, bytes: found.lfs.size, sha256: found.lfs.sha256 } };
}

const names = process.argv.slice(2);
const entries = Catalogue.parse(JSON.parse(readFileSync(FILE, 'utf8')));
const unknown = names.filter((name) => !entries.some((entry) => entry.name === name));
if (unknown.length > 0) throw new Error(`The catalogue has no ${unknown.join(', ')}.`);
const done: CatalogueEntry[] = [];
for (const entry of entries) done.push(names.length === 0 || names.includes(entry.name) ? await pinned(entry) : entry);
writeFileSync(FILE, `${JSON.stringify(done, undefined, 2)}\n`);
