import type { Projects } from '../../rag/projects.ts';
import type { Scheduler } from '../../scheduler/contract.ts';
import type { Store } from '../../store/store.ts';
import type { Artifacts } from '../builtin/artifacts.ts';
import { FileVersions } from '../builtin/file-versions.ts';
import { ProjectFiles } from '../builtin/project-files.ts';
import { HOME_FILES, type KeepLimits, KeptStates, PROGRAM_FILES } from './kept-states.ts';
import { artifactRestorer, fileRestorer, jobRestorer, noteRestorer } from './restorers.ts';
import { Undo } from './undo.ts';
import { Undoable } from './undoable.ts';

export interface UndoParts {
  readonly undo: Undo;
  readonly states: KeptStates;
  readonly undoable: Undoable;
  /** The files of the projects; what is replaced there is kept. */
  readonly files: ProjectFiles;
}

/** What the tools keep what they replace with, and what brings it back. */
export function createUndo(deps: {
  readonly store: Store;
  readonly now: () => Date;
  readonly projects: Projects;
  readonly artifacts: Artifacts;
  readonly scheduler: Scheduler;
  readonly limits: KeepLimits;
}): UndoParts {
  const { store, projects, artifacts, scheduler } = deps;
  const ownOr = (of: (project: string) => string) => (project: string) => {
    if (project === HOME_FILES) return projects.ownerDir;
    return project === PROGRAM_FILES ? projects.places.home : of(project);
  };
  // What is kept of large files never lies among the owner's work.
  const keptIn = ownOr((project) => projects.folder(project));
  const folderOf = ownOr((project) => projects.files(project));
  const states = new KeptStates(deps);
  const versions = new FileVersions({ ...deps, folderOf: keptIn, states });
  const files = new ProjectFiles({ folderOf, store, versions });
  const restorers = {
    file: fileRestorer(files, versions),
    note: noteRestorer(projects, states),
    artifact: artifactRestorer(artifacts, states, store),
    job: jobRestorer(scheduler, states, store),
  };
  return {
    undo: new Undo({ ...deps, states, restorers }),
    states,
    undoable: new Undoable({ store, states, jobs: scheduler }),
    files,
  };
}
