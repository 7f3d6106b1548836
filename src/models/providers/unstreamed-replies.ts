import { isRecord, parseJson } from '../../base/json.ts';

/**
 * A `fetch` for servers that cannot stream: asked for a stream of chat completion chunks, they answer with the whole
 * completion as JSON, which the SDK would read as an empty stream. Here it becomes a stream of one piece.
 *
 * @see https://platform.openai.com/docs/api-reference/chat-streaming
 */
export function acceptUnstreamedReplies(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok || !/^(?:application|text)\/json\b/iu.test(type) || !asksForStream(init?.body)) return response;
    const text = await response.text();
    const events = asEvents(text);
    if (events === undefined) return new Response(text, { status: response.status, headers: response.headers });
    return new Response(events, { status: response.status, headers: { 'content-type': 'text/event-stream' } });
  };
}

function asksForStream(body: unknown): boolean {
  if (typeof body !== 'string') return false;
  const parsed = parseJson(body);
  return isRecord(parsed) && parsed.stream === true && Array.isArray(parsed.messages);
}

/** The chunks that a streaming server would have sent; undefined when the text is no chat completion. */
function asEvents(text: string): string | undefined {
  const completion = parseJson(text);
  if (!isRecord(completion) || !Array.isArray(completion.choices)) return undefined;
  const { choices, ...rest } = completion;
  const chunk = { ...rest, object: 'chat.completion.chunk', choices: choices.map(asDelta) };
  return `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`;
}

function asDelta(choice: unknown): unknown {
  if (!isRecord(choice) || !isRecord(choice.message)) return choice;
  const { message, ...rest } = choice;
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : [];
  const indexed = calls.map((call: unknown, index) => (isRecord(call) ? { ...call, index } : call));
  return { ...rest, delta: { ...message, ...(indexed.length > 0 ? { tool_calls: indexed } : {}) } };
}
