import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';
import { FACTS } from '../../testing/memory-facts.ts';
import { webServer } from '../../testing/web-server.ts';

const PRIVATE = 'The ramipril is in the drawer';

/** A toy embedding model: words about the heart are one dimension, each letter is another. */
function vectorOf(text: string): number[] {
  const letters = Array.from({ length: 26 }, (_, at) => text.toLowerCase().split(String.fromCharCode(97 + at)).length);
  return [/ramipril|hypertension/u.test(text) ? 60 : 0, ...letters.map((count) => count - 1)];
}

async function scene() {
  const state = { fails: false };
  const server = await webServer(
    (() => (_request, response) => {
      const { input = [] } = JSON.parse(server.received.at(-1)?.body ?? '{}') as { input?: string | string[] };
      const data = [input].flat().map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
      response.writeHead(state.fails ? 400 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(state.fails ? { error: 'no' } : { object: 'list', model: 'm', data, usage: {} }));
    })() satisfies RequestListener,
  );
  const embeddings = { enabled: true, serverUrl: `${server.origin}/v1`, projects: { model: 'm' } };
  const commands = await openCommands({ config: { routing: { providers: { local: { embeddings } } } } });
  const tell = (facts: readonly string[]) =>
    writeFileSync(join(commands.home, 'memory.md'), facts.map((fact) => `- ${fact}\n`).join(''));
  const asked = () => server.received.flatMap(({ body }) => [JSON.parse(body).input].flat() as string[]);
  const find = async () =>
    (await commands.app.knowledge.memory.search('my hypertension', 'home')).map(({ text }) => text);
  return { ...commands, state, tell, asked, find };
}

test('a fact without a word of the question is found by the embedding model, which sees each fact once', async () => {
  const { app, tell, asked, find } = await scene();
  tell([...FACTS.map(([fact]) => fact), PRIVATE]);
  expect((await find())[0]).toBe(PRIVATE);
  expect((await app.knowledge.memory.forPrompt({ text: 'my hypertension', project: 'home' })).lines).toContain(
    `- ${PRIVATE}`,
  );
  expect(asked().filter((text) => text === PRIVATE)).toHaveLength(1);
});

test('a model that fails is left alone, and words find what they can', async () => {
  const { state, tell, asked, find, app } = await scene();
  state.fails = true;
  tell([...FACTS.map(([fact]) => fact), PRIVATE]);
  expect(await find()).not.toContain(PRIVATE);
  const before = asked().length;
  expect((await app.knowledge.memory.search('who is my dentist?', 'home'))[0]?.text).toContain('Flannery');
  expect(asked()).toHaveLength(before);
});

test('nobody waits for a model where every fact is told anyway', async () => {
  const { app, tell, asked } = await scene();
  tell([PRIVATE, 'I live in Galway']);
  expect((await app.knowledge.memory.forPrompt({ text: 'my hypertension', project: 'home' })).lines).toHaveLength(3);
  expect(asked()).toEqual([]);
});
