import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { openTestStore } from '../../testing/stores.ts';
import { FileVersions } from './file-versions.ts';
import { createListTools } from './lists.ts';
import { ProjectFiles } from './project-files.ts';

async function lists() {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const root = temporaryFolder();
  const folderOf = (project: string) => join(root, project);
  mkdirSync(folderOf('home'));
  const versions = new FileVersions({ store, folderOf, now: () => new Date(), limits: { days: 90, megabytes: 200 } });
  const files = new ProjectFiles({ folderOf, store, versions });
  const scope = await testScope();
  const toolbox = testToolbox(createListTools(files), scope);
  const call = async (name: string, input: object) => {
    const result = await toolbox.call(name, input, scope);
    return result.ok ? result.value : result.error;
  };
  return { call, versions, path: join(folderOf('home'), 'lists', 'shopping.md') };
}

test('an item is found however its umlauts are written', async () => {
  const { call } = await lists();
  await call('change_list', { list: 'shopping', add: ['spuelmittel', 'Käse'] });
  expect(await call('change_list', { list: 'shopping', tick: ['Spülmittel'] })).toMatchObject({
    ticked: ['spuelmittel'],
  });
  expect(await call('change_list', { list: 'shopping', remove: ['kaese'] })).toMatchObject({ removed: ['Käse'] });
});

test('a list is known by a part of its name where no other has it', async () => {
  const { call } = await lists();
  await call('change_list', { list: 'ski trip', add: ['gloves'] });
  expect(await call('change_list', { list: 'ski', add: ['wax'] })).toMatchObject({ list: 'ski trip', added: ['wax'] });
  expect(await call('show_lists', { list: 'ski' })).toMatchObject([{ list: 'ski trip' }]);
  await call('change_list', { list: 'ski club', add: ['fees'] });
  expect(await call('change_list', { list: 'ski', clear: true })).toMatchObject({ list: 'ski', removed: [] });
  expect(await call('change_list', { list: 'packing', add: ['hat'] })).toMatchObject({ list: 'packing' });
});

test('a list is known by what its name is put together with', async () => {
  const { call } = await lists();
  await call('change_list', { list: 'weihnachtsgeschenke', add: ['Puzzle'] });
  expect(await call('change_list', { list: 'geschenke', tick: ['Puzzle'] })).toMatchObject({
    list: 'weihnachtsgeschenke',
    ticked: ['Puzzle'],
  });
  expect(await call('show_lists', { list: 'geschenk' })).toMatchObject([{ list: 'weihnachtsgeschenke' }]);
});

test('a list is a file of tasks that the person can read and change', async () => {
  const { call, path } = await lists();
  await call('change_list', { list: 'Shopping', add: ['milk', '2 eggs'] });
  expect(readFileSync(path, 'utf8')).toBe('# shopping\n\n- [ ] milk\n- [ ] 2 eggs\n');
  writeFileSync(path, '# Saturday\n\nfor the party\n\n* [x] milk\n- eggs\n- bread\n');
  expect(await call('change_list', { tick: ['egg'], list: 'shopping' })).toMatchObject({ ticked: ['eggs'] });
  expect(readFileSync(path, 'utf8')).toBe('# Saturday\n\nfor the party\n\n- [x] milk\n- [x] eggs\n- [ ] bread\n');
  expect(await call('show_lists', {})).toEqual([
    {
      list: 'shopping',
      items: [
        { text: 'milk', done: true },
        { text: 'eggs', done: true },
        { text: 'bread', done: false },
      ],
    },
  ]);
});

test('what is there, what is missing and what is meant is said, not guessed', async () => {
  const { call } = await lists();
  await call('change_list', { list: 'packing', add: ['warm socks', 'thin socks', 'hat'] });
  expect(await call('change_list', { tick: ['hat'] })).toMatchObject({ list: 'packing', ticked: ['hat'] });
  expect(await call('change_list', { list: 'packing', tick: ['socks', 'boots'] })).toMatchObject({
    ticked: [],
    missing: ['socks', 'boots'],
  });
  expect(await call('change_list', { list: 'packing', add: ['Hat', 'thin socks'] })).toMatchObject({
    added: ['Hat'],
    there: ['thin socks'],
  });
  expect(await call('change_list', { list: '../../x', add: ['y'] })).toMatch(/named with letters/u);
});

test('what is removed or cleared is kept as a version', async () => {
  const { call, versions } = await lists();
  await call('change_list', { list: 'shopping', add: ['milk', 'tea'] });
  expect(await call('change_list', { remove: ['tea'] })).toMatchObject({ removed: ['tea'] });
  expect(await call('change_list', { list: 'shopping', clear: true })).toMatchObject({ removed: ['milk'] });
  expect(await versions.list('home', { path: 'lists/shopping.md' })).toHaveLength(3);
});
