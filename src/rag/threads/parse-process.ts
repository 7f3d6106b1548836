import { AssistantError, messageOf } from '../../base/errors.ts';
import { OUT_OF_TIME } from './out-of-time.ts';
import type { Failed, LookResult, ParseResult, ReaderRequest, ShowResult } from './parse-thread.ts';
import { Thread } from './rpc.ts';

/**
 * Entry point of a child process that reads files for its parent. The reader runs in a thread, so that the main thread
 * always notices when the channel closes and the process is gone with its parent, however that one ended.
 */
const WATCH_MS = 50;
/** Of reading pictures; the program itself needs some 150 MB beside it. */
const MOST_LOOKING_BYTES = 450_000_000;

const [memoryMb = 0, workMs = 0] = process.argv.slice(2).map(Number);
const reader = new Thread(new URL('./parse-thread.ts', import.meta.url), undefined, {
  maxOldGenerationSizeMb: memoryMb,
});

process.on('disconnect', () => end('SIGKILL'));
process.on('message', (request: ReaderRequest) => void answer(request));

async function answer(request: ReaderRequest): Promise<void> {
  const before = process.cpuUsage();
  const isLate = () => workedMs(before) > workMs;
  const late: Failed = { why: `took longer than ${workMs} ms to read`, reason: 'unreadable' };
  const watch = setInterval(() => {
    // What decodes pictures takes memory that is not V8's. Whoever asked sees the process end, and says so.
    if (request.method !== 'read' && process.memoryUsage.rss() > MOST_LOOKING_BYTES) end('SIGKILL');
    if (isLate()) end(OUT_OF_TIME);
  }, WATCH_MS);
  const found = await reader.call<ParseResult | LookResult | ShowResult>(request.method, request).catch(explained);
  clearInterval(watch);
  process.send?.(isLate() ? late : found);
}

/** Of all threads. Time in which other programs had the processor is not counted: a busy machine is no bad file. */
function workedMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function end(signal: NodeJS.Signals): void {
  process.kill(process.pid, signal);
}

/** A thread that ends in the middle of a call has reached its memory limit. */
function explained(error: unknown): Failed {
  const why = error instanceof AssistantError ? 'its reader ran out of memory' : messageOf(error);
  return { why, reason: 'unreadable' };
}
