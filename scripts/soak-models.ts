/**
 * A thousand turns with random faults, in both modes, through the real agent, store, sandbox and model layer. Prints
 * how they ended and what is left behind; exits with 1 when something leaked or a rule was broken.
 *
 *   npm run soak:models [-- TURNS [SEED]]
 */
import { silentLog } from '../src/base/log.ts';
import { mulberry32 } from '../src/base/mulberry32.ts';
import { Redactor } from '../src/base/redact.ts';
import { MODES } from '../src/base/turn.ts';
import { createModels } from '../src/models/models.ts';
import { openStore } from '../src/store/store.ts';
import { testContext, testTurn } from '../src/testing/agent.ts';
import { codeAgent, testSandbox } from '../src/testing/code-agent.ts';
import * as fault from '../src/testing/fault-server.ts';
import { modelsOptions } from '../src/testing/models-options.ts';
import { keepTool } from '../src/testing/tools.ts';

const TURNS = Number(process.argv[2] ?? 1000);
const SEED = Number(process.argv[3] ?? 7);
const WARM_UP = Math.min(100, Math.floor(TURNS / 4));
const MAX_GROWTH_MB = 40;

const random = mulberry32(SEED);
const pickOne = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

const words = fault.textEvents('Half an answer');
const halfCall = fault.callEvents([{ name: 'keep', args: '{"text":"ha' }]);
const FAULTS: readonly fault.Behaviour[] = [
  ...[400, 401, 403, 404, 408, 409, 413, 429, 500, 502, 503].map((code) => fault.status(code)),
  fault.status(429, {}, { 'retry-after': '3600' }),
  fault.reset,
  fault.hang,
  fault.ok(''),
  fault.ok('Cut', { finish: 'length' }),
  fault.raw('<html></html>', 'text/html'),
  fault.raw('{"choices": [', 'application/json'),
  fault.stream(words),
  fault.stream(words, 'reset'),
  fault.stream(words, 'stall'),
  fault.stream(halfCall),
  fault.stream(halfCall, 'reset'),
  fault.stream([...words, 'data: {"x\n\n']),
  fault.status(400, { error: { code: 'context_length_exceeded', message: 'maximum context length' } }),
];

const server = new fault.FaultServer();
await server.start();
const sandbox = testSandbox();
const store = await openStore(':memory:');
const effects = new Map<string, number>();
const keep = keepTool((text, turnId) => {
  const key = `${turnId} ${text}`;
  effects.set(key, (effects.get(key) ?? 0) + 1);
});
const models = createModels({
  timeZone: 'UTC',
  options: modelsOptions({
    providers: { openai: { baseUrl: server.url, model: 'fault' } },
    limits: { firstByteMs: 150, idleMs: 150 },
  }),
  store,
  log: silentLog,
  redactor: new Redactor(),
  now: () => new Date(),
  pace: { sleep: async () => {}, random },
});
const agent = await codeAgent(sandbox, [], { store, tools: [keep], deps: { models } });

const outcomes = new Map<string, number>();
let before = sample();
const problems: string[] = [];
for (let turn = 0; turn < TURNS; turn++) {
  const mode = pickOne(MODES);
  const act =
    mode === 'code_agent'
      ? fault.ok("```js\nawait keep('x');\n```")
      : fault.ok('', { calls: [{ name: 'keep', args: '{"text":"x"}' }] });
  const script = [
    act,
    ...Array.from({ length: Math.floor(random() * 3) }, () => pickOne(FAULTS)),
    fault.ok('All done.'),
  ];
  if (random() < 0.3) script.unshift(pickOne(FAULTS));
  server.play(...script);
  const controller = new AbortController();
  const cancelled = random() < 0.05;
  if (cancelled) setTimeout(() => controller.abort(new Error('cancelled')), random() * 50);
  const answer = await agent.runTurn(
    testTurn('keep it', { id: `turn_${turn}`, conversationId: `conv_${turn % 50}`, mode }),
    testContext({ signal: controller.signal }),
  );
  outcomes.set(`${mode} ${answer.stop}`, (outcomes.get(`${mode} ${answer.stop}`) ?? 0) + 1);
  if (/Half an answer.*All done/su.test(answer.text))
    problems.push(`turn ${turn}: a second answer was glued to a first`);
  if (turn === WARM_UP) before = sample();
}
for (const [key, count] of effects) if (count > 1) problems.push(`${key} happened ${count} times`);

await new Promise((done) => setTimeout(done, 1000));
const after = sample();
const growthMb = after.heapMb - before.heapMb;
if (growthMb > MAX_GROWTH_MB) problems.push(`the heap grew by ${growthMb.toFixed(1)} MB`);
if (after.timers > before.timers + 5) problems.push(`${after.timers} timers are left`);
if (after.sockets > before.sockets + 10) problems.push(`${after.sockets} sockets are left`);

console.table(Object.fromEntries(outcomes));
console.table({ before, after });
for (const problem of problems) console.log(`PROBLEM ${problem}`);
console.log(
  problems.length === 0
    ? `${TURNS} turns with seed ${SEED}: nothing leaked, no effect happened twice`
    : `${problems.length} problems`,
);
await sandbox.close();
await server.stop();
await models.close();
await store.close();
process.exitCode = problems.length === 0 ? 0 : 1;

function sample() {
  globalThis.gc?.();
  const { heapUsed } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  const count = (pattern: RegExp) => resources.filter((each) => pattern.test(each)).length;
  return { heapMb: Math.round(heapUsed / 1e5) / 10, timers: count(/Timeout/u), sockets: count(/TCP/u) };
}
