import type { Store } from '../store/store.ts';
import { FileVersions } from '../tools/builtin/file-versions.ts';
import { ProjectFiles } from '../tools/builtin/project-files.ts';

/** The files of projects, with plenty of room for their versions. */
export function testFiles(store: Store, folderOf: (project: string) => string): ProjectFiles {
  const limits = { days: 90, megabytes: 200 };
  return new ProjectFiles({
    folderOf,
    store,
    versions: new FileVersions({ store, folderOf, now: () => new Date(), limits }),
  });
}
