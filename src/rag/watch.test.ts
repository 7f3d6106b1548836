import fs, { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AssistantError } from '../base/errors.ts';
import { temporaryFolder } from '../testing/home.ts';
import { watchPaths } from './watch.ts';

const WITHIN = { timeout: 20_000 };

/** Watch a folder by events, and write into it until one has come. */
async function watched(onChange: () => Promise<void>) {
  const [dir, stop] = [temporaryFolder(), new AbortController()];
  const options = { shared: false, everyMs: 1000, lock: async () => undefined };
  const ended = watchPaths([dir], stop.signal, onChange, options);
  onTestFinished(() => stop.abort());
  const failed = ended.catch(() => undefined);
  await vi.waitFor(async () => {
    writeFileSync(join(dir, 'a.md'), `# A\n\nalpha ${performance.now()}\n`);
    await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), { timeout: 3000 });
  }, WITHIN);
  return { ended, failed, stop };
}

test('while another program writes the index, a change is kept in mind', async () => {
  const busy = new AssistantError('index_busy', 'busy', { hint: '' });
  let refused = 0;
  let done = 0;
  const onChange = vi.fn(async () => {
    if (refused++ < 2) throw busy;
    done++;
  });
  const { ended, stop } = await watched(onChange);
  await vi.waitFor(() => expect(done).toBeGreaterThan(0), WITHIN);
  stop.abort();
  await ended;
});

/** Watch a folder, and what has been told so far. */
async function watching(everyMs: number) {
  const [dir, stop, blind] = [temporaryFolder(), new AbortController(), [] as string[]];
  const onChange = vi.fn(async () => {});
  const onBlind = (why: Error) => void blind.push(why.message);
  const options = {
    shared: false,
    everyMs,
    lock: async () => ({ lost: stop.signal, confirm: async () => {}, [Symbol.asyncDispose]: async () => {} }),
  };
  const ended = watchPaths([dir], stop.signal, onChange, { ...options, onBlind });
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return { dir, blind, onChange };
}

test('where the system has no more watches, the folder is polled', async () => {
  const { watch } = fs;
  fs.watch = () => {
    throw Object.assign(new Error('ENOSPC: no more watches'), { code: 'ENOSPC' });
  };
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.watch = watch;
    syncBuiltinESMExports();
  });
  const { dir, blind, onChange } = await watching(20);
  // Polling begins with a look of its own.
  await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), WITHIN);
  onChange.mockClear();
  writeFileSync(join(dir, 'a.md'), 'alpha');
  await vi.waitFor(() => expect(onChange).toHaveBeenCalled(), WITHIN);
  expect(blind).toEqual(['ENOSPC: no more watches']);
});

test('what changed while the machine slept is looked for when it wakes', async () => {
  const { onChange } = await watching(50);
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  // Several events in a row count as one, so a sleep has to be over for a while.
  await vi.waitFor(
    () => {
      vi.setSystemTime(Date.now() + 3_600_000);
      expect(onChange).toHaveBeenCalled();
    },
    { ...WITHIN, interval: 1000 },
  );
});

test('any other failure ends the watching', async () => {
  const { ended } = await watched(vi.fn(async () => Promise.reject(new Error('no more'))));
  await expect(ended).rejects.toThrow('no more');
});
