import { afterEach, beforeAll } from 'vitest';
import { blockOutside, takeDials } from './dials.ts';

/** Tracing variables of LangChain would post every test's prompts to the outside. */
beforeAll(() => {
  for (const name of ['LANGSMITH_TRACING', 'LANGSMITH_TRACING_V2', 'LANGCHAIN_TRACING', 'LANGCHAIN_TRACING_V2'])
    delete process.env[name];
});

blockOutside();

/** Nothing but net/ opens a connection to the outside; in tests not even net/ gets through. */
afterEach(() => {
  const undeclared = takeDials().filter(({ allowed }) => !allowed);
  if (undeclared.length > 0)
    throw new Error(`opened outside src/net/: ${undeclared.map(({ target }) => target).join(', ')}`);
});
