import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFile, replaceFile } from '#plugin';
import type { Source, Stored } from './source.ts';

const MAX_FILES = 2000;
const MAX_BYTES = 10_000_000;

/** Calendar files (`.ics`) in one folder: exported or synchronised ones, and one for each event added here. */
export function fileSource(folder: string, versioned: boolean): Source {
  return {
    versioned,
    async read() {
      const names = (await list(folder)).filter((name) => /\.ics$/iu.test(name)).sort();
      const stored: Stored[] = [];
      const problems =
        names.length > MAX_FILES ? [`${folder} has more than ${MAX_FILES} files; the rest is left out`] : [];
      for (const name of names.slice(0, MAX_FILES)) {
        const text = await readFile(join(folder, name), 'utf8').catch((error: Error) => error);
        if (text instanceof Error) problems.push(`${name} cannot be read: ${text.message}`);
        else if (text.length > MAX_BYTES) problems.push(`${name} is too large`);
        else stored.push({ calendar: calendarOf(name), ref: join(folder, name), text });
      }
      return { stored, problems };
    },
    async add(name, text) {
      await replaceFile(join(folder, `${name}.ics`), text);
    },
    async replace(old, text) {
      const now = await readFile(old.ref, 'utf8').catch(() => undefined);
      if (now !== old.text) throw new Error('The calendar was changed meanwhile; look at it again.');
      await (text === undefined ? removeFile(old.ref) : replaceFile(old.ref, text));
    },
  };
}

/** Each event added here has a file of its own, named after it. */
function calendarOf(file: string): string {
  const name = file.replace(/\.ics$/iu, '');
  return /^[\da-f]{8}-[\da-f-]{27}$/u.test(name) ? 'own' : name;
}

async function list(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
