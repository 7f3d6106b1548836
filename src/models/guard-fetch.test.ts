import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { guardFetch, ModelHttpError } from './guard-fetch.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const MAX_BYTES = 10;
const MAX_ERROR_BYTES = 64 * 1024;

/** What a caller gets from one answer, and what the watcher was told. */
async function guarded(answer: Response) {
  const told: unknown[] = [];
  const watch = { onActivity: () => told.push('active'), onFault: (fault: ModelHttpError) => told.push(fault) };
  const result = await guardFetch(
    async () => answer,
    () => watch,
    MAX_BYTES,
  )('http://m.example')
    .then((response) => response.text())
    .catch((error: unknown) => error);
  return { result, told };
}

async function fault(answer: Response) {
  const { result } = await guarded(answer);
  return result instanceof ModelHttpError ? { ...result, message: result.message } : result;
}

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'application/vnd.api+json',
  'application/x-ndjson',
  'application/jsonl',
  'text/event-stream',
  'text/json',
  'Text/JSON',
])('an answer of %s is passed on, and each part of it is a sign of life', async (type) => {
  const response = new Response('{"a":1}', { headers: { 'content-type': type } });
  expect(await guarded(response)).toEqual({ result: '{"a":1}', told: ['active', 'active'] });
});

test('status and headers are passed on, also where there is no body', async () => {
  const watch = { onActivity() {}, onFault() {} };
  const inner = async () => new Response(null, { status: 201, headers: { ...JSON_TYPE, 'x-request-id': 'r1' } });
  const response = await guardFetch(inner, () => watch, MAX_BYTES)('http://m.example');
  expect([response.status, response.headers.get('x-request-id'), await response.text()]).toEqual([201, 'r1', '']);
});

test.each([
  ['text/html', 'text/html: <p>hi'],
  ['text/jsonish', 'text/jsonish: <p>hi'],
  ['application/xml', 'application/xml: <p>hi'],
  ['my application/json', 'my application/json: <p>hi'],
])('%s is no answer of a model', async (type, body) => {
  const response = new Response('<p>hi', { headers: { 'content-type': type } });
  expect(await fault(response)).toEqual({
    ...{ name: 'ModelHttpError', fault: 'content_type', status: 200, retryAfterMs: undefined, body },
    message: 'model server answered: content_type 200',
  });
});

test('nor is what names no type', async () => {
  const response = new Response(new TextEncoder().encode('hi'));
  expect(await fault(response)).toMatchObject({ fault: 'content_type', body: 'no content type: hi' });
});

test('a bad status is told to the watcher before any client reads it', async () => {
  const { result, told } = await guarded(new Response('{"error":"busy"}', { status: 503, headers: JSON_TYPE }));
  expect(result).toMatchObject({ fault: 'status', status: 503, body: '{"error":"busy"}' });
  expect(told).toEqual(['active', result]);
});

test.each([
  ['1234567890', '1234567890'],
  ['12345678901', expect.objectContaining({ fault: 'too_large', status: 200, body: '', retryAfterMs: undefined })],
])('%s, where ten bytes are allowed', async (text, expected) => {
  const { result, told } = await guarded(new Response(text, { headers: JSON_TYPE }));
  expect(result).toEqual(expected);
  expect(told).toEqual(result === text ? ['active', 'active'] : ['active', 'active', result]);
});

describe('the wait that a server asks for', () => {
  test.each([
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after-ms': '0' }, 0],
    [{ 'retry-after-ms': '-5' }, 0],
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after-ms': 'soon', 'retry-after': '7' }, 7000],
    [{ 'retry-after': ' 0.5 ' }, 500],
    [{ 'retry-after': '-1' }, 0],
    [{ 'retry-after': 'Fri, 20 Nov 2026 10:00:05 GMT' }, 5000],
    [{ 'retry-after': 'Fri, 20 Nov 2026 09:59:00 GMT' }, 0],
    [{ 'retry-after': 'later' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{}, undefined],
  ])('%j', async (headers: Record<string, string>, retryAfterMs) => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-20T10:00:00Z'));
    onTestFinished(() => clock.mockRestore());
    const response = new Response('busy', { status: 429, headers });
    expect(await fault(response)).toMatchObject({ status: 429, retryAfterMs });
  });
});

describe('of the page that says what is wrong', () => {
  const page = (...parts: readonly (string | Error)[]) => {
    const left = [...parts];
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      const next = left.shift();
      if (next === undefined) return controller.close();
      if (next instanceof Error) return controller.error(next);
      controller.enqueue(Buffer.from(next));
    };
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }), { status: 500 });
  };

  test('the pieces are put together', async () => {
    expect(await fault(page('über', 'lastet'))).toMatchObject({ body: 'überlastet' });
    expect(await fault(new Response(null, { status: 500 }))).toMatchObject({ body: '' });
  });

  test('what arrived until the connection broke is kept', async () => {
    expect(await fault(page('over', new Error('reset')))).toMatchObject({ fault: 'status', body: 'over' });
  });

  test('no more is read once it is too long', async () => {
    const full = 'x'.repeat(MAX_ERROR_BYTES);
    expect(await fault(page(full, 'y', 'z'))).toMatchObject({ body: `${full}y` });
  });
});
