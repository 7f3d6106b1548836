/**
 * What a start and a question cost in a home that is full, against an empty one: `npm run bench -- full-home [PART]
 * [FOLDER]`.
 * The home has 200,000 messages, 20,000 jobs, 50,000 notes and 20,000 documents, or that part of them, made by the
 * program's own modules. With a FOLDER the homes stay there, and the next run fills only what is missing. Ratios are of
 * CPU time, which hold on a busy machine.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { innerOf } from '../src/embed/assistant.ts';
import type { App } from '../src/face/app.ts';
import { createAssistant } from '../src/index.ts';
import { report } from './harness/report.ts';
import { ROOT } from './harness/results.ts';
import { interleave, median } from './harness/statistics.ts';
import { conversations, notes, schedules } from './scale/rows.ts';

const WOOSTER = join(ROOT, 'bin/wooster');
const MUST = 1.3;
const DOCUMENTS_OF_A_FOLDER = 1000;
const part = Number(process.argv[2] ?? 0.05);
const kept = process.argv[3];
const [MESSAGES, JOBS, NOTES, DOCUMENTS] = [200_000, 20_000, 50_000, 20_000].map((all) => Math.round(all * part)) as [
  number,
  number,
  number,
  number,
];

/** A home as the program makes it, with what it holds after years. */
async function fill(home: string): Promise<void> {
  const assistant = await createAssistant({ home, timeZone: 'UTC', env: { ROUTING_LOCAL_ENABLED: 'true' } });
  const { app } = innerOf(assistant);
  await step('conversations', () => conversations(app.store).grow(0, MESSAGES));
  await step('jobs', () => schedules(app.store).grow(0, JOBS));
  await step('notes', () => notes(app.store, home).grow(0, NOTES));
  await step('documents', () => documents(app, home));
  await assistant.close();

  async function step(name: string, grow: () => Promise<unknown>): Promise<void> {
    const done = join(home, `filled-with-${name}`);
    if (existsSync(done)) return;
    const began = performance.now();
    await grow();
    writeFileSync(done, '');
    console.error(`${name}: ${Math.round((performance.now() - began) / 1000)} s`);
  }
}

async function documents(app: App, home: string): Promise<void> {
  const folder = join(home, 'documents');
  for (let n = 0; n < DOCUMENTS; n++) {
    const shelf = join(folder, `${Math.floor(n / DOCUMENTS_OF_A_FOLDER)}`);
    mkdirSync(shelf, { recursive: true });
    writeFileSync(join(shelf, `${n}.md`), `# Harbour ${n}\n\nThe tide at pier ${n} is ${n % 977} cm.\n`);
  }
  await app.knowledge.documents.ingest('home', [folder], { signal: new AbortController().signal });
}

/** CPU milliseconds of a whole run. */
function ran(home: string, words: readonly string[], input = '/dev/null'): number {
  const env = { PATH: process.env.PATH, HOME: home, TERM: 'xterm', ROUTING_LOCAL_ENABLED: 'true' };
  const program = [join(ROOT, 'scripts/measure.py'), input, WOOSTER, ...words, '--home', home];
  return Number(execFileSync('python3', program, { encoding: 'utf8', env }).trim().split(/\s+/u)[1]);
}

const dir = kept ?? mkdtempSync(join(tmpdir(), 'wooster-bench-'));
const [full, empty] = [join(dir, 'full'), join(dir, 'empty')];
const quit = join(dir, 'quit');
writeFileSync(quit, '/quit\n');
for (const home of [full, empty]) mkdirSync(home, { recursive: true });
try {
  await fill(full);
  const { start, emptyStart, ask, emptyAsk } = await interleave(
    {
      start: () => ran(full, [], quit),
      emptyStart: () => ran(empty, [], quit),
      ask: () => ran(full, ['ask', 'what is 2+2?']),
      emptyAsk: () => ran(empty, ['ask', 'what is 2+2?']),
    },
    { rounds: 7, warm: 2 },
  );
  const of = `${MESSAGES} messages, ${JOBS} jobs, ${NOTES} notes, ${DOCUMENTS} documents`;
  const cpu = { unit: 'ms', kind: 'cpu' as const };
  report([
    { ...cpu, what: 'start and /quit, empty home', samples: emptyStart },
    {
      ...cpu,
      what: 'start and /quit, full home',
      samples: start,
      against: 'start and /quit, empty home',
      must: MUST,
      note: of,
    },
    { ...cpu, what: 'ask, empty home', samples: emptyAsk },
    { ...cpu, what: 'ask, full home', samples: ask, against: 'ask, empty home', must: MUST, note: of },
  ]);
  console.log(
    `start ${(median(start) / median(emptyStart)).toFixed(2)}x, ask ${(median(ask) / median(emptyAsk)).toFixed(2)}x`,
  );
} finally {
  if (kept === undefined) rmSync(dir, { recursive: true, force: true });
}
