/** Waits at most `limitMs`. Work that takes longer continues in the background. */
export async function within<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`not finished after ${limitMs} ms`)), limitMs);
  try {
    return await Promise.race([work(), promise]);
  } finally {
    clearTimeout(timer);
  }
}
