/**
 * What the gate adds to a tool call: validation, provenance, policy, redaction and, for effects, the record of it.
 * `npm run bench:gate`. Fails when the median of any row is over the bar of 0.5 ms.
 */
import { z } from 'zod';
import { testScope, testToolbox } from '../src/testing/scope.ts';
import { PLAIN_TOOL } from '../src/testing/tools.ts';
import { defineTool, type Tool } from '../src/tools/tool.ts';

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
      returns: 'untrusted',
      reads: 'private',
    }),
    (n) => ({ n }),
  ],
  'visits a known address': [
    defineTool({ ...base, name: 'fetch_page', input: page, network: true, destination: ({ url }) => url }),
    (n) => ({ url: `https://page.example/${n % 200}` }),
  ],
  'searches for words of the owner': [
    defineTool({
      ...base,
      name: 'search',
      input: z.object({ query: z.string() }),
      network: true,
      query: (i) => i.query,
    }),
    (n) => ({ query: n % 2 === 0 ? 'ferry tide today' : 'tide today ferry' }),
  ],
  'has a local effect': [
    defineTool({ ...base, name: 'note', input: z.object({ text: z.string() }), effect: 'local', change: 'append' }),
    (n) => ({ text: `${n} ${TEXT}` }),
  ],
};

const scope = { ...(await testScope()), said: SAID };
await scope.labels.read({ untrusted: true, private: true }, 'a letter');
const toolbox = testToolbox(
  Object.values(TOOLS).map(([tool]) => tool),
  scope,
);
const rows = [];
for (const [name, [tool, input]] of Object.entries(TOOLS))
  rows.push({ 'a call that': name, ...(await measure(tool, input)) });
console.table(rows);
const slow = rows.filter(({ p50Ms }) => p50Ms > BAR_MS);
console.log(
  slow.length === 0 ? `no median over ${BAR_MS} ms` : `over ${BAR_MS} ms: ${slow.map((row) => row['a call that'])}`,
);
process.exitCode = slow.length === 0 ? 0 : 1;

async function measure(tool: Tool, input: (n: number) => unknown) {
  const times: number[] = [];
  for (let n = 0; n < CALLS; n++) {
    const started = performance.now();
    const result = await toolbox.call(tool.name, input(n), scope);
    times.push(performance.now() - started);
    if (!result.ok) throw new Error(result.error);
    // What was shown is not the gate's to keep.
    scope.events.length = 0;
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(3));
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}
