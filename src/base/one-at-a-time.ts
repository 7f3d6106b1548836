/**
 * Wraps a function so that it never runs concurrently with itself: a call while it is running makes it run once more
 * afterwards, and waits for that. So callers know that the run they waited for began after their call.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  const run = async () => {
    try {
      do {
        again = false;
        await work();
      } while (again);
    } finally {
      running = undefined;
    }
  };
  return () => {
    again = running !== undefined;
    running ??= run();
    return running;
  };
}
