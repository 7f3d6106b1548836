/** Contextual keywords, which are ordinary names elsewhere. A test compares them with the grammar. */
export const CONTEXTUAL: ReadonlySet<string> = new Set(
  (
    'param uncertain for in while break continue mode semantic reason goal steps with without tools context ' +
    'max turns concurrency cost_budget batch_size on_error guard on_fail on fail retry then fallback'
  ).split(' '),
);
