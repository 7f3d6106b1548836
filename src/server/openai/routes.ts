import { type Context, Hono } from 'hono';
import type { SSEStreamingApi } from 'hono/streaming';
import type { Answer } from '../../base/turn.ts';
import { readJson } from '../http/api.ts';
import { type Entered, type Entry, mayEnter } from '../http/entry.ts';
import { Refused } from '../http/problem.ts';
import { openStream } from '../http/streams.ts';
import { RecentExchanges } from './about-a-chat.ts';
import { type AnswerParts, modelNames, Outcome, type Ready, ready } from './answer.ts';
import { type Asked, chatAsked, responseAsked } from './asked.ts';
import { ChatShape, ResponseShape, type SentEvent, type Shape } from './shapes.ts';
import { StreamedAnswer } from './streamed-answer.ts';

type Ctx = Context<Entered>;

/** Which conversation a request of the chat endpoint goes on with. */
const CONVERSATION = 'x-wooster-conversation';
const MAX_ID_CHARS = 100;
const ID = /^[\w.-]+$/u;

/** `/v1`: the protocol of OpenAI, as far as chats need it. A client gets answers and never calls for its own tools. */
export function openAiRoutes(given: Omit<AnswerParts, 'recent'> & { readonly entry: Entry }): Hono<Entered> {
  const parts: AnswerParts = { ...given, recent: new RecentExchanges() };
  const enter = mayEnter('openai', given.entry);
  const created = nowSeconds();
  const listed = (id: string) => ({ id, object: 'model', created, owned_by: 'wooster' });
  return new Hono<Entered>()
    .get('/models', enter, (c) => c.json({ object: 'list', data: modelNames(parts).map(listed) }))
    .get('/models/:id{.+}', enter, (c) => {
      const id = modelNames(parts).find((name) => name === c.req.param('id'));
      if (id === undefined) throw new Refused(404, 'model_not_found', `There is no model "${c.req.param('id')}".`);
      return c.json(listed(id));
    })
    .post('/chat/completions', enter, async (c) => {
      const asked = chatAsked(await readJson(c.req.raw), conversationOf(c));
      return answer(c, parts, asked, ({ id }) => new ChatShape(shapeOf(id, asked), asked.usageInStream));
    })
    .post('/responses', enter, async (c) => {
      const asked = responseAsked(await readJson(c.req.raw), conversationOf(c));
      const shape = ({ id, conversationId }: Ready) =>
        new ResponseShape({ ...shapeOf(id, asked), conversation: conversationId });
      return answer(c, parts, asked, shape);
    });
}

const nowSeconds = () => Math.floor(Date.now() / 1000);

function shapeOf(id: string, { model }: Asked) {
  return { key: id.replace('turn_', ''), model, created: nowSeconds() };
}

function conversationOf(c: Ctx): string | undefined {
  const id = c.req.header(CONVERSATION);
  if (id === undefined || (ID.test(id) && id.length <= MAX_ID_CHARS)) return id;
  throw new Refused(400, 'bad_conversation', `${CONVERSATION} must be an id.`);
}

async function answer(c: Ctx, parts: AnswerParts, asked: Asked, shape: (ready: Ready) => Shape): Promise<Response> {
  const prepared = await ready(parts, asked, c.get('device').id, c.req.raw.signal);
  if (asked.ignored.length > 0) c.header('x-wooster-ignored', inHeader(asked.ignored.join(', ')));
  return asked.stream ? streamed(c, prepared, shape(prepared)) : whole(c, prepared, shape(prepared));
}

const MAX_HEADER_CHARS = 1000;
const inHeader = (text: string) => text.replace(/[^\x20-\x7e]/gu, '?').slice(0, MAX_HEADER_CHARS);

async function whole(c: Ctx, prepared: Ready, shape: Shape): Promise<Response> {
  const outcome = new Outcome();
  const answer = await prepared.run({ signal: c.req.raw.signal, show: (event) => outcome.show(event) });
  const trouble = outcome.trouble(answer);
  if (!trouble) return c.json(shape.whole(answer));
  // Clients repeat what fails on the side of a server, and what was done already would be done again.
  c.header('x-should-retry', 'false');
  return c.json({ error: { ...trouble, type: 'invalid_request_error', param: null } }, 400);
}

function streamed(c: Ctx, prepared: Ready, shape: Shape): Response {
  return openStream(c, async (stream, signal) => {
    const sent = new SentText((events) => writeAll(stream, events), shape);
    await writeAll(stream, shape.begin());
    const outcome = new Outcome();
    const text = new StreamedAnswer();
    const answer = await prepared.run({
      signal,
      show: (event) => {
        outcome.show(event);
        if (event.type === 'token') sent.add(text.token(event.text));
        else if (STARTS_OVER.has(event.type)) text.restart();
      },
    });
    await finish(stream, { answer, outcome, text, sent, shape });
  });
}

/** What follows is no continuation of the words so far. */
const STARTS_OVER: ReadonlySet<string> = new Set(['call', 'code', 'retry', 'fallback']);

interface Finish {
  readonly answer: Answer;
  readonly outcome: Outcome;
  readonly text: StreamedAnswer;
  readonly sent: SentText;
  readonly shape: Shape;
}

async function finish(stream: SSEStreamingApi, { answer, outcome, text, sent, shape }: Finish): Promise<void> {
  const trouble = outcome.trouble(answer);
  if (!trouble) sent.add(text.end(answer.text));
  await sent.written();
  await writeAll(stream, trouble ? shape.trouble(trouble) : shape.end({ ...answer, text: sent.text }));
}

async function writeAll(stream: SSEStreamingApi, events: readonly SentEvent[]): Promise<void> {
  for (const event of events) await stream.writeSSE(event);
}

/** Text on its way: what comes while the client is slow goes out as one piece. */
class SentText {
  readonly #write: (events: readonly SentEvent[]) => Promise<void>;
  readonly #shape: Shape;
  #waiting = '';
  #writing: Promise<void> | undefined;
  text = '';

  constructor(write: (events: readonly SentEvent[]) => Promise<void>, shape: Shape) {
    this.#write = write;
    this.#shape = shape;
  }

  add(text: string): void {
    this.text += text;
    this.#waiting += text;
    if (this.#waiting !== '') this.#writing ??= this.#drain();
  }

  /** Everything so far has gone out. */
  async written(): Promise<void> {
    await this.#writing;
  }

  async #drain(): Promise<void> {
    while (this.#waiting !== '') {
      const text = this.#waiting;
      this.#waiting = '';
      await this.#write(this.#shape.delta(text));
    }
    this.#writing = undefined;
  }
}
