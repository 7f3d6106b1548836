/** The `kind` of a document that another program's store held: it has no file here. */
export const IMPORTED_KIND = 'langchain';

/** The root of what was imported from a folder: no path, so that no look at the disk can find it gone. */
export function importRoot(folder: string): string {
  return `${IMPORTED_KIND}:${folder}`;
}

/** The folder of such a root. */
export function importedFrom(root: string): string {
  return root.slice(IMPORTED_KIND.length + 1);
}
