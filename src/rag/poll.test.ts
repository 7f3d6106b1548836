import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AssistantError } from '../base/errors.ts';
import { startDocuments } from '../testing/documents.ts';
import { temporaryFolder } from '../testing/home.ts';
import { openTestStore } from '../testing/stores.ts';
import { pollPaths } from './poll.ts';

const WITHIN = { timeout: 20_000, interval: 20 };

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A worker that polls a folder until the test ends or it is told to stop. */
function poll(dir: string, store: Awaited<ReturnType<typeof openTestStore>>, onChange = vi.fn(async () => {})) {
  const stop = new AbortController();
  const lock = () => store.lock('poll:home');
  const polling = pollPaths([dir], { signal: stop.signal, everyMs: 20, lock }, onChange);
  const end = async () => {
    stop.abort();
    await polling;
  };
  onTestFinished(end);
  return { onChange, end };
}

test('a watched folder on a shared volume is followed without events', async () => {
  const { home, documents } = await startDocuments(undefined, { sharedFolders: true, pollMs: 50 });
  const stop = new AbortController();
  const onReport = vi.fn();
  const watching = documents.watch('home', { signal: stop.signal, onReport });
  write(join(home, 'projects/home/b.md'), '# B\n\nbravo\n');
  await vi.waitFor(() => expect(onReport).toHaveBeenCalledWith(expect.objectContaining({ indexed: 1 })), WITHIN);
  write(join(home, 'projects/home/b.md'), '# B\n\nbrava\n');
  await vi.waitFor(() => expect(onReport).toHaveBeenCalledTimes(2), WITHIN);
  expect((await documents.search('home', 'brava', { k: 1 }))[0]?.file).toBe('b.md');
  stop.abort();
  await watching;
});

test('size, time, name and deletion are noticed, and nothing else', async () => {
  const [dir, store] = [temporaryFolder(), await openTestStore()];
  onTestFinished(() => store.close());
  write(join(dir, 'a.md'), 'one');
  const { onChange } = poll(dir, store);
  const called = (times: number) => vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(times), WITHIN);
  await called(1);
  write(join(dir, 'a.md'), 'longer');
  await called(2);
  utimesSync(join(dir, 'a.md'), 1, 1);
  await called(3);
  renameSync(join(dir, 'a.md'), join(dir, 'b.md'));
  await called(4);
  write(join(dir, '.draft_of_somebody'), 'not a document');
  write(join(dir, 'c.md'), 'more');
  await called(5);
});

test('of two workers one looks, and the other goes on when it has ended', async () => {
  const [dir, store] = [temporaryFolder(), await openTestStore()];
  onTestFinished(() => store.close());
  const first = poll(dir, store);
  await vi.waitFor(() => expect(first.onChange).toHaveBeenCalledTimes(1), WITHIN);
  const second = poll(dir, store);
  write(join(dir, 'a.md'), 'one');
  await vi.waitFor(() => expect(first.onChange).toHaveBeenCalledTimes(2), WITHIN);
  expect(second.onChange).not.toHaveBeenCalled();
  await first.end();
  await vi.waitFor(() => expect(second.onChange).toHaveBeenCalledTimes(1), WITHIN);
});

test('while another program writes the index, the change is kept in mind', async () => {
  const [dir, store] = [temporaryFolder(), await openTestStore()];
  onTestFinished(() => store.close());
  const busy = new AssistantError('index_busy', 'busy', { hint: '' });
  const { onChange } = poll(dir, store, vi.fn(async () => {}).mockRejectedValueOnce(busy));
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2), WITHIN);
});

test('any other failure ends the watching', async () => {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const options = { signal: new AbortController().signal, everyMs: 20, lock: () => store.lock('poll:home') };
  const fail = async () => Promise.reject(new Error('no more'));
  await expect(pollPaths([temporaryFolder()], options, fail)).rejects.toThrow('no more');
  expect(await store.lock('poll:home')).toBeDefined();
});
