import { AssistantError, messageOf } from '../../base/errors.ts';
import type { Found, ParseRequest } from './parse-thread.ts';
import { Thread } from './rpc.ts';

/**
 * The start of a process that reads files for the one that started it. The reader runs in a thread, so that the process
 * itself always sees its line being cut and is gone with its parent, however that one ended.
 */
const memoryMb = Number(process.argv[2]);
const reader = new Thread(new URL('./parse-thread.ts', import.meta.url), undefined, {
  maxOldGenerationSizeMb: memoryMb,
});

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (request: ParseRequest) => void answer(request));

async function answer(request: ParseRequest): Promise<void> {
  const found = await reader.call<Found>('read', request).catch(explained);
  process.send?.(found);
}

/** A thread that ends in the middle has reached its limit. */
function explained(error: unknown): Found {
  return { why: error instanceof AssistantError ? 'its reader ran out of memory' : messageOf(error) };
}
