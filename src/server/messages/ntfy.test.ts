import { expect, onTestFinished, test } from 'vitest';
import { doorCommands } from '../../repl/door-commands.ts';
import { type AppOptions, openApp } from '../../testing/app.ts';
import { eventually } from '../../testing/chat-world.ts';
import { NtfyServer } from '../../testing/ntfy-server.ts';

/** A program that reminds by ntfy, and hears the buttons on the phone. */
async function ntfyWorld({ ntfy: given, ...options }: AppOptions & { readonly ntfy?: NtfyServer } = {}) {
  const ntfy = given ?? (await new NtfyServer().listen());
  if (!given) onTestFinished(() => ntfy.close());
  const env = { NTFY_URL: ntfy.origin, NTFY_TOPIC: 'notices', NTFY_ANSWERS: 'answers', NTFY_TOKEN: 'tk_secret' };
  const { app, home } = await openApp({ ...options, env });
  await app.doors.openChats({ commands: doorCommands(app), mode: 'classic_tools', project: 'home' });
  const { notices } = app.schedule.notifier;
  const remind = async (key = 'run_1') => {
    await app.store.transaction(() => notices.post({ key, text: 'call Ann', runId: key, to: 'ntfy' }));
    await notices.advance();
    await eventually(() => expect(ntfy.in('notices').length).toBeGreaterThan(0));
  };
  return { app, home, ntfy, notices, remind };
}

test('a reminder has buttons that put it off or end it, and neither rings again', async () => {
  const { ntfy, notices, remind } = await ntfyWorld();
  await remind();
  const [message] = ntfy.in('notices');
  expect(message?.actions.map(({ label }) => label)).toEqual(['10 min', '1 h', 'Done']);
  expect(JSON.stringify(message)).not.toContain('tk_secret');
  await ntfy.press('1 h');
  await eventually(async () => {
    const [notice] = await notices.list();
    expect((notice?.nextAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(55 * 60_000);
  });
  await ntfy.press('Done');
  await eventually(async () => expect((await notices.list())[0]).toMatchObject({ state: 'done' }));
  expect(ntfy.in('notices')).toHaveLength(1);
});

test('whoever posts anything else is not heard, and a nonce is good once', async () => {
  const { app, ntfy, notices, remind } = await ntfyWorld();
  await remind();
  const [{ number = 0 } = {}] = await notices.list();
  const post = (body: string) => fetch(`${ntfy.origin}/answers`, { method: 'POST', body });
  for (const body of [`/notices done ${number}`, 'yes 4f2a', '/new', 'x'.repeat(5000)]) await post(body);
  const nonce = ntfy.in('notices')[0]?.actions.at(-1)?.body ?? '';
  await ntfy.press('10 min');
  await eventually(async () => expect((await notices.list())[0]?.nextAt).toBeDefined());
  await ntfy.press('10 min');
  await post(`${nonce}x`);
  await remind('run_2');
  await eventually(() => expect(ntfy.in('notices')).toHaveLength(2));
  await ntfy.press('Done');
  await eventually(async () => {
    const states = (await notices.list()).map(({ key, state }) => [key, state]);
    expect(states).toContainEqual(['run_2', 'done']);
    expect(states).not.toContainEqual(['run_1', 'done']);
  });
  const kept = await app.store.read.selectFrom('chat_messages').select('event').execute();
  expect(kept).toHaveLength(2);
  expect(await app.store.read.selectFrom('chat_accounts').selectAll().execute()).toEqual([]);
});

test('approvals never go there: what decides has no button, and no nonce', async () => {
  const { app, ntfy } = await ntfyWorld();
  const choices = [{ label: 'Approve', says: 'yes 4f2a' }];
  await app.schedule.notifier.send({ to: 'ntfy', text: 'Question', choices }, new AbortController().signal);
  expect(ntfy.in('notices').map(({ actions }) => actions)).toEqual([[]]);
  expect(await app.store.read.selectFrom('chat_nonces').selectAll().execute()).toEqual([]);
});

test('what was pressed while no program ran is done by the next', async () => {
  const first = await ntfyWorld();
  const { ntfy, home } = first;
  await first.remind();
  await ntfy.press('10 min');
  await eventually(async () => expect((await first.notices.list())[0]?.nextAt).toBeDefined());
  await first.app.close();
  await ntfy.press('Done');
  const { notices } = await ntfyWorld({ ntfy, home });
  await eventually(async () => expect((await notices.list())[0]).toMatchObject({ state: 'done' }));
});

test('a connection that breaks is made again', async () => {
  const { app, ntfy, notices, remind } = await ntfyWorld();
  await remind();
  ntfy.drop();
  const [receiving] = app.schedule.notifier.receiving();
  const trouble = () => app.schedule.notifier.inbox.trouble('ntfy', receiving?.inbound.account ?? '');
  await eventually(async () => expect(await trouble()).toBeDefined());
  await eventually(async () => expect(await trouble()).toBeUndefined());
  await ntfy.press('Done');
  await eventually(async () => expect((await notices.list())[0]).toMatchObject({ state: 'done' }));
});
