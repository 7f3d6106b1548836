/**
 * How cost grows: `npm run bench -- scale [SIZE...]`, where the sizes are those of the documents, in chunks. What is
 * beyond the largest size is told by a straight line from the last two.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { createAssistant, defineTool } from '../src/index.ts';
import type { Store } from '../src/store/store.ts';
import type { Figure } from './harness/figure.ts';
import { report } from './harness/report.ts';
import { timed } from './harness/statistics.ts';
import { documentCurves } from './scale/documents.ts';
import { curve, type Point } from './scale/growth.ts';
import { along, conversations, type Growing, inHome, notes, schedules, waitingMessages } from './scale/rows.ts';
import { loopbackModel, promptTokens } from './turn/server.ts';

const given = process.argv.slice(2).map(Number);
const CHUNKS = given.length > 0 ? given : [1000, 8000, 64_000];
const ROWS = [100, 1000, 10_000];
const MOST_ROWS = 1_000_000;
const TOOLS = [10, 50, 250];

const figures = [
  ...documentCurves(CHUNKS),
  ...(await rowCurves('conversations', conversations)),
  ...(await rowCurves('schedules', schedules)),
  ...(await rowCurves('messages that wait', waitingMessages)),
  ...(await rowCurves('notes of a project', notes, [100, 400, 1600])),
  ...(await toolCurves()),
];
report(figures);

async function rowCurves(
  name: string,
  make: (store: Store, home: string) => Growing,
  sizes: readonly number[] = ROWS,
): Promise<Figure[]> {
  const points = await inHome((store, home) => along(sizes, make(store, home)));
  const largest = sizes === ROWS ? MOST_ROWS : 10 * (sizes.at(-1) ?? 0);
  return [...points].flatMap(([measure, each]) => curve(`${name}, ${measure}`, 'ms', each, largest));
}

/** What more tools cost a turn that uses none of them. */
async function toolCurves(): Promise<Figure[]> {
  await using model = await loopbackModel(() => ({ text: 'Good.' }));
  const [times, tokens]: [Point[], Point[]] = [[], []];
  for (const size of TOOLS) {
    const home = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
    const assistant = await createAssistant({
      ...{ home, tools: Array.from({ length: size }, (_, n) => toolNumber(n)), timeZone: 'UTC' },
      ...{ model: { provider: 'compatible', model: 'bench', baseUrl: model.url }, mode: 'classic_tools' },
      env: { ROUTING_LOCAL_ENABLED: 'false' },
    });
    for (let warm = 0; warm < 3; warm++) await assistant.ask('How are you?');
    model.forget();
    const samples: number[] = [];
    for (let turn = 0; turn < 9; turn++) samples.push(await timed(() => assistant.ask('How are you?')));
    times.push({ size, samples });
    tokens.push({ size, samples: [promptTokens(model.requests.slice(0, 1))] });
    await assistant.close();
    rmSync(home, { recursive: true, force: true });
  }
  return [...curve('tools, a turn', 'ms', times, 1000), ...curve('tools, the prompt', 'tokens', tokens, 1000)];
}

function toolNumber(n: number) {
  return defineTool({
    ...{ name: `gauge_${n}`, description: `Read gauge number ${n} of the harbour.` },
    input: z.object({ unit: z.enum(['m', 'ft']), at: z.string() }),
    policy: { effect: 'none' },
    provenance: { readsFrom: [] },
    execute: () => 'calm',
  });
}
