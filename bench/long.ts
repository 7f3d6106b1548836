/** Long work: requests under the window, few summaries, quick resume, little overhead. `npm run bench -- long` */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Insertable, sql } from 'kysely';
import { MessageCounter } from '../src/conversation/tokens.ts';
import type { MessageRow, TurnRow } from '../src/store/schema.ts';
import { openStore, type Store } from '../src/store/store.ts';
import { testAgent, testContext, testTurn } from '../src/testing/agent.ts';
import { LONG_TASK, walkingModel, walkTools } from '../src/testing/long-turn.ts';
import type { Figure } from './harness/figure.ts';
import { report } from './harness/report.ts';
import { timed } from './harness/statistics.ts';

const STEPS = 200;
const WINDOW = 8192;
const STORED = 100_000;
/** Messages of one statement: SQLite takes 32,766 parameters. */
const BATCH = 1000;

/** A turn of 200 steps through a small window, on a database file. */
async function longTurn(store: Store): Promise<Figure[]> {
  const agent = await testAgent(walkingModel(STEPS), {
    store,
    tools: walkTools(() => {}),
    window: WINDOW,
    maxIterations: STEPS + 1,
  });
  const answer = await agent.runTurn(testTurn(LONG_TASK), testContext());
  const counter = new MessageCounter();
  const { requests } = agent.model;
  const isSummary = (first: string | undefined) => first?.startsWith('You keep the memory') === true;
  const steps = requests.filter(({ messages }) => !isSummary(messages[0]?.text));
  const summaries = requests.length - steps.length;
  const largest = Math.max(...requests.map(({ messages }) => counter.all(messages)));
  const system = steps[0]?.messages[0]?.text;
  const whole = steps.filter(
    ({ messages }) => messages[0]?.text === system && messages.some((message) => message.text === LONG_TASK),
  );
  const { rounds } = await store.db
    .selectFrom('compaction_events')
    .select(({ fn }) => fn.countAll<number>().as('rounds'))
    .executeTakeFirstOrThrow();
  const missing = steps.length - whole.length;
  return [
    { what: 'steps answered', unit: 'steps', samples: [answer.steps - 1], better: 'more', must: STEPS },
    { what: 'largest request', unit: 'tokens', samples: [largest], must: WINDOW - 1 },
    { what: 'summary calls beyond the rounds', unit: 'calls', samples: [Math.max(0, summaries - rounds)], must: 0 },
    { what: 'requests without system prompt and task, verbatim', unit: 'requests', samples: [missing], must: 0 },
  ];
}

/** What a step costs beside the model: from the end of one reply to the next request, with a tool that does nothing. */
async function overhead(store: Store): Promise<Figure[]> {
  const started: number[] = [];
  const ended: number[] = [];
  const timed = walkingModel(STEPS, ['look']).map((reply) => {
    return (messages: Parameters<Extract<typeof reply, (...args: never) => unknown>>[0]) => {
      started.push(performance.now());
      const next = typeof reply === 'function' ? reply(messages) : reply;
      ended.push(performance.now());
      return next;
    };
  });
  const agent = await testAgent(timed, { store, tools: walkTools(() => {}), maxIterations: STEPS + 1 });
  await agent.runTurn(testTurn(LONG_TASK, { id: 'turn_timed', conversationId: 'timed' }), testContext());
  const gaps = started.slice(1).map((at, index) => at - (ended[index] ?? at));
  return [
    { what: 'overhead per step', unit: 'ms', samples: gaps, must: 5 },
    { what: 'one commit that waits for the disk', unit: 'ms', samples: await commits(store) },
  ];
}

/** Commits that wait for the disk: what an effectful call adds. */
async function commits({ db }: Store): Promise<number[]> {
  await sql`CREATE TABLE IF NOT EXISTS probe (x INTEGER)`.execute(db);
  const times: number[] = [];
  for (let n = 0; n < 50; n++) times.push(await timed(() => sql`INSERT INTO probe VALUES (1)`.execute(db)));
  await sql`DROP TABLE probe`.execute(db);
  return times;
}

/** A conversation of 100,000 messages, resumed five times: what its next turn waits before the model is asked. */
async function longPast(store: Store): Promise<Figure[]> {
  await fill(store);
  const before = process.memoryUsage().rss;
  const resumes: { waitedMs: number; sent: number }[] = [];
  for (let time = 1; time <= 5; time++) resumes.push(await resumeOnce(store, `turn_later_${time}`));
  const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
  const [first] = resumes;
  return [
    { what: `resume with ${STORED} messages`, unit: 'ms', samples: resumes.map(({ waitedMs }) => waitedMs), must: 100 },
    { what: '  messages sent then', unit: 'messages', samples: [first?.sent ?? 0] },
    { what: '  memory it takes', unit: 'MB', samples: [grown], must: 32 },
  ];
}

async function resumeOnce(store: Store, id: string): Promise<{ waitedMs: number; sent: number }> {
  let asked = 0;
  const reply = () => {
    asked = performance.now();
    return 'Here.';
  };
  const agent = await testAgent([reply], { store });
  const started = performance.now();
  await agent.runTurn(testTurn('still there?', { id, conversationId: 'long' }), testContext());
  return { waitedMs: asked - started, sent: agent.model.requests[0]?.messages.length ?? 0 };
}

/** As months of talk leave it: everything but the end is summarised. */
async function fill(store: Store): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z';
  const conversation_id = 'long';
  await store.transaction(async () => {
    const { db } = store;
    const conversation = { id: conversation_id, project: 'home', created_at: at, updated_at: at };
    await db.insertInto('conversations').values(conversation).execute();
    for (let first = 1; first <= STORED; first += BATCH) {
      const numbers = Array.from({ length: BATCH / 2 }, (_, index) => first + 2 * index);
      await db
        .insertInto('turns')
        .values(numbers.map((n) => turnRow(n, at)))
        .execute();
      await db
        .insertInto('messages')
        .values(numbers.flatMap((n) => messageRows(n, at)))
        .execute();
    }
    const summary = { round: 1, tokens_before: 90_000, tokens_after: 9000, summary: '## Task' };
    await db
      .insertInto('compaction_events')
      .values({ conversation_id, ...summary, created_at: at })
      .execute();
  });
}

function turnRow(n: number, started_at: string): Insertable<TurnRow> {
  const about = {
    conversation_id: 'long',
    mode: 'classic_tools',
    origin: 'repl',
    text: 'x',
    status: 'answered',
  } as const;
  return { id: `turn_${n}`, ...about, started_at };
}

/** A question and its answer. */
function messageRows(n: number, created_at: string): Insertable<MessageRow>[] {
  const compacted = n < STORED - 200 ? 1 : 0;
  const both = { conversation_id: 'long', turn_id: `turn_${n}`, token_count: 50, compacted, created_at };
  const question = `question ${n} ${'about this and that '.repeat(9)}`;
  const answer = `answer ${n} ${'which is so and so '.repeat(9)}`;
  return [
    { ...both, sequence: n, role: 'user', kind: 'text', content: question },
    { ...both, sequence: n + 1, role: 'assistant', kind: 'answer', content: answer },
  ];
}

const dir = mkdtempSync(join(tmpdir(), 'wooster-bench-'));
const store = await openStore(join(dir, 'long.sqlite3'));
try {
  report([...(await longTurn(store)), ...(await overhead(store)), ...(await longPast(store))]);
} finally {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
}
