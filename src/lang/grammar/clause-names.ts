const NAMES: Readonly<Record<string, string>> = {
  context: 'with context:',
  without: 'without context:',
  tools: 'with tools:',
  maxTurns: 'max turns:',
  costBudget: 'cost_budget:',
  concurrency: 'concurrency:',
  onError: 'on_error:',
  onFail: 'on_fail:',
  batchSize: 'batch_size:',
};

/** A clause as it is written, by its name in the tree. */
export function clauseName(name: string): string {
  return NAMES[name] ?? name;
}
