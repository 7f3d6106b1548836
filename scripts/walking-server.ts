import { createServer, type IncomingMessage, type Server } from 'node:http';
import { z } from 'zod';

const request = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.unknown() }).loose()),
  stream: z.boolean().optional(),
});

type Request = z.infer<typeof request>;

/**
 * An OpenAI-compatible server whose model counts sheep field by field: it reads ten lines of fields.txt, notes the
 * field down and goes on. It keeps nothing between requests, so whatever it knows is in what Wooster sent.
 */
export function startWalkingServer(fields: number): Promise<{ url: string; server: Server }> {
  const server = createServer(async (incoming, outgoing) => {
    const asked = incoming.method === 'GET' ? undefined : request.parse(JSON.parse(await bodyOf(incoming)));
    outgoing.setHeader('content-type', asked?.stream ? 'text/event-stream' : 'application/json');
    if (!asked) return outgoing.end(JSON.stringify({ data: [{ id: 'walker' }] }));
    if (!asked.stream) return outgoing.end(JSON.stringify(wholeReply(asked)));
    for (const chunk of chunksOf(asked, fields)) outgoing.write(`data: ${JSON.stringify(chunk)}\n\n`);
    return outgoing.end('data: [DONE]\n\n');
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      resolve({ url: `http://127.0.0.1:${port}/v1`, server });
    });
  });
}

/** Summaries are asked for in one piece. */
function wholeReply(asked: Request): unknown {
  const message = { role: 'assistant', content: summary(reachedIn(textOf(asked))) };
  return { choices: [{ index: 0, message, finish_reason: 'stop' }] };
}

function textOf(asked: Request): string {
  return asked.messages.map(({ content }) => JSON.stringify(content)).join('\n');
}

function reachedIn(text: string): number {
  return Math.max(0, ...[...text.matchAll(/field (\d+): sheep/gu)].map((match) => Number(match[1])));
}

function* chunksOf(asked: Request, fields: number): Generator<unknown> {
  const reached = reachedIn(textOf(asked));
  const done = reached >= fields;
  if (done) yield words(`Done: all ${fields} fields are counted and noted.`);
  else yield* calls(reached + 1);
  yield { choices: [{ index: 0, delta: {}, finish_reason: done ? 'stop' : 'tool_calls' }] };
}

function* calls(field: number): Generator<unknown> {
  const wanted = [
    { name: 'read_file', arguments: { path: 'fields.txt', offset: field * 10 - 9, limit: 10 } },
    { name: 'write_note', arguments: { text: `Counted field ${field}.` } },
  ];
  for (const [index, call] of wanted.entries()) {
    const delta = {
      index,
      id: `call_${field}_${index}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    };
    yield { choices: [{ index: 0, delta: { role: 'assistant', tool_calls: [delta] } }] };
  }
}

function summary(reached: number): string {
  const done = Array.from({ length: reached }, (_, index) => `| ${index + 1} | read and noted |`).slice(-3);
  return `## Task
Count the sheep in every field of fields.txt, ten lines each, and note each field down.
## Work done
| Step | Result |
|---|---|
${done.join('\n')}
## Decisions
Ten lines are one field. The last one read: field ${reached}: sheep counted.
## Current state
Fields 1 to ${reached} are noted.
## Open work
- [ ] field ${reached + 1} and those after it
## Errors
None.`;
}

function words(text: string): unknown {
  return { choices: [{ index: 0, delta: { role: 'assistant', content: text } }] };
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}
