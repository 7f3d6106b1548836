/** One event of a stream. */
export interface SentEvent {
  /** '' without one. */
  readonly id: string;
  readonly data: string;
}

/**
 * The events of an answer as they come, until it ends or is cut off. `EventSource` does the same, and sends nothing by
 * which the door knows this page.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export async function* sentEvents({ body }: Response): AsyncGenerator<SentEvent> {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const event = eventOf(part);
      if (event.data !== '') yield event;
    }
  }
}

function eventOf(part: string): SentEvent {
  const fields = part.split('\n').map((line) => /^(?<name>\w+): ?(?<value>.*)$/u.exec(line)?.groups ?? {});
  const all = (name: string) => fields.filter((field) => field.name === name).map(({ value = '' }) => value);
  return { id: all('id').at(-1) ?? '', data: all('data').join('\n') };
}
