import { writeFileSync } from 'node:fs';
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

test('any other failure ends the watching', async () => {
  const { ended } = await watched(vi.fn(async () => Promise.reject(new Error('no more'))));
  await expect(ended).rejects.toThrow('no more');
});
