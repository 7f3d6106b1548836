import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sha256 } from '../../base/json.ts';
import { changedDocuments } from '../../rag/changed-documents.ts';
import type { DueRun } from '../../scheduler/types.ts';
import { FakeClock } from '../../testing/clock.ts';
import { startDocuments } from '../../testing/documents.ts';
import { testFiles } from '../../testing/project-files.ts';
import { testScheduler } from '../../testing/scheduler.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { sqlAll } from '../../testing/sql.ts';
import { openTestStore } from '../../testing/stores.ts';
import { WRITE_NOTE } from '../../testing/tools.ts';
import { EffectLedger } from '../gate/effect-ledger.ts';
import { createFileTools } from './files.ts';
import { JobWrites, jobRunsThatWrote } from './job-writes.ts';

const WITHIN = { timeout: 20_000, interval: 50 };

/** A project that is really watched, and a job on its changes that writes a file, each time with another text. */
async function watchedProject() {
  const { store, projects, documents } = await startDocuments();
  projects.create('home');
  const stop = new AbortController();
  const reports = vi.fn();
  const watching = documents.watch('home', { signal: stop.signal, onReport: reports });
  onTestFinished(async () => {
    stop.abort();
    await watching;
  });
  const files = testFiles(store, (project) => projects.folder(project));
  const writes = new JobWrites(store, () => new Date());
  const tools = createFileTools(() => files, { onWrite: writes.note.bind(writes) });
  const onDue = async ({ runId, job }: DueRun) => {
    const scope = await testScope({ store, turn: { id: `turn_${runId}_1`, origin: 'schedule', project: job.project } });
    const now = () => new Date();
    const ledger = new EffectLedger({ store, turn: scope.turn, now, runId });
    const content = `# Summary\n\nmade by ${runId}\n`;
    const result = await testToolbox(tools, scope).call(
      'write_file',
      { path: './out/summary.md', content },
      { ...scope, ledger },
    );
    expect(result).toMatchObject({ ok: true });
    return { state: 'succeeded', output: 'done' } as const;
  };
  const ran: string[][] = [];
  const made = await testScheduler({
    ...{ store, clock: new FakeClock(new Date().toISOString()) },
    readChanges: (project, after) =>
      changedDocuments(store, project, { after, runsThatWrote: jobRunsThatWrote(store) }),
    onDue: async (run) => {
      ran.push([...run.changed]);
      return onDue(run);
    },
  });
  const path = (name: string) => join(projects.folder('home'), name);
  const save = (name: string, text: string) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
  };
  // Not a search: that would look at the folder itself.
  const indexed = async () => JSON.stringify(await sqlAll(store, 'SELECT text FROM chunks'));
  const pass = async (looks: number) => {
    for (let n = 0; n < looks; n++) {
      made.clock.advance(5000);
      await made.tick();
    }
  };
  return { ...made, ran, save, indexed, reports, pass };
}

test('a job on changes is not set off by what it writes itself, seen through the real watcher', async () => {
  const { scheduler, ran, save, indexed, reports, pass } = await watchedProject();
  await scheduler.add({ when: 'on: project-changed', prompt: 'summarise', project: 'home', untrusted: false });
  // The watcher says nothing when it is ready: write until it has seen one.
  await vi.waitFor(
    async () => {
      save('plan.md', `# Plan\n\nalpha ${performance.now()}\n`);
      await vi.waitFor(() => expect(reports).toHaveBeenCalled(), { timeout: 3000 });
    },
    { timeout: 20_000 },
  );
  await pass(2);
  expect(ran).toEqual([['plan']]);
  await vi.waitFor(async () => expect(await indexed()).toContain('made by run_'), WITHIN);
  await pass(6);
  expect(ran).toEqual([['plan']]);
  save('out/summary.md', '# Summary\n\nwritten by hand\n');
  await vi.waitFor(async () => expect(await indexed()).toContain('by hand'), WITHIN);
  await pass(2);
  expect(ran).toEqual([['plan'], ['out/summary']]);
}, 60_000);

test('however many documents have changed, it is one question who wrote them', async () => {
  const statements: string[] = [];
  const store = await openTestStore(undefined, { beforeStatement: (text) => statements.push(text) });
  const writes = new JobWrites(store, () => new Date());
  const { turn } = await testScope({ store, turn: { id: 'turn_9', origin: 'schedule' } });
  const ledger = new EffectLedger({ store, turn, now: () => new Date(), runId: 'run_9' });
  await ledger.begin(WRITE_NOTE, { text: 'x' }, {});
  await writes.note(turn, './out/b.md', 'mine');
  const files = [
    { path: 'a.md', sha256: sha256('mine') },
    { path: 'b.md', sha256: sha256('mine') },
    { path: 'out/b.md', sha256: sha256('theirs') },
  ];
  statements.length = 0;
  expect(await jobRunsThatWrote(store)('home', files)).toEqual([null, 'run_9', null]);
  expect(await jobRunsThatWrote(store)('garden', files)).toEqual([null, null, null]);
  expect(statements).toHaveLength(2);
});
