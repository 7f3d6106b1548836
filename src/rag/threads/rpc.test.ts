import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { Thread, type ThreadLimits } from './rpc.ts';

const at = (path: string) => JSON.stringify(join(import.meta.dirname, path));

/** A thread whose handlers and closing are `served`, the arguments of `serve`. */
function threadOf(served: string, limits: ThreadLimits = {}) {
  const home = temporaryFolder();
  const file = join(home, 'start.ts');
  const source = `
    import { writeFileSync } from 'node:fs';
    import { DatabaseSync } from 'node:sqlite';
    import { setTimeout } from 'node:timers/promises';
    import { workerData } from 'node:worker_threads';
    import { serve } from ${at('rpc.ts')};
    const done = (name) => writeFileSync(workerData + '/' + name, '');
    const ended = (signal) => new Promise((resolve) => signal.addEventListener('abort', resolve));
    ${served}`;
  writeFileSync(file, source);
  const thread = new Thread(pathToFileURL(file), home, limits);
  onTestFinished(() => thread.stop());
  return { thread, did: (name: string) => existsSync(join(home, name)) };
}

test('a thread that is to end completes what runs, closes what it holds and goes by itself', async () => {
  const { thread, did } = threadOf(`
    const sql = new DatabaseSync(workerData + '/w.sqlite3');
    sql.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (n)');
    process.on('exit', () => done('left'));
    serve({
      count: async (n) => {
        for (let i = 0; i < n; i++) { sql.prepare('INSERT INTO t VALUES (?)').run(i); await setTimeout(5); }
        return sql.prepare('SELECT count(*) AS n FROM t').get().n;
      },
    }, async () => { await setTimeout(20); sql.close(); done('closed'); });`);
  const counted = thread.call('count', 20);
  await thread.stop();
  expect(await counted).toBe(20);
  expect(did('closed') && did('left')).toBe(true);
  expect(did('w.sqlite3-wal')).toBe(false);
});

test('work that heeds the end is given up at its safe point and its caller is told', async () => {
  const { thread, did } = threadOf(`
    serve({ wait: async (_, { ending, signal }) => {
      await Promise.all([ended(ending), ended(signal)]);
      done('safe');
      throw ending.reason;
    } });`);
  const waiting = expect(thread.call('wait', undefined)).rejects.toMatchObject({
    code: 'index_unavailable',
    message: 'The document store was closed.',
  });
  await thread.stop();
  await waiting;
  expect(did('safe')).toBe(true);
});

test('a call that its caller gives up leaves the other calls and the thread alone', async () => {
  const { thread } = threadOf(`
    serve({
      wait: async (_, { ending, signal }) => { await ended(signal); return ending.aborted; },
      echo: (text) => text,
    });`);
  const cancel = new AbortController();
  const waiting = thread.call('wait', undefined, { signal: cancel.signal });
  expect(await thread.call('echo', 'first')).toBe('first');
  cancel.abort();
  expect(await waiting).toBe(false);
  expect(await thread.call('echo', 'second')).toBe('second');
});

test('a thread that does not end within its limit is cut off, and its caller is told', async () => {
  const { thread } = threadOf(`serve({ hang: () => { for (;;); }, echo: (text) => text });`, { endWithinMs: 100 });
  await thread.call('echo', '');
  const hanging = expect(thread.call('hang', undefined)).rejects.toMatchObject({ code: 'index_unavailable' });
  await thread.stop();
  await hanging;
});

test('a stopped thread takes no more calls; one that died starts again', async () => {
  const { thread } = threadOf('serve({ echo: (text) => text, die: () => process.exit(1) });');
  expect(await thread.call('echo', 'one')).toBe('one');
  await expect(thread.call('die', undefined)).rejects.toMatchObject({ code: 'index_unavailable' });
  expect(await thread.call('echo', 'two')).toBe('two');
  await thread.stop();
  await expect(thread.call('echo', 'three')).rejects.toMatchObject({ code: 'index_unavailable' });
});

test('a thread takes its code from the cache that the program keeps it in', async () => {
  const { thread } = threadOf(`
    const { getCompileCacheDir } = await import('node:module');
    serve({ cache: () => getCompileCacheDir() });`);
  expect(await thread.call('cache', undefined)).toContain(process.env.NODE_COMPILE_CACHE);
});

/** A process that ends a thread in the midst of native calls, `rounds` times. Cut off there, the addon aborts it. */
function endingsAmongNativeCalls(home: string, rounds: number): string {
  const served = `
    import { HnswGraph } from ${at('../index/hnsw-graph.ts')};
    import { pause } from ${at('../index/pause.ts')};
    import { serve } from ${at('rpc.ts')};
    serve({ build: async (_, { ending, progress }) => {
      const graph = await HnswGraph.create(16, 2000);
      for (let id = 0; ; id = (id + 1) % 2000) {
        graph.add(id, Float32Array.from({ length: 16 }, Math.random));
        if (id % 100 !== 0) continue;
        await graph.save(${JSON.stringify(join(home, 'graph.hnsw'))});
        progress(id);
        await pause(ending);
      }
    } });`;
  writeFileSync(join(home, 'build.ts'), served);
  return `
    const { Thread } = await import(${at('rpc.ts')});
    const { setTimeout } = await import('node:timers/promises');
    for (let round = 0; round < ${rounds}; round++) {
      const thread = new Thread(new URL(${JSON.stringify(pathToFileURL(join(home, 'build.ts')))}), undefined);
      let begun;
      const building = new Promise((resolve) => { begun = resolve; });
      const told = thread.call('build', undefined, { onProgress: begun }).catch(({ code }) => code);
      await building;
      await setTimeout(Math.random() * 10);
      await thread.stop();
      console.log(await told);
    }`;
}

test('no native call is cut off by the end of its thread', () => {
  const rounds = 10;
  const source = endingsAmongNativeCalls(temporaryFolder(), rounds);
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' });
  expect(child).toMatchObject({ status: 0, signal: null, stderr: '' });
  expect(child.stdout).toBe('index_unavailable\n'.repeat(rounds));
});
