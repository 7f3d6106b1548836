/**
 * What the gate adds to a tool call: validation, provenance, policy, redaction and, for effects, the record of it.
 * `npm run bench -- gate [CALLS]`
 */
import { z } from 'zod';
import { testScope, testToolbox } from '../src/testing/scope.ts';
import { PLAIN_TOOL } from '../src/testing/tools.ts';
import { defineTool, type Tool } from '../src/tools/tool.ts';
import type { Figure } from './harness/figure.ts';
import { report } from './harness/report.ts';

const BAR_MS = 0.5;
const CALLS = Number(process.argv[2] ?? 2000);
const TEXT = 'The tide comes in at 14:05 today, and the ferry leaves at ten. '.repeat(8);
/** What a long conversation holds: requests with addresses in them. */
const SAID = Array.from({ length: 200 }, (_, n) => `read https://page.example/${n}, and note what it says. ${TEXT}`);

const base = { ...PLAIN_TOOL, timeoutMs: 5000, execute: () => TEXT } as const;
const page = z.object({ url: z.string() });
const TOOLS: Readonly<Record<string, readonly [tool: Tool, input: (n: number) => unknown]>> = {
  'reads only': [
    defineTool({
      ...base,
      name: 'read_page',
      input: z.object({ n: z.number() }),
      policy: { ...base.policy },
      provenance: {},
    }),
    (n) => ({ n }),
  ],
  'visits a known address': [
    defineTool({
      ...base,
      name: 'fetch_page',
      input: page,
      policy: { ...base.policy, network: true, destination: ({ url }) => url },
    }),
    (n) => ({ url: `https://page.example/${n % 200}` }),
  ],
  'searches for words of the owner': [
    defineTool({
      ...base,
      name: 'search',
      input: z.object({ query: z.string() }),
      policy: { ...base.policy, network: true, query: (i) => i.query },
    }),
    (n) => ({ query: n % 2 === 0 ? 'ferry tide today' : 'tide today ferry' }),
  ],
  'has a local effect': [
    defineTool({
      ...base,
      name: 'note',
      input: z.object({ text: z.string() }),
      policy: { ...base.policy, effect: 'local', change: 'append' },
    }),
    (n) => ({ text: `${n} ${TEXT}` }),
  ],
};

const scope = { ...(await testScope()), said: SAID };
await scope.labels.read({ untrusted: true, private: true }, 'a letter');
const toolbox = testToolbox(
  Object.values(TOOLS).map(([tool]) => tool),
  scope,
);
const figures: Figure[] = [];
for (const [name, [tool, input]] of Object.entries(TOOLS))
  figures.push({ what: `a call that ${name}`, unit: 'ms', samples: await measure(tool, input), must: BAR_MS });
report(figures);

async function measure(tool: Tool, input: (n: number) => unknown): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < CALLS; n++) {
    const started = performance.now();
    const result = await toolbox.call(tool.name, input(n), scope);
    times.push(performance.now() - started);
    if (!result.ok) throw new Error(result.error);
    // What was shown is not the gate's to keep.
    scope.events.length = 0;
  }
  return times;
}
