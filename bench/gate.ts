/**
 * What the gate adds to a tool call: validation, provenance, policy, redaction and, for effects, the record of it.
 * `npm run bench -- gate [CALLS]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Store } from '../src/store/store.ts';
import { type TestScope, testScope, testToolbox } from '../src/testing/scope.ts';
import { openTestStore } from '../src/testing/stores.ts';
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
type Called = readonly [tool: Tool, input: (n: number) => unknown];
const WITH_EFFECT: Called = [
  defineTool({
    ...base,
    name: 'note',
    input: z.object({ text: z.string() }),
    policy: { ...base.policy, effect: 'local', change: 'append' },
  }),
  (n) => ({ text: `${n} ${TEXT}` }),
];
const TOOLS: Readonly<Record<string, Called>> = {
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
  'has a local effect': WITH_EFFECT,
};

const scope = await scopeOn(await openTestStore());
const folder = mkdtempSync(join(tmpdir(), 'wooster-gate-'));
const onDisk = await scopeOn(await openTestStore(join(folder, 'effects.sqlite3'), { kind: 'sqlite' }));
try {
  const figures: Figure[] = [];
  for (const [name, call] of Object.entries(TOOLS))
    figures.push({ what: `a call that ${name}`, unit: 'ms', samples: await measure(call, scope), must: BAR_MS });
  figures.push(
    { what: 'of that: the record of the effect', unit: 'ms', samples: await measureRecord() },
    {
      what: 'the same call where the record waits for a disk',
      unit: 'ms',
      samples: await measure(WITH_EFFECT, onDisk),
    },
  );
  report(figures);
} finally {
  await onDisk.store.close();
  rmSync(folder, { recursive: true });
}

/** A turn of a long conversation that has read a letter. */
async function scopeOn(store: Store): Promise<TestScope> {
  const made = { ...(await testScope({ store })), said: SAID };
  await made.labels.read({ untrusted: true, private: true }, 'a letter');
  return made;
}
async function measure([tool, input]: Called, on: TestScope): Promise<number[]> {
  const toolbox = testToolbox([tool], on);
  return repeated(async (n) => {
    const result = await toolbox.call(tool.name, input(n), on);
    if (!result.ok) throw new Error(result.error);
    // What was shown is not the gate's to keep.
    on.events.length = 0;
  });
}

/** What of a call with an effect is the store's: intent and outcome, with their receipts. */
function measureRecord(): Promise<number[]> {
  const [tool] = WITH_EFFECT;
  return repeated(async (n) => {
    const { key } = await scope.ledger.begin(tool, { text: `${CALLS + n} ${TEXT}` }, {});
    await scope.ledger.done(key, TEXT);
  });
}

async function repeated(work: (n: number) => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < CALLS; n++) {
    const started = performance.now();
    await work(n);
    times.push(performance.now() - started);
  }
  return times;
}
