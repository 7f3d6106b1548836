import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { sha256 } from '../../base/json.ts';
import { silentLog } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import { UsageTable } from '../../models/usage-table.ts';
import { testContext, testTurn } from '../../testing/agent.ts';
import { codeAgent, testSandbox } from '../../testing/code-agent.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { sqlRun } from '../../testing/sql.ts';
import { defineTool } from '../../tools/tool.ts';
import { modeSums } from './mode-stats.ts';
import { replayTurn } from './replay.ts';

const sandbox = testSandbox();
afterAll(() => sandbox.close());

const js = (source: string) => `\`\`\`js\n${source}\n\`\`\``;

async function recorded(scripts: readonly string[]) {
  const acted: string[] = [];
  const roll = defineTool({
    name: 'roll',
    positional: ['who'],
    description: 'Roll a die.',
    input: z.object({ who: z.string() }),
    policy: { effect: 'local', change: 'append' },
    provenance: { readsFrom: [] },
    timeoutMs: 1000,
    execute: ({ who }) => {
      acted.push(who);
      return acted.length;
    },
  });
  const traceDir = temporaryFolder();
  const agent = await codeAgent(sandbox, scripts.map(js), { tools: [roll], traceDir });
  const answer = await agent.runTurn(testTurn('play', { id: 'turn_1', mode: 'code_agent' }), testContext());
  return {
    acted,
    agent,
    answer,
    traceDir,
    replay: () => replayTurn({ sandbox, traceDir }, 'turn_1', new AbortController().signal),
  };
}

test('a recorded turn runs again with the same outcome and acts on nothing', async () => {
  const { acted, replay, answer } = await recorded([
    "store('luck', Math.random()); const rolls = await Promise.all(['a', 'b', 'd'].map((who) => roll(who))); log(rolls); [rolls, Date.now()]",
    "if (recall('luck') === undefined) throw new Error('lost'); missing()",
    "const all = parallel([{ tool: 'roll', input: { who: 'c' } }, { tool: 'nope' }]); finalAnswer(JSON.stringify(all))",
  ]);
  expect(answer.text).toContain('4');
  // A server may answer calls that were made at once in another order.
  expect([acted.slice(0, 3).sort(), acted.slice(3)]).toEqual([['a', 'b', 'd'], ['c']]);
  expect(await replay()).toEqual([
    { script: 1, calls: 3, differences: [] },
    { script: 2, calls: 0, differences: [] },
    { script: 3, calls: 3, differences: [] },
  ]);
  expect(acted).toHaveLength(4);
});

test('what came out differently is named', async () => {
  const { replay, traceDir } = await recorded(["const n = roll('a'); log('rolled', n); finalAnswer('got ' + n); n"]);
  const path = join(traceDir, 'turn_1.jsonl');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"ok":true,"value":1', '"ok":true,"value":6'));
  const [script] = await replay();
  expect(script?.differences).toEqual([
    'value: 1 became 6',
    'log: ["rolled 1"] became ["rolled 6"]',
    'a call that was not recorded: finalAnswer ["got 6"]',
    'a recorded call that was not made: finalAnswer ["got 1"]',
  ]);
});

test('no secret enters the record, the log or what is shown', async () => {
  const secret = 'hunter2-and-more';
  const traceDir = temporaryFolder();
  const key = defineTool({
    name: 'key',
    description: 'Give a key.',
    input: z.object({}),
    policy: { effect: 'none' },
    provenance: { readsFrom: ['diary'] },
    timeoutMs: 1000,
    execute: () => `the key is ${secret}`,
  });
  const source = `log('${secret}'); output('${secret}'); key({}); finalAnswer('${secret}'); '${secret}'`;
  const redactor = new Redactor([secret]);
  const agent = await codeAgent(sandbox, [js(source)], { tools: [key], traceDir, redactor });
  const context = testContext();
  const answer = await agent.runTurn(testTurn('tell', { id: 'turn_1', mode: 'code_agent' }), context);
  const shown = context.events.filter(({ type }) => type === 'log' || type === 'output');
  expect(answer.text).toBe('[secret]');
  expect(JSON.stringify(shown)).not.toContain(secret);
  const record = readFileSync(join(traceDir, 'turn_1.jsonl'), 'utf8');
  expect(record).not.toContain(secret);
  expect(record).toContain(sha256(source));
});

test('a turn without scripts has no record', async () => {
  const signal = new AbortController().signal;
  await expect(replayTurn({ sandbox, traceDir: temporaryFolder() }, 'turn_x', signal)).rejects.toMatchObject({
    code: 'file_not_found',
  });
});

test('clean replies, retries and fallbacks are counted per model', async () => {
  const { agent } = await recorded(['missing()', 'finalAnswer(1)']);
  await sqlRun(
    agent.store,
    `INSERT INTO usage (turn_id, project, mode, provider, model, purpose, input_tokens, output_tokens, cached_tokens, latency_ms, ok, created_at)
     VALUES ('turn_1', 'home', 'code_agent', 'scripted', 'scripted', 'turn', 10, 5, 0, 40, 1, '2026-01-15T09:00:00.000Z')`,
  );
  const usage = new UsageTable({ timeZone: 'UTC', store: agent.store, log: silentLog, now: () => new Date() });
  expect(await modeSums(agent.store, await usage.byMode())).toEqual([
    {
      model: 'scripted',
      mode: 'code_agent',
      turns: 1,
      inputTokens: 10,
      outputTokens: 5,
      meanLatencyMs: 40,
      replies: 2,
      cleanReplies: 2,
      retries: 1,
      fallbacks: 0,
    },
  ]);
});
