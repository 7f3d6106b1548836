/** The `kind` of an imported document, which has no file here. */
export const IMPORTED_KIND = 'langchain';

/** The root of documents imported from a folder. Not a path, so that no scan of the disk can find them missing. */
export function importRoot(folder: string): string {
  return `${IMPORTED_KIND}:${folder}`;
}

/** The folder of such a root. */
export function importedFrom(root: string): string {
  return root.slice(IMPORTED_KIND.length + 1);
}
