import { beforeAll } from 'vitest';

/** Tracing variables of LangChain would post every test's prompts to the outside. */
beforeAll(() => {
  for (const name of ['LANGSMITH_TRACING', 'LANGSMITH_TRACING_V2', 'LANGCHAIN_TRACING', 'LANGCHAIN_TRACING_V2'])
    delete process.env[name];
});
