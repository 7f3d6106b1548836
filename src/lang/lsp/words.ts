/** Words that mean something in their place alone, and are names elsewhere. A test holds them against the grammar. */
export const CONTEXTUAL: ReadonlySet<string> = new Set(
  (
    'param uncertain for in while break continue mode semantic reason goal steps with without tools context ' +
    'max turns concurrency cost_budget batch_size on_error guard on_fail on fail retry then fallback'
  ).split(' '),
);
