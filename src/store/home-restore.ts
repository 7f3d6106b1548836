import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { draftIn } from '../base/replace-file.ts';
import { DATABASE, type HomeBackup, hashOf, type Kept, verifyHomeBackup } from './home-backup.ts';

/** What a restored backup of a home came to. */
export interface RestoredHome {
  readonly backup: HomeBackup;
  /** How many files were written. */
  readonly files: number;
  /** Where what they replaced is now; undefined when nothing was replaced. */
  readonly aside: string | undefined;
  /** Files that stay as they are, since the backup's lack their secrets, and files whose place is not known here. */
  readonly untouched: readonly string[];
}

interface Restoring {
  readonly path: string;
  readonly kept: readonly Kept[];
  /** Replace the database by that of a file. */
  database(path: string): Promise<unknown>;
  /** A folder that does not exist, for files that are replaced. */
  readonly aside: string;
}

/**
 * Bring the files and the database of a backup back. All of it is verified first. Files of the home that the backup
 * does
 * not have stay, and what is replaced is put aside.
 *
 * @throws AssistantError `file_not_found`, `store_damaged`, and what `database` throws.
 */
export async function restoreHomeBackup({ path, kept, database, aside }: Restoring): Promise<RestoredHome> {
  const backup = await verifyHomeBackup(path);
  // First, since another program may be using it: then nothing has changed.
  await database(join(path, DATABASE));
  const untouched: string[] = [];
  let [files, replaced] = [0, 0];
  for (const { path: file, sha256 } of backup.manifest.files) {
    if (file === DATABASE) continue;
    const place = placeOf(file, kept);
    const present = place && (await stat(place.at).catch(() => undefined));
    if (!place || (present && place.cleaned)) {
      untouched.push(file);
      continue;
    }
    if (present && (await hashOf(place.at)).sha256 === sha256) continue;
    if (present) {
      await copyTo(place.at, join(aside, file));
      replaced++;
    }
    await copyTo(join(path, file), place.at);
    files++;
  }
  return { backup, files, aside: replaced > 0 ? aside : undefined, untouched };
}

/** Where a file of a backup belongs in this home. */
function placeOf(file: string, kept: readonly Kept[]): { readonly at: string; readonly cleaned: boolean } | undefined {
  const of = kept.find(({ as }) => file === as || file.startsWith(`${as}/`));
  return of && { at: join(of.at, file.slice(of.as.length)), cleaned: of.clean !== undefined };
}

/** Whoever reads it meanwhile sees the old or the new content. */
async function copyTo(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const draft = draftIn(dirname(to));
  try {
    await copyFile(from, draft);
    await rename(draft, to);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
