/**
 * Ten tasks of 1 to 50 tool calls in both modes, by a scripted model behind a loopback server: how often the model is
 * asked, what it is told, and how long it takes besides the model. `npm run bench -- modes [ROUNDS]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Mode } from '../src/base/turn.ts';
import { type Assistant, createAssistant, defineTool } from '../src/index.ts';
import type { Figure } from './harness/figure.ts';
import { report } from './harness/report.ts';
import { interleave, timed } from './harness/statistics.ts';
import { after, replyTo, stockOf, TASKS, type Task } from './modes/tasks.ts';
import { type ChatRequest, type LoopbackModel, loopbackModel, promptTokens } from './turn/server.ts';

const ROUNDS = Number(process.argv[2] ?? 3);
const NAMES = { classic_tools: 'classic', code_agent: 'code' } as const;

const stock = defineTool({
  ...{ name: 'stock', description: 'How many of a thing are in the store, and which thing comes after it.' },
  ...{ input: z.object({ thing: z.string() }), output: z.object({ count: z.number(), next: z.string() }) },
  policy: { effect: 'none' },
  provenance: { readsFrom: [] },
  execute: ({ thing }) => ({ count: stockOf(thing), next: after(thing) }),
});

await using model = await loopbackModel(replyTo);
const home = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
const assistant = await createAssistant({
  ...{ home, tools: [stock], timeZone: 'UTC', model: { provider: 'compatible', model: 'bench', baseUrl: model.url } },
  env: { ROUTING_LOCAL_ENABLED: 'false', AGENT_MAX_ITERATIONS: '100' },
});
const figures: Figure[] = [];
for (const task of TASKS) figures.push(...(await compare(task, assistant, model)));
report(figures);
await assistant.close();
rmSync(home, { recursive: true, force: true });

async function compare(task: Task, { ask }: Pick<Assistant, 'ask'>, server: LoopbackModel): Promise<Figure[]> {
  const told: Partial<Record<Mode, ChatRequest[]>> = {};
  const take = (mode: Mode) => async () => {
    server.forget();
    const ms = await timed(async () => {
      const { text } = await ask.call(assistant, `Task: ${task.name}.`, { mode });
      if (text !== task.answer) throw new Error(`${task.name}, ${mode}: ${text}`);
    });
    told[mode] = [...server.requests];
    return ms;
  };
  const samples = await interleave(
    { classic_tools: take('classic_tools'), code_agent: take('code_agent') },
    { rounds: ROUNDS },
  );
  return (['classic_tools', 'code_agent'] as const).flatMap((mode) => {
    const requests = told[mode] ?? [];
    const line = (part: string, unit: string, values: readonly number[]): Figure => {
      const reference = mode === 'code_agent' ? { against: `${task.name}, classic: ${part}` } : {};
      return { what: `${task.name}, ${NAMES[mode]}: ${part}`, unit, samples: values, ...reference };
    };
    return [
      line('round trips', 'requests', [requests.length]),
      line('prompt', 'tokens', [promptTokens(requests)]),
      line('time', 'ms', samples[mode]),
    ];
  });
}
