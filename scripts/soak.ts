/**
 * A whole assistant at work for some minutes: turns in both modes, documents that change and are read again, jobs that
 * come due, and the questions that lists ask. Prints its memory (RSS) by the minute; exits with 1 when the last third
 * takes over 5 % more than the first one, or when something failed. The first tenth warms up and is not counted.
 * At the end garbage is collected, and what is left is said as well: it tells a leak from what V8 lets lie.
 *
 *   npm run soak [-- MINUTES]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../bench/harness/statistics.ts';
import { type ChatRequest, loopbackModel, type Reply } from '../bench/turn/server.ts';
import { messageOf } from '../src/base/errors.ts';
import { MODES, type TurnEvent } from '../src/base/turn.ts';
import { innerOf } from '../src/embed/assistant.ts';
import { createAssistant } from '../src/index.ts';

const MINUTES = Number(process.argv[2] ?? 60);
const LENGTH_MS = MINUTES * 60_000;
const SAMPLE_MS = Math.min(5000, LENGTH_MS / 60);
const MOST_GROWTH = 0.05;
const DOCUMENTS = 20;
const TURNS_OF_A_CONVERSATION = 20;
const NOTE_EVERY = 8;
const INGEST_EVERY = 5;

const home = mkdtempSync(join(tmpdir(), 'wooster-soak-'));
const documents = join(home, 'documents');
mkdirSync(documents);
await using model = await loopbackModel(reply);
const counts = { turns: 0, calls: 0, ingests: 0, jobs: 0, jobsDone: 0, failures: 0 };
let turn = 0;
const assistant = await createAssistant({
  ...{ home, timeZone: 'UTC', background: true, onMessage: () => void counts.jobsDone++ },
  model: { provider: 'compatible', model: 'soak', baseUrl: model.url },
  env: { ROUTING_LOCAL_ENABLED: 'false' },
});
const { app } = innerOf(assistant);

/** A tool first, then an answer. */
function reply({ messages, tools }: ChatRequest): Reply {
  const last = messages.at(-1);
  const asked = last?.role === 'user' && JSON.stringify(last.content).includes('Step');
  if (!asked) return { text: 'It is done.' };
  const isNote = turn % NOTE_EVERY === 0;
  const input = isNote ? { text: `The tide of step ${turn}.` } : {};
  const name = isNote ? 'write_note' : 'list_files';
  if (tools && tools.length > 0) return { calls: [{ name, input }] };
  return {
    text: `\`\`\`js\nconst got = await ${name}(${JSON.stringify(input)});\nanswer(String(got).slice(0, 50));\n\`\`\``,
  };
}

async function oneRound(): Promise<void> {
  turn++;
  const mode = MODES[turn % MODES.length];
  const conversationId = `soak_${Math.floor(turn / TURNS_OF_A_CONVERSATION)}`;
  let calls = 0;
  const onEvent = ({ type }: TurnEvent) => void (type === 'tool' && calls++);
  const options = { ...(mode && { mode }), conversationId, onEvent };
  const answer = await assistant.ask(`Step ${turn}: look after the harbour.`, options);
  if (calls !== 1) throw new Error(`turn ${turn} made ${calls} calls`);
  counts.calls += calls;
  if (answer.stop !== 'answered') throw new Error(`turn ${turn} ended as ${answer.stop}`);
  counts.turns++;
  model.forget();
  if (turn % INGEST_EVERY === 0) await changeDocument();
  if (turn % INGEST_EVERY === 1) await addJob();
  await app.turns.archive.list();
}

function sample(): void {
  samples.push({ atMs: passed(), rss: process.memoryUsage.rss() / 1e6 });
}

async function changeDocument(): Promise<void> {
  const paragraphs = Array.from(
    { length: 40 },
    (_, n) => `Paragraph ${n}: the tide of step ${turn} is ${turn + n} cm.`,
  );
  writeFileSync(join(documents, `${turn % DOCUMENTS}.md`), paragraphs.join('\n\n'));
  await app.knowledge.documents.ingest('home', [documents], { signal: new AbortController().signal });
  counts.ingests++;
}

async function addJob(): Promise<void> {
  const when = new Date(Date.now() + 1500).toISOString();
  const options = { verbatim: true };
  await app.schedule.jobs.add({ when, prompt: `Tide ${turn}`, project: 'home', untrusted: false, options });
  counts.jobs++;
}

let settled = 0;
const samples: { atMs: number; rss: number }[] = [];
const started = performance.now();
const passed = () => performance.now() - started;
const sampling = setInterval(sample, SAMPLE_MS);
try {
  while (passed() < LENGTH_MS) {
    try {
      await oneRound();
    } catch (error) {
      if (counts.failures++ < 5) console.log(`FAILED ${messageOf(error)}`);
    }
  }
} finally {
  clearInterval(sampling);
  globalThis.gc?.();
  settled = process.memoryUsage.rss() / 1e6;
  await assistant.close();
  rmSync(home, { recursive: true, force: true });
}

const between = (from: number, to: number) =>
  median(samples.filter(({ atMs }) => atMs >= from * LENGTH_MS && atMs < to * LENGTH_MS).map(({ rss }) => rss));
const minutes = Array.from({ length: Math.max(1, Math.floor(MINUTES)) }, (_, n) =>
  between(n / MINUTES, (n + 1) / MINUTES),
);
console.table(Object.fromEntries(minutes.map((rss, n) => [`minute ${n + 1}`, { 'RSS, MB': Math.round(rss) }])));
console.table(counts);
const [first, last] = [between(0.1, 0.4), between(0.7, 1)];
const growth = last / first - 1;
const isFlat = growth <= MOST_GROWTH;
console.log(
  `${MINUTES} minutes: ${first.toFixed(0)} MB in the first third, ${last.toFixed(0)} MB in the last: ` +
    `${(100 * growth).toFixed(1)} %, ${isFlat ? 'flat' : 'NOT flat'}; ${settled.toFixed(0)} MB after collection; ${counts.failures} failures`,
);
process.exitCode = isFlat && counts.failures === 0 && counts.jobsDone > 0 ? 0 : 1;
