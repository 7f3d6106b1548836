import { AssistantError, messageOf } from '../../base/errors.ts';
import type { ParseRequest, ParseResult } from './parse-thread.ts';
import { Thread } from './rpc.ts';

/**
 * Entry point of a child process that reads files for its parent. The reader runs in a thread, so that the main thread
 * always notices when the channel closes and the process is gone with its parent, however that one ended.
 */
const memoryMb = Number(process.argv[2]);
const reader = new Thread(new URL('./parse-thread.ts', import.meta.url), undefined, {
  maxOldGenerationSizeMb: memoryMb,
});

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (request: ParseRequest) => void answer(request));

async function answer(request: ParseRequest): Promise<void> {
  const found = await reader.call<ParseResult>('read', request).catch(explained);
  process.send?.(found);
}

/** A thread that ends in the middle of a call has reached its memory limit. */
function explained(error: unknown): ParseResult {
  const why = error instanceof AssistantError ? 'its reader ran out of memory' : messageOf(error);
  return { why, reason: 'unreadable' };
}
