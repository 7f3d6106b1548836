import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { sha256 } from '../../base/json.ts';
import { listResources, readResource } from './resources.ts';
import type { McpServer } from './server.ts';

/** A server with these answers, and the requests it got. */
function notes(answer: unknown, capabilities: object = { resources: {} }) {
  const requests: unknown[] = [];
  const client = {
    getServerCapabilities: () => capabilities,
    request: async (request: unknown, schema: z.ZodType, options: unknown) => {
      requests.push([request, options]);
      if (answer instanceof Error) throw answer;
      return schema.parse(answer);
    },
  };
  return { server: { name: 'notes', link: async () => ({ client }) } as unknown as McpServer, requests };
}

const { signal } = new AbortController();
const read = (uri: string, ...contents: object[]) => readResource(notes({ contents }).server, uri, signal);

describe('the list', () => {
  test('has what can be read by an address', async () => {
    const { server, requests } = notes({
      resources: [
        { uri: 'a://b', name: 'notes', title: 'Notes' },
        { uri: 'a://c' },
        { uri: 'a://d', name: 7 },
        { uri: 'x'.repeat(2000) },
        ...[{ uri: '' }, { name: 'no address' }, { uri: 'x'.repeat(2001) }, 7],
      ],
    });
    expect(await listResources(server)).toEqual([
      { uri: 'a://b', name: 'notes' },
      { uri: 'a://c', name: '' },
      { uri: 'a://d', name: '' },
      { uri: 'x'.repeat(2000), name: '' },
    ]);
    expect(requests).toEqual([[{ method: 'resources/list', params: {} }, { timeout: 10_000 }]]);
  });

  test('is empty where a server has none', async () => {
    const { server, requests } = notes({ resources: [{ uri: 'a://b' }] }, { tools: {} });
    expect([await listResources(server), requests]).toEqual([[], []]);
  });
});

describe('what is read', () => {
  test('is asked for by its address, for a minute, until the person stops it', async () => {
    const { server, requests } = notes({ contents: [{ text: 'a' }] });
    await readResource(server, 'a://b', signal);
    expect(requests).toEqual([
      [
        { method: 'resources/read', params: { uri: 'a://b' } },
        { signal, timeout: 60_000 },
      ],
    ]);
  });

  test.each<[what: string, contents: readonly object[], content: string | Uint8Array]>([
    ['a text', [{ text: 'one' }], 'one'],
    ['an empty text', [{ text: '' }], ''],
    ['several texts', [{ text: 'one' }, { blob: 'aGk=' }, { text: 'two' }], 'one\n\ntwo'],
    ['a file', [{ blob: 'aGk=' }, { blob: 'eA==' }], Buffer.from('hi')],
    ['nothing in it', [{}], Buffer.from('')],
  ])('is %s', async (_what, contents, content) => {
    expect((await read('a://b', ...contents)).content).toEqual(content);
  });

  test.each<[what: string, answer: unknown, why: RegExp]>([
    ['empty', { contents: [] }, /: it is empty\.$/u],
    ['of another form', { contents: 'all' }, /: .+\.$/su],
    ['refused', new Error('outer', { cause: new Error('not yours') }), /: not yours\.$/u],
  ])('and is %s is told of', async (_what, answer, why) => {
    const error = await readResource(notes(answer).server, 'a://b', signal).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AssistantError);
    expect(error).toMatchObject({
      code: 'file_not_found',
      message: expect.stringMatching(/^notes does not give a:\/\/b: /u),
      hint: '"wooster mcp resources notes" lists what it has.',
      cause: expect.any(Error),
    });
    expect((error as Error).message).toMatch(why);
  });

  test('and was stopped is no failure of its server', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(readResource(notes(new Error('gone')).server, 'a://b', stopped)).rejects.toThrow(new Error('stopped'));
  });
});

describe('its file is named', () => {
  test.each<[uri: string, stem: string, ending: string]>([
    ['file:///home/ada/boat.txt', 'boat', 'txt'],
    ['notes://all', 'all', 'md'],
    ['notes://all/', 'all', 'md'],
    ['https://a.test/b/c.HTML?x=/d.pdf#e/f', 'c', 'HTML'],
    ['https://a.test/b#c/d?e', 'b', 'md'],
    ['https://a.test/', 'a', 'test'],
    ['a.tar.gz', 'a.tar', 'gz'],
    ['a.longending', 'a.longending', 'md'],
    ['.hidden', 'hidden', 'md'],
    ['..-.a.md', 'a', 'md'],
    ['über alles (1).txt', 'über-alles--1-', 'txt'],
    ['a\\b:c', 'a-b-c', 'md'],
    ['ﬁle', 'file', 'md'],
    ['---', 'resource', 'md'],
    ['', 'resource', 'md'],
    ['x'.repeat(61), 'x'.repeat(60), 'md'],
    [`${'x'.repeat(57)}.md`, 'x'.repeat(57), 'md'],
  ])('%s', async (uri, stem, ending) => {
    expect((await read(uri, { text: '' })).fileName).toBe(`${stem}-${sha256(uri).slice(0, 6)}.${ending}`);
  });

  test.each([
    ['text/html', 'html'],
    ['text/csv', 'csv'],
    ['text/calendar', 'ics'],
    ['application/json', 'json'],
    ['application/pdf', 'pdf'],
    ['application/epub+zip', 'epub'],
    [' text/html ; charset=utf-8', 'html'],
    ['text/plain', 'txt'],
    ['', 'txt'],
  ])('by its kind: %s', async (mimeType, ending) => {
    expect((await read('a/b.txt', { mimeType, text: '' })).fileName).toMatch(
      new RegExp(`^b-[0-9a-f]{6}\\.${ending}$`, 'u'),
    );
  });
});
