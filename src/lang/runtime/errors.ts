/** Everything that an AI call of a program can fail with; programs catch them by the name of the class. */
export class ThinkError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The model's answer does not have the type that was asked for. */
export class SchemaViolation extends ThinkError {
  /** Where in the answer: `people[0].age`; empty for the whole of it. */
  readonly path: string;
  readonly expected: string;
  readonly got: unknown;

  constructor(found: { readonly path: string; readonly expected: string; readonly got: unknown }) {
    const where = found.path === '' ? 'The answer' : `The answer's field ${found.path}`;
    super(`${where} does not fit: ${found.expected}; got ${shown(found.got)}.`);
    this.path = found.path;
    this.expected = found.expected;
    this.got = found.got;
  }
}

export class ConfidenceTooLow extends ThinkError {
  readonly threshold: number;
  readonly actual: number;

  constructor(threshold: number, actual: number) {
    super(`The confidence is ${actual}, and ${threshold} is wanted.`);
    this.threshold = threshold;
    this.actual = actual;
  }
}

export class GuardFailed extends ThinkError {
  readonly guardName: string;
  readonly guardValue: unknown;
  readonly constraint: unknown;

  constructor(guardName: string, guardValue: unknown, constraint: unknown) {
    super(`The guard ${guardName} failed: wanted ${wording(constraint)}, got ${shown(guardValue)}.`);
    this.guardName = guardName;
    this.guardValue = guardValue;
    this.constraint = constraint;
  }
}

/** The request does not fit the model's context window. Sizes in tokens, 0 if unknown. */
export class TokenBudgetExceeded extends ThinkError {
  readonly budget: number;
  readonly required: number;

  constructor(
    message: string,
    { budget = 0, required = 0, cause }: { budget?: number; required?: number; cause?: unknown },
  ) {
    super(message, { cause });
    this.budget = budget;
    this.required = required;
  }
}

/** No model answered: none is set up, its server is down, it refused the key or the request, or a budget is used up. */
export class ModelUnavailable extends ThinkError {
  readonly model: string;
  /** A code of `AssistantError`. */
  readonly code: string;
  readonly hint: string;

  constructor(message: string, details: { model?: string | undefined; code: string; hint: string; cause?: unknown }) {
    super(message, { cause: details.cause });
    this.model = details.model ?? 'any';
    this.code = details.code;
    this.hint = details.hint;
  }
}

export class Timeout extends ThinkError {
  readonly durationMs: number;

  constructor(message: string, durationMs: number, cause?: unknown) {
    super(message, { cause });
    this.durationMs = durationMs;
  }
}

/** The agent was still calling tools when it ran out of turns. */
export class AgentMaxTurnsError extends ThinkError {
  readonly maxTurns: number;
  readonly actualTurns: number;

  constructor(maxTurns: number, actualTurns: number) {
    super(`The agent did not finish within ${maxTurns} turns.`);
    this.maxTurns = maxTurns;
    this.actualTurns = actualTurns;
  }
}

/** A tool failed, and nothing else could be done: an agent reads the failure of a tool first and may go on. */
export class ToolExecutionError extends ThinkError {
  readonly toolName: string;

  constructor(toolName: string, message: string, cause?: unknown) {
    super(`The tool ${toolName} failed: ${message}`, { cause });
    this.toolName = toolName;
  }
}

/** `results` has what finished before the budget was used up. */
export class BatchCostBudgetExceeded extends ThinkError {
  readonly budgetUsd: number;
  readonly spentUsd: number;

  constructor(budgetUsd: number, spentUsd: number) {
    super(`The budget of the batch is used up: ${spentUsd.toFixed(4)} of ${budgetUsd} USD.`);
    this.budgetUsd = budgetUsd;
    this.spentUsd = spentUsd;
  }
}

export class BatchAbortedError extends ThinkError {
  constructor(cause?: unknown) {
    super('The batch was stopped.', { cause });
  }
}

const MAX_SHOWN = 120;

function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? String(value));
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}

function wording(constraint: unknown): string {
  return typeof constraint === 'string' ? constraint : shown(constraint);
}
