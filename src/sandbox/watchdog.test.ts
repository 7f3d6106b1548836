import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { procFiles, scriptUsage } from '../testing/scripted-usage.ts';
import { ApprovalPauses } from './approval-pauses.ts';
import { DEFAULT_LIMITS, type Limits } from './contract.ts';
import { Watchdog } from './watchdog.ts';

const PID = 7;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  vi.advanceTimersByTime(5000);
  return () => void vi.useRealTimers();
});

/** A watchdog of a script that has used some time and memory before. */
function watch(limits: Partial<Limits> = {}) {
  const usage = scriptUsage('linux');
  const use = (cpuMs: number, rssMb: number) => {
    for (const [path, text] of procFiles(PID, { user: 10, system: cpuMs / 10, pages: rssMb * 256 }))
      usage.files.set(path, text);
  };
  use(400, 50);
  const pauses = new ApprovalPauses();
  const hits: string[] = [];
  const watchdog = new Watchdog({
    pid: PID,
    limits: { ...DEFAULT_LIMITS, ...limits },
    pauses,
    maxRssMb: 200,
    stop: (reason, message) => hits.push(`${reason}: ${message}`),
  });
  watchdog.start();
  onTestFinished(() => watchdog.stop());
  return { watchdog, pauses, hits, use, usage };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('time', () => {
  const late = 'timeout: Execution timed out after 300 ms';

  test('ends with the limit, and that is said once', async () => {
    const { watchdog, hits } = watch({ timeoutMs: 300 });
    watchdog.callBegins();
    await pass(300);
    expect([watchdog.elapsedMs(), hits]).toEqual([300, []]);
    await pass(20);
    expect([watchdog.elapsedMs(), hits]).toEqual([320, [late]]);
    await pass(1000);
    expect(hits).toEqual([late]);
  });

  test('stands still while somebody decides', async () => {
    const { watchdog, pauses, hits } = watch({ timeoutMs: 300 });
    watchdog.callBegins();
    await pass(100);
    const end = pauses.begin();
    await pass(5000);
    expect([watchdog.elapsedMs(), hits]).toEqual([100, []]);
    end();
    await pass(200);
    expect([watchdog.elapsedMs(), hits]).toEqual([300, []]);
    await pass(20);
    expect(hits).toEqual([late]);
  });

  test('is not measured by what was decided before', async () => {
    const pauses = new ApprovalPauses();
    const end = pauses.begin();
    await pass(900);
    end();
    const watchdog = new Watchdog({ pid: PID, limits: DEFAULT_LIMITS, pauses, maxRssMb: 200, stop: () => {} });
    await pass(30);
    expect(watchdog.elapsedMs()).toBe(30);
  });

  test('does not end while somebody decides, even after the limit', async () => {
    const { watchdog, pauses, hits } = watch({ timeoutMs: 300 });
    watchdog.callBegins();
    await pass(310);
    pauses.begin();
    await pass(5000);
    expect(hits).toEqual([]);
  });
});

describe('a script that does nothing', () => {
  const idle =
    'timeout: Execution timed out after 300 ms without any call: an endless loop, or a promise that never settles';

  test('is stopped', async () => {
    const { hits } = watch({ idleMs: 300 });
    await pass(300);
    expect(hits).toEqual([]);
    await pass(20);
    expect(hits).toEqual([idle]);
  });

  test('goes on while calls are under way, and for as long again', async () => {
    const { watchdog, hits } = watch({ idleMs: 300 });
    watchdog.callBegins();
    watchdog.callBegins();
    await pass(1000);
    watchdog.callEnds();
    await pass(1000);
    watchdog.callEnds();
    await pass(300);
    expect(hits).toEqual([]);
    await pass(20);
    expect(hits).toEqual([idle]);
  });
});

describe('what a script uses', () => {
  test('of the processor counts from its start', async () => {
    const { use, hits } = watch({ cpuMs: 1000 });
    await pass(20);
    use(1400, 50);
    await pass(40);
    expect(hits).toEqual([]);
    use(1410, 50);
    await pass(40);
    expect(hits).toEqual(['cpu: The script used more than 1000 ms of processor time']);
  });

  test('of memory may be as much as is given', async () => {
    const { use, hits } = watch({ memoryMb: 96 });
    use(400, 200);
    await pass(40);
    expect(hits).toEqual([]);
    use(400, 201);
    await pass(40);
    expect(hits).toEqual(['memory: The script used more than 96 MB of memory']);
  });

  test('is looked at from the start, again and again', async () => {
    const { use, hits } = watch();
    use(400, 201);
    await pass(0);
    expect(hits).toEqual([]);
    await pass(40);
    expect(hits).toHaveLength(1);
  });

  test('is nothing once its process is gone', async () => {
    const { usage, hits } = watch();
    usage.files.clear();
    await pass(200);
    expect(hits).toEqual([]);
  });

  test('is not asked for again before the answer is there', async () => {
    const { usage } = watch();
    await pass(0);
    vi.spyOn(process, 'platform', 'get').mockReturnValue('darwin');
    usage.ps = undefined;
    await pass(1000);
    expect(usage.asked).toHaveLength(1);
  });

  test('is asked for again after each answer', async () => {
    const { usage } = watch();
    await pass(0);
    vi.spyOn(process, 'platform', 'get').mockReturnValue('darwin');
    usage.ps = '512 0:00';
    await pass(1000);
    expect(usage.asked.length).toBeGreaterThan(1);
  });

  test('after it is over is not looked at', async () => {
    const { watchdog, use, hits } = watch({ timeoutMs: 100, idleMs: 100 });
    use(400, 201);
    watchdog.stop();
    await pass(500);
    expect(hits).toEqual([]);
  });
});
