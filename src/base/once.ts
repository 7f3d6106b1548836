/**
 * Load something when it is first asked for, and cache it: Node resolves a module again on each `import()`, which is
 * too slow for what every turn needs. A failure is not cached.
 */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
