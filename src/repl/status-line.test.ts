import { expect, test } from 'vitest';
import { openCommands } from '../testing/commands.ts';
import { openLiveScreen } from '../testing/live-screen.ts';
import { Repl } from './repl.ts';
import { StatusLine } from './status-line.ts';

const PROMPT = { name: 'write_file', args: { path: 'prompt.txt', content: 'Speak like a sailor.' } };

test('calls that wait for approval are shown ahead of the model, until they are decided', async () => {
  const { app, session, say, run } = await openCommands({ replies: [{ toolCalls: [PROMPT] }, 'It waits.'] });
  const shown: (readonly string[])[] = [];
  const status = new StatusLine(app, session, (parts) => shown.push(parts));
  const refreshed = async () => {
    await status.refresh();
    return shown.at(-1)?.slice(0, 3);
  };
  const before = await refreshed();
  expect(before?.slice(0, 2)).toEqual(['home', 'tools']);
  await say('from now on speak like a sailor');
  expect(await refreshed()).toEqual(['home', 'tools', '1 call to approve']);
  const [{ id }] = (await run(['approvals'])).rows as [{ id: string }];
  await run(['deny', id]);
  expect(await refreshed()).toEqual(before);
});

test('a message that comes while nobody types brings what waits by now to the idle prompt', async () => {
  const { app, session, say } = await openCommands({ replies: [{ toolCalls: [PROMPT] }, 'It waits.'] });
  const screen = openLiveScreen();
  const repl = new Repl(screen.terminal, Promise.resolve({ app, session }));
  const ended = repl.run();
  await screen.see('home | tools');
  await say('from now on speak like a sailor');
  expect((await screen.shown()).join()).not.toContain('to approve');
  repl.announce('Job: it waits.');
  await screen.see('home | tools | 1 call to approve');
  repl.leave();
  expect(await ended).toBe(0);
});

test('the next job is said with its day once', async () => {
  const { app, session } = await openCommands();
  const when = new Date(Date.now() + 600_000).toISOString();
  await app.schedule.jobs.add({ when, prompt: 'call Ann', project: 'home', untrusted: false });
  let shown: readonly string[] = [];
  await new StatusLine(app, session, (parts) => (shown = parts)).refresh();
  expect(shown.at(-1)).toMatch(/^1 job, next (?:today|tomorrow) at \d\d:\d\d(?::\d\d)?$/u);
});
