import { expect, test } from 'vitest';
import { testContext, testTurn } from '../../testing/agent.ts';
import { openCommands } from '../../testing/commands.ts';
import { testScope } from '../../testing/scope.ts';

/** A program on which nobody is; what was posted waits. */
async function opened(...texts: string[]) {
  const { app, say, run } = await openCommands();
  const { notices } = app.schedule.notifier;
  for (const text of texts) {
    await app.store.transaction(() => notices.post({ key: text, text, urgent: text.endsWith('!') }));
    await notices.advance();
  }
  const call = async (tool: string, input = {}) => {
    const result = await app.tools.toolbox.call(tool, input, await testScope());
    return result.ok ? result.value : result;
  };
  return { app, notices, call, run, say: async (text: string) => (await say(text)).text };
}

test('what reached nobody is missed; what was delivered is not', async () => {
  const { call, notices } = await opened('call Anna');
  expect(await call('list_notices')).toMatchObject({
    notices: [{ text: 'call Anna', number: 1, state: 'missed' }],
  });
  await notices.openFace({ kind: 'prompt', runsJobs: true, show: () => {} });
  expect(await call('list_notices')).toEqual({ notices: [] });
  expect(await call('list_notices', { show: 'recent' })).toMatchObject({
    notices: [{ state: 'delivered', by: 'prompt' }],
  });
});

test.each([
  ['what a page dictated to a job', { untrusted: true, links: [] }, true],
  ['what Wooster or the owner says', undefined, false],
])('%s keeps its labels where it is listed and ended', async (text, voice, untrusted) => {
  const { app, notices } = await opened();
  await app.store.transaction(() => notices.post({ key: 'a', text, voice, urgent: true }));
  await notices.advance();
  for (const tool of ['list_notices', 'finish_notice']) {
    const scope = await testScope();
    expect((await app.tools.toolbox.call(tool, {}, scope)).ok).toBe(true);
    expect([tool, scope.labels.provenance()]).toMatchObject([tool, { untrusted, private: true }]);
  }
  expect(await notices.list()).toMatchObject([{ untrusted }]);
});

test('a job whose time has passed without a run is overdue, here and in its lists', async () => {
  const { app, call, run } = await opened();
  const { id } = await app.schedule.jobs.add({ when: 'in 1 hour', prompt: 'tea', project: 'home', untrusted: false });
  const past = '2020-11-20T11:00:00.000Z';
  await app.store.db.updateTable('schedules').set({ next_run_utc: past }).where('id', '=', id).execute();
  expect(await call('list_notices')).toMatchObject({
    notices: [{ text: 'tea', state: 'overdue' }],
  });
  expect(await call('list_schedules')).toMatchObject([{ id, overdue: true }]);
  expect((await run(['schedule', 'list'])).lines.join('\n')).toContain('overdue since');
  expect((await run(['schedule', 'list', '--week'])).lines[0]).toMatch(/^overdue +since Fri 2020-11-20 11:00/u);
});

test.each([
  ['did I miss any reminders?', 'call Anna (nobody could be told)'],
  ['what came while I was away?', 'call Anna (nobody could be told)'],
  ['habe ich Erinnerungen verpasst?', 'call Anna (hat dich noch nicht erreicht)'],
])('"%s" is answered', async (asked, answer) => {
  expect(await (await opened('call Anna')).say(asked)).toContain(answer);
});

test('what came once and comes again has reached its owner, and is said so in their language', async () => {
  const { notices, call, say } = await opened('fire!');
  const face = await notices.openFace({ kind: 'prompt', runsJobs: true, show: () => {} });
  await face.close();
  await notices.snooze(1, new Date(Date.now() + 60_000));
  expect(await call('list_notices', { show: 'recent' })).toMatchObject({
    notices: [{ state: 'delivered', by: 'prompt' }],
  });
  expect(await say('was kam während ich weg war?')).toContain('fire! (zugestellt: prompt)');
});

test('a script asks for it by the name that the tool has in scripts', async () => {
  const { app } = await opened('call Anna');
  const { text } = await app.turns.run(testTurn('did I miss any reminders?', { mode: 'code_agent' }), testContext());
  expect(text).toContain('call Anna (nobody could be told)');
});

test('where nothing was missed that is said', async () => {
  expect(await (await opened()).say('did I miss any reminders?')).toBe(
    'No: everything has reached you, and nothing is overdue.',
  );
});

test('what is urgent is ended by a word, by its number or the latest', async () => {
  const { call, notices } = await opened('fire!', 'flood!', 'tea');
  expect(await call('finish_notice')).toEqual(['flood!']);
  expect(await call('finish_notice', { number: 1 })).toEqual(['fire!']);
  expect(await call('finish_notice')).toEqual([]);
  expect((await notices.list()).map(({ state, doneBy }) => [state, doneBy])).toEqual([
    ['waiting', undefined],
    ['done', 'a word'],
    ['done', 'a word'],
  ]);
});

test('a reminder that nothing would bring says so, with the command that mends it', async () => {
  const { say, app, run } = await opened();
  expect(await say('remind me tomorrow at 9 to call Anna')).toContain(
    'Nothing is running that would bring it: `wooster service install` mends that.',
  );
  const added = await run(['schedule', 'add', 'tomorrow at 9', 'water the tulips']);
  expect(added.lines.at(-1)).toContain('Nothing is running that would bring it');
  await app.start('server');
  expect(await say('remind me tomorrow at 10 to call Ben')).not.toContain('service install');
});
