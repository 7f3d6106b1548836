import { lstatSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { Projects } from '../rag/projects.ts';
import type { ProjectFiles } from '../tools/builtin/project-files.ts';
import { HOME_FILES, PROGRAM_FILES } from '../tools/undo/kept-states.ts';
import type { FileKeeper } from './kept-files.ts';

/** Saves versions of files in the current project and in the home. */
export function fileKeeper({
  files,
  projects,
}: {
  readonly files: Pick<ProjectFiles, 'write' | 'remove'>;
  readonly projects: Pick<Projects, 'folder' | 'ownerDir' | 'places'>;
}): FileKeeper {
  const home = [
    [HOME_FILES, projects.ownerDir],
    [PROGRAM_FILES, projects.places.home],
  ] as const;
  return {
    versioned: (path) => home.some(([, folder]) => wayTo(path, folder) !== undefined),
    async change(path, content, { turn, idempotencyKey }) {
      for (const [place, folder] of [[turn.project, projects.folder(turn.project)] as const, ...home]) {
        const way = wayTo(path, folder);
        if (way === undefined) continue;
        const by = { turnId: turn.id, idempotencyKey };
        await (content === undefined ? files.remove(place, way, by) : files.write(place, way, content, by));
        return true;
      }
      return false;
    },
  };
}

/** The path relative to the folder if the file is inside it; a symbolic link's target is not. */
function wayTo(path: string, folder: string): string | undefined {
  const way = relative(folder, path);
  return way === '' || way.startsWith('..') || isAbsolute(way) || hasLink(folder, way) ? undefined : way;
}

function hasLink(folder: string, way: string): boolean {
  const parts = way.split(sep);
  return parts.some((_, at) => {
    const found = lstatSync(join(folder, ...parts.slice(0, at + 1)), { throwIfNoEntry: false });
    return found !== undefined && (found.isSymbolicLink() || (found.isFile() && found.nlink > 1));
  });
}
