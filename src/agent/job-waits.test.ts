import { setTimeout as delay } from 'node:timers/promises';
import type { BaseMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import type { Mode } from '../base/turn.ts';
import { openApp } from '../testing/app.ts';
import { personalTools } from '../testing/hostile-world.ts';
import type { Scripted } from '../testing/scripted-model.ts';
import { sqlRun } from '../testing/sql.ts';

const read = { toolCalls: [{ name: 'read_diary', args: {} }] };
const mail = (...to: string[]) => ({
  toolCalls: to.map((each) => ({ name: 'send_mail', args: { to: each, body: 'Hello.' } })),
});
const note = { toolCalls: [{ name: 'write_note', args: { text: 'told bob' } }] };
const resultsIn = (messages: readonly BaseMessage[]) =>
  messages.filter((message) => message.getType() === 'tool').map(({ text }) => text);

/** A program with a scripted model, and what it does; `home`: after a restart of another one. */
async function program(replies: readonly Scripted[], home?: string) {
  const acts: string[] = [];
  const additions = { tools: personalTools((act) => void acts.push(act)) };
  const { app, ...rest } = await openApp({ replies, additions, ...(home ? { home } : {}) });
  const jobs = app.schedule.jobs;
  const waiting = async () => (await app.tools.proposals.list()).filter(({ state }) => state === 'waiting');
  const approve = (id = '') => app.tools.approve(id, { by: 'the owner', signal: new AbortController().signal });
  const last = async () => (await jobs.show((await jobs.list())[0]?.id ?? '')).history[0];
  /** Waits as long as the test. */
  const settled = async (wanted: string) => {
    await jobs.tick();
    for (let run = await last(); run?.state === 'due' || run?.state === 'running'; run = await last()) await delay(20);
    expect(await last()).toMatchObject({ state: wanted });
  };
  const start = async (mode: Mode = 'classic_tools') => {
    const about = { when: 'every year', prompt: 'Write to bob.', project: 'home', untrusted: false };
    const { id } = await jobs.add({ ...about, options: { mode } });
    return jobs.runNow(id);
  };
  return { app, acts, jobs, waiting, approve, last, settled, start, ...rest };
}

test('what is left of a job is done after the approval, once, in another program after a restart', async () => {
  const first = await program([read, mail('bob'), 'The mail waits.']);
  const run = await first.start();
  expect(run).toMatchObject({ state: 'waiting', output: expect.stringContaining('Waiting for your approval') });
  const [proposal] = await first.waiting();
  await first.app.close();
  const second = await program([note, 'Bob has the mail, and it is noted.'], first.home);
  expect(await second.approve(proposal?.id)).toMatchObject({ outcome: 'ran' });
  await second.settled('succeeded');
  await second.settled('succeeded');
  expect(second.acts).toEqual(['mailed bob']);
  expect(await second.last()).toMatchObject({ turnId: run.turnId, output: 'Bob has the mail, and it is noted.' });
  const [asked, ...more] = second.model.requests;
  expect(more).toHaveLength(1);
  expect(resultsIn(asked?.messages ?? [])).toEqual(['my diary', expect.stringContaining('Approved by the owner')]);
  expect(asked?.messages.map(({ text }) => text).join()).toContain('The mail waits.');
});

test('after a no it goes on without, and the call made again is not proposed again', async () => {
  const { start, waiting, app, settled, model, acts, last } = await program([
    mail('bob'),
    'It waits.',
    mail('bob'),
    'Not sent.',
  ]);
  await start();
  await app.tools.proposals.deny((await waiting())[0]?.id ?? '', 'the owner');
  await settled('succeeded');
  expect(await last()).toMatchObject({ output: 'Not sent.' });
  expect([acts, await waiting()]).toEqual([[], []]);
  const results = resultsIn(model.requests.at(-1)?.messages ?? []);
  expect(results).toEqual([expect.stringContaining('has denied'), expect.stringContaining('has denied')]);
});

test('where nobody decides in time, it goes on and is told so', async () => {
  const { start, app, settled, model } = await program([mail('bob'), 'It waits.', '[SILENT]']);
  await start();
  await sqlRun(app.store, "UPDATE proposals SET expires_at = '2020-01-01T00:00:00.000Z'");
  await sqlRun(app.store, "UPDATE waiting_runs SET until = '2020-01-01T00:00:00.000Z'");
  await settled('succeeded');
  expect(resultsIn(model.requests.at(-1)?.messages ?? [])).toEqual([expect.stringContaining('in time')]);
});

test('of two calls both are decided before it goes on; a further one waits again', async () => {
  const replies = [mail('bob', 'eve'), 'Both wait.', mail('ann'), 'One more waits.', 'All sent.'];
  const { start, waiting, approve, settled, model, acts, last } = await program(replies);
  await start();
  const [bob, eve] = await waiting();
  await approve(bob?.id);
  await settled('waiting');
  expect(model.requests).toHaveLength(2);
  await approve(eve?.id);
  await settled('waiting');
  expect(acts).toEqual(['mailed bob', 'mailed eve']);
  await approve((await waiting())[0]?.id);
  await settled('succeeded');
  expect(acts).toEqual(['mailed bob', 'mailed eve', 'mailed ann']);
  expect(await last()).toMatchObject({ output: 'All sent.' });
});

test('a kill between the decision and going on loses nothing', async () => {
  const first = await program([mail('bob'), 'It waits.']);
  await first.start();
  await first.jobs.stop();
  await first.approve((await first.waiting())[0]?.id);
  await first.app.close();
  const second = await program(['Sent.'], first.home);
  await second.settled('succeeded');
  expect([first.acts, second.acts]).toEqual([['mailed bob'], []]);
  expect(await second.last()).toMatchObject({ output: 'Sent.' });
});

test('a script that makes the call again gets what it came to', async () => {
  const script = (rest: string) =>
    `\`\`\`js\ntry { await tools.send_mail({ to: 'bob', body: 'Hello.' }); } catch {}\n${rest}\n\`\`\``;
  const again = script("await tools.send_mail({ to: 'bob', body: 'Hello.' });\nfinalAnswer('Bob has it.');");
  const { start, waiting, approve, settled, acts, last } = await program([script("finalAnswer('It waits.');"), again]);
  await start('code_agent');
  await approve((await waiting())[0]?.id);
  await settled('succeeded');
  expect([acts, await waiting()]).toEqual([['mailed bob'], []]);
  expect(await last()).toMatchObject({ output: 'Bob has it.' });
});
