/** One event of a stream. */
export interface ServerEvent {
  /** Empty where it has none. */
  readonly id: string;
  readonly data: string;
}

/** More than any event of ours has: a server that never ends one must not fill the memory. */
const MAX_CHARS = 8 * 1024 * 1024;

/** The events of a stream; comments are left out. @see https://html.spec.whatwg.org/multipage/server-sent-events.html */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of body) {
    text += decoder.decode(part, { stream: true }).replaceAll('\r', '');
    if (text.length > MAX_CHARS) throw new Error('an event of the server does not end');
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = block.split('\n');
      const data = lines.flatMap((line) => valuesOf(line, 'data'));
      if (data.length > 0)
        yield { id: lines.flatMap((line) => valuesOf(line, 'id')).at(-1) ?? '', data: data.join('\n') };
    }
  }
}

function valuesOf(line: string, field: string): string[] {
  return line.startsWith(`${field}:`) ? [line.slice(field.length + 1).replace(/^ /u, '')] : [];
}
