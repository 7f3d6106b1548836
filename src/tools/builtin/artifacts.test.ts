import { expect, test } from 'vitest';
import { headAndTail } from '../../base/text.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { Artifacts, createArtifactTools, describeResult, readMoreNote, removeArtifacts } from './artifacts.ts';

async function shelf(project = 'home') {
  const scope = await testScope({ turn: { project } });
  const artifacts = new Artifacts(scope.store, scope.context.now);
  return { scope, artifacts, toolbox: testToolbox(createArtifactTools(artifacts), scope) };
}

test.each([['text'], [{ a: [1, 2] }], [null], [7]])('%j comes back as it was kept', async (data) => {
  const { scope, toolbox } = await shelf();
  const kept = await toolbox.call('artifact.store', { data, description: 'd' }, scope);
  const id = kept.ok ? (kept.value as { id: string }).id : '';
  expect(await toolbox.call('artifact.get', { id }, scope)).toMatchObject({ ok: true, value: data });
  expect(await toolbox.call('artifact.list', {}, scope)).toMatchObject({ value: [{ id, description: 'd' }] });
});

test('a value keeps the type that it was given', async () => {
  const { scope, toolbox } = await shelf();
  await toolbox.call('artifact.store', { data: 'a,b', description: 'table', type: 'csv' }, scope);
  expect(await toolbox.call('artifact.list', {}, scope)).toMatchObject({ value: [{ type: 'csv' }] });
});

test('what was left out before is not called the whole', () => {
  expect(readMoreNote('art_1', 'x'.repeat(9))).toContain('The whole result, 9 characters, is kept.');
  const cut = headAndTail('x'.repeat(60_000), 50_000);
  expect(readMoreNote('art_1', cut)).toContain(`Of the result, ${cut.length} characters are kept.`);
});

test('pieces follow each other and say where they are', async () => {
  const { scope, artifacts, toolbox } = await shelf();
  const id = await artifacts.keep(scope.turn, '0123456789', { description: undefined, untrusted: false });
  const first = await toolbox.call('artifact.get', { id, offset: 0, limit: 6 }, scope);
  expect(first).toMatchObject({ text: '012345\n(Characters 0 to 6 of 10. 4 more characters; read on with offset 6.)' });
  const last = await toolbox.call('artifact.get', { id, offset: 6 }, scope);
  expect(last).toMatchObject({ text: '6789\n(Characters 6 to 10 of 10. This is the end.)' });
});

test('another project sees none of it', async () => {
  const { scope, artifacts } = await shelf();
  const id = await artifacts.keep(scope.turn, 'secret', { description: undefined, untrusted: false });
  await expect(() => artifacts.get('garden', id)).rejects.toThrow('there is no artifact');
  expect(await artifacts.list('garden')).toEqual([]);
});

test('a value is as trusted as the conversation that kept it', async () => {
  const { scope, artifacts, toolbox } = await shelf();
  const own = await artifacts.keep(scope.turn, 'mine', { description: 'mine', untrusted: false });
  await toolbox.call('artifact.get', { id: own }, scope);
  await toolbox.call('artifact.list', {}, scope);
  expect(scope.labels.untrusted).toBe(false);
  const other = await artifacts.keep(scope.turn, 'theirs', { description: 'theirs', untrusted: true });
  await toolbox.call('artifact.get', { id: own }, scope);
  expect(scope.labels.untrusted).toBe(false);
  await toolbox.call('artifact.get', { id: other }, scope);
  expect(scope.labels.untrusted).toBe(true);
});

test('a value that is missing is named, with the one that was meant', async () => {
  const { scope, artifacts } = await shelf();
  await expect(artifacts.get('home', 'art_x')).rejects.toThrow(/^there is no artifact "art_x"$/u);
  const id = await artifacts.keep(scope.turn, 'x', { description: undefined, untrusted: false });
  const slip = `${id.slice(0, -1)}_`;
  await expect(artifacts.get('home', slip)).rejects.toThrow(`there is no artifact "${slip}"; did you mean "${id}"?`);
});

test('no more than 20 million characters are kept', async () => {
  const { scope, artifacts } = await shelf();
  const keep = (length: number) =>
    artifacts.keep(scope.turn, 'x'.repeat(length), { description: undefined, untrusted: false });
  await expect(keep(19_999_999)).rejects.toThrow('an artifact holds at most 20000000 characters');
  expect(await artifacts.any('home')).toBe(false);
});

test('an artifact is put back as it was, or taken away', async () => {
  const { scope, artifacts } = await shelf();
  const id = await artifacts.keep(scope.turn, { a: 1 }, { type: 'csv', description: 'd', untrusted: true });
  const other = await artifacts.keep(scope.turn, 'other', { description: undefined, untrusted: false });
  const state = await artifacts.state(id);
  expect(await artifacts.state('art_none')).toBeUndefined();
  await artifacts.putBack(id, undefined);
  expect(await artifacts.state(id)).toBeUndefined();
  await artifacts.putBack(id, state);
  expect(await artifacts.state(id)).toBe(state);
  await artifacts.putBack(id, state);
  expect(await artifacts.get('home', id)).toEqual({ a: 1 });
  expect(await artifacts.get('home', other)).toBe('other');
});

test('what may hold text of others is untrusted, and so is what is not there', async () => {
  const { scope, artifacts } = await shelf();
  const own = await artifacts.keep(scope.turn, 'x', { description: undefined, untrusted: false });
  const theirs = await artifacts.keep(scope.turn, 'x', { description: undefined, untrusted: true });
  const asked = [own, theirs, 'art_none'].map((id) => artifacts.isUntrusted('home', id));
  expect(await Promise.all(asked)).toEqual([false, true, true]);
  expect(await artifacts.isUntrusted('garden', own)).toBe(true);
  expect((await artifacts.list('home')).map(({ id, type, untrusted }) => [id, type, untrusted]).sort()).toEqual(
    [
      [own, 'text', undefined],
      [theirs, 'text', true],
    ].sort(),
  );
});

test('with a conversation, what it kept goes, and nothing else', async () => {
  const { scope, artifacts } = await shelf();
  const about = { description: undefined, untrusted: false };
  await artifacts.keep(scope.turn, 'x', about);
  const other = await artifacts.keep({ ...scope.turn, conversationId: 'conv_2' }, 'y', about);
  await removeArtifacts(scope.store, scope.turn.conversationId);
  expect((await artifacts.list('home')).map(({ id }) => id)).toEqual([other]);
});

test.each<[unknown, string]>([
  [{ path: 'a.md' }, 'result of read_file {"path":"a.md"}'],
  [undefined, 'result of read_file'],
  [{ text: 'x'.repeat(300) }, `result of read_file {"text":"${'x'.repeat(170)}…`],
])('a kept result is described by its call: %j', (args, expected) => {
  expect(describeResult('read_file', args)).toBe(expected);
});
