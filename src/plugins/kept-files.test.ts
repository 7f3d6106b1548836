import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommands } from '../testing/commands.ts';
import { temporaryFolder } from '../testing/home.ts';
import { testScope } from '../testing/scope.ts';
import { webServer } from '../testing/web-server.ts';

const ON = { enabled: true };
const DATA = ['gtd', 'habits.json', 'contacts', 'bookmarks.md', 'calendar', 'projects/home/clippings'];

/** An app with the plugins that keep files, and a web page. */
async function scene(folders: object = {}, lists: object = {}, place = temporaryFolder()) {
  const plugins = { tasks: { ...ON, ...lists }, habits: ON, contacts: ON, bookmarks: ON, calendar: ON };
  const page = await webServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Oats</title><p>All about oats.</p>');
  });
  const allowPrivate = [`127.0.0.1:${page.port}`];
  const { app, home } = await openCommands({ home: place, config: { plugins, folders, egress: { allowPrivate } } });
  let turns = 0;
  const call = async (name: string, input: unknown, outside = false) => {
    const id = `turn_${++turns}`;
    const said = page.origin;
    const scope = await testScope({ store: app.store, turn: { id, conversationId: id, text: said } });
    if (outside) await scope.labels.read({ untrusted: true, private: false }, 'a page');
    const result = await app.tools.toolbox.call(name, input, scope);
    if (!result.ok) throw new Error(`${name}: ${result.error}`);
    return result.value;
  };
  /** All files that plugins write, with their contents. */
  const look = (at = DATA): Record<string, string> =>
    Object.fromEntries(
      at.flatMap((path) => {
        const whole = join(home, path);
        if (!existsSync(whole)) return [];
        if (statSync(whole).isFile()) return [[path, readFileSync(whole, 'utf8')]];
        return Object.entries(look(readdirSync(whole).map((name) => join(path, name))));
      }),
    );
  return { app, call, look, origin: page.origin };
}

test('what the tools of plugins change is brought back by undo, each by itself', async () => {
  const { app, call, look, origin } = await scene();
  const CALLS: readonly (readonly [string, object])[] = [
    ['capture_item', { text: 'buy oats' }],
    ['move_inbox_item', { item: 'buy oats', to: 'next' }],
    ['edit_next_action', { action: 'buy oats', updates: { text: 'buy more oats' } }],
    ['complete_next_action', { action: 'oats' }],
    ['create_habit', { name: 'walk' }],
    ['habit_checkin', { habit: 'walk' }],
    ['delete_habit', { habit: 'walk' }],
    ['add_contact', { name: 'Ann Berg' }],
    ['add_bookmark', { url: 'https://example.org/oats' }],
    ['add_event', { title: 'Regatta', start: '2026-01-20 10:00' }],
    ['clip_page', { url: `${origin}/oats` }],
  ];
  const states = [look()];
  for (const [name, input] of CALLS) {
    await call(name, input);
    expect(look(), name).not.toEqual(states.at(-1));
    states.push(look());
  }
  for (const [name] of CALLS.toReversed()) {
    expect(await app.tools.undo.newest('home'), name).toMatchObject({ outcome: 'undone', tool: name });
    states.pop();
    expect(look(), name).toEqual(states.at(-1));
  }
});

test('a page is kept where the projects are, also where that is not in the home', async () => {
  const shared = temporaryFolder();
  const { app, call, look, origin } = await scene({ projects: shared });
  await call('clip_page', { url: `${origin}/oats` });
  const kept = readdirSync(join(shared, 'home', 'clippings'));
  expect([kept.length, look()]).toEqual([1, {}]);
  expect(await app.tools.undo.newest('home')).toMatchObject({ outcome: 'undone', tool: 'clip_page' });
  expect(readdirSync(join(shared, 'home', 'clippings'))).toEqual([]);
});

test('after text from outside only what nobody keeps needs approval', async () => {
  const { call } = await scene();
  await call('capture_item', { text: 'buy oats' });
  await call('create_habit', { name: 'walk' });
  await call('add_event', { title: 'Regatta', start: '2026-01-20 10:00' });
  await call('move_inbox_item', { item: 'oats', to: 'next' }, true);
  await call('delete_habit', { habit: 'walk' }, true);
  const elsewhere = await scene({}, { basePath: temporaryFolder() });
  await elsewhere.call('capture_item', { text: 'buy oats' });
  const asked = elsewhere.call('move_inbox_item', { item: 'oats', to: 'next' }, true);
  await expect(asked).rejects.toThrow('what it replaces is not kept');
});

test("what plugins keep in the home is brought back, also where the owner's files are elsewhere", async () => {
  const { app, call, look } = await scene({ projects: temporaryFolder() });
  await call('create_habit', { name: 'walk' });
  const before = look();
  await call('delete_habit', { habit: 'walk' }, true);
  expect(look()).not.toEqual(before);
  expect(await app.tools.undo.newest('home')).toMatchObject({ outcome: 'undone', tool: 'delete_habit' });
  expect(look()).toEqual(before);
});

test('what is a link to somewhere else is written there, and is not kept', async () => {
  const [home, vault] = [temporaryFolder(), temporaryFolder()];
  symlinkSync(vault, join(home, 'gtd'));
  writeFileSync(join(vault, 'marks.md'), '# Mine\n');
  symlinkSync(join(vault, 'marks.md'), join(home, 'bookmarks.md'));
  const { call } = await scene({}, {}, home);
  await call('capture_item', { text: 'buy oats' });
  expect(readFileSync(join(vault, 'inbox.md'), 'utf8')).toContain('buy oats');
  await call('add_bookmark', { url: 'https://example.org/oats' });
  expect(readFileSync(join(vault, 'marks.md'), 'utf8')).toContain('https://example.org/oats');
  const asked = call('move_inbox_item', { item: 'oats', to: 'next' }, true);
  await expect(asked).rejects.toThrow('what it replaces is not kept');
});
