/**
 * Load something when it is first asked for, and keep it: Node looks a module up anew at each `import()`, which is too
 * dear for what every turn needs. A failure is not kept.
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
