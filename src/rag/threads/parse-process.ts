import { AssistantError, messageOf } from '../../base/errors.ts';
import type { Failed, LookRequest, LookResult, ParseRequest, ParseResult } from './parse-thread.ts';
import { Thread } from './rpc.ts';

/**
 * Entry point of a child process that reads files for its parent. The reader runs in a thread, so that the main thread
 * always notices when the channel closes and the process is gone with its parent, however that one ended.
 */
const WATCH_MS = 50;
/** Of reading pictures; the program itself needs some 150 MB beside it. */
const MOST_LOOKING_BYTES = 450_000_000;

const memoryMb = Number(process.argv[2]);
const reader = new Thread(new URL('./parse-thread.ts', import.meta.url), undefined, {
  maxOldGenerationSizeMb: memoryMb,
});

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (request: ParseRequest | LookRequest) => void answer(request));

async function answer(request: ParseRequest | LookRequest): Promise<void> {
  const watch = 'pages' in request ? setInterval(endIfTooLarge, WATCH_MS) : undefined;
  const method = 'pages' in request ? 'look' : 'read';
  const found = await reader.call<ParseResult | LookResult>(method, request).catch(explained);
  clearInterval(watch);
  process.send?.(found);
}

/** What decodes pictures takes memory that is not V8's. Whoever asked sees the process end, and says so. */
function endIfTooLarge(): void {
  if (process.memoryUsage.rss() > MOST_LOOKING_BYTES) process.kill(process.pid, 'SIGKILL');
}

/** A thread that ends in the middle of a call has reached its memory limit. */
function explained(error: unknown): Failed {
  const why = error instanceof AssistantError ? 'its reader ran out of memory' : messageOf(error);
  return { why, reason: 'unreadable' };
}
