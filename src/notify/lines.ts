import { AssistantError } from '../base/errors.ts';

/** Far above what any service says in one line: a file never comes this way. */
const MAX_LINE_CHARS = 1_000_000;

/**
 * A body of text that never ends, line by line.
 *
 * @throws AssistantError `not_received` for a line without end.
 */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of body) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARS)
      throw new AssistantError('not_received', 'A service sent a line without end.', { hint: 'It is tried again.' });
    for (const line of lines) yield line.replace(/\r$/u, '');
  }
}
