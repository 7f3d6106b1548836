import { isAbsolute, relative } from 'node:path';
import type { Projects } from '../rag/projects.ts';
import type { ProjectFiles } from '../tools/builtin/project-files.ts';
import { HOME_FILES } from '../tools/undo/kept-states.ts';
import type { KeepFile } from './kept-files.ts';

/** Keeps files of the project at hand and of the home. */
export function fileKeeper({
  files,
  projects,
}: {
  readonly files: Pick<ProjectFiles, 'write' | 'remove'>;
  readonly projects: Pick<Projects, 'folder' | 'ownerDir'>;
}): KeepFile {
  return async (path, content, { turn, idempotencyKey }) => {
    const places = [
      [turn.project, projects.folder(turn.project)],
      [HOME_FILES, projects.ownerDir],
    ] as const;
    for (const [place, folder] of places) {
      const way = relative(folder, path);
      if (way === '' || way.startsWith('..') || isAbsolute(way)) continue;
      const by = { turnId: turn.id, idempotencyKey };
      await (content === undefined ? files.remove(place, way, by) : files.write(place, way, content, by));
      return true;
    }
    return false;
  };
}
