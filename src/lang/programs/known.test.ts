import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { served } from '../../repl/commands/mcp-serve.ts';
import { testContext, testTurn } from '../../testing/agent.ts';
import { openApp } from '../../testing/app.ts';
import { openCommands } from '../../testing/commands.ts';
import type { Scripted } from '../../testing/scripted-model.ts';

const WORTH = `// What shares are worth.
type Total {
  count: int
  worth: float
}
param count: int
fn total(n: int): Total { return { count: n, worth: n * 12.5 } }
return total(count)
`;
const EGGS = '// Counts the eggs.\nparam hens: int = 3\nprint `${hens} eggs`\nwriteNote("counted")\n';

/** A home with these programs, which its owner has agreed to. */
async function world(programs: Readonly<Record<string, string>>, replies?: readonly Scripted[]) {
  const commands = await openCommands({ session: { yes: true }, ...(replies ? { replies } : {}) });
  const { home, app, run } = commands;
  const write = (name: string, source: string) => {
    mkdirSync(join(home, 'programs'), { recursive: true });
    writeFileSync(join(home, 'programs', `${name}.tl`), source);
  };
  for (const [name, source] of Object.entries(programs)) write(name, source);
  for (const name of Object.keys(programs)) await run(['think', 'trust', name]);
  const tool = async (name: string) =>
    (await app.turns.agent.tools(testTurn('x'), testContext())).find((each) => each.functionName === name);
  const turn = async (mode: 'classic_tools' | 'code_agent' = 'classic_tools') => {
    const context = testContext();
    const answer = await app.turns.run(testTurn('x', { mode }), context);
    return { answer, results: context.events.filter((event) => event.type === 'tool') };
  };
  return { ...commands, write, tool, turn };
}

test('what a program returns is a typed value in scripts, and the last row of `think run`', async () => {
  const script = '```js\nconst r = await worth(4);\nfinalAnswer(`${r.count} at ${r.worth}`)\n```';
  const { turn, tool, run } = await world({ worth: WORTH }, [script]);
  expect((await turn('code_agent')).answer).toMatchObject({ text: '4 at 50' });
  expect(z.toJSONSchema((await tool('worth'))?.output ?? z.never(), { io: 'output' })).toMatchObject({
    type: 'object',
    properties: { count: { type: 'integer' }, worth: { type: 'number' } },
    required: ['count', 'worth'],
  });
  const { rows } = await run(['think', 'run', 'worth', '--arg', 'count=2']);
  expect(rows[0]).toEqual({ type: 'result', value: { count: 2, worth: 25 } });
});

describe('a program calls another', () => {
  const CALLER = 'let total = worth(2)\nprint `${total.worth} and ${eggCount(5)}`';
  const programs = { worth: WORTH, 'egg-count': EGGS, sums: CALLER };

  test('as a tool of a turn, by hand and on a schedule', async () => {
    const { turn, run, app } = await world(programs, [{ toolCalls: [{ name: 'sums', args: {} }] }, 'Done.']);
    expect((await turn()).results).toContainEqual(
      expect.objectContaining({ name: 'sums', ok: true, preview: '25 and 5 eggs' }),
    );
    expect((await run(['think', 'run', 'sums'])).lines).toEqual(['25 and 5 eggs']);
    await run(['schedule', 'add', '--when', 'tomorrow 8am', '--program', 'sums']);
    const [job] = await app.schedule.jobs.list();
    expect((await run(['schedule', 'run', job?.id ?? ''])).rows[0]).toMatchObject({ output: '25 and 5 eggs' });
  });

  test('but never itself', async () => {
    const circle = { ping: 'print pong()', pong: 'print ping()' };
    const { turn, run } = await world(circle, [{ toolCalls: [{ name: 'ping', args: {} }] }, 'Done.']);
    expect((await turn()).results.at(-1)).toMatchObject({ name: 'ping', ok: false });
    expect((await run(['think', 'run', 'ping'])).notes.join()).toContain('calls itself');
  });

  test('not one that its owner has not agreed to', async () => {
    const { run, write } = await world({ sums: 'print 1' });
    write('egg-count', EGGS);
    write('sums', 'print eggCount(5)');
    expect((await run(['think', 'run', 'sums'])).notes.join()).toContain('there is no such tool here');
  });
});

describe('a program that has changed', () => {
  test.each([
    [`${EGGS} `, 'has changed'],
    ['print nope', 'TL2001'],
  ])('says so when it is called, and what brings it back: %j', async (source, why) => {
    const call = { toolCalls: [{ name: 'egg_count', args: { hens: 2 } }] };
    const { turn, run, write } = await world({ 'egg-count': EGGS }, [call, 'It has changed.', call, 'Done.']);
    write('egg-count', source);
    expect((await turn()).results).toEqual([
      expect.objectContaining({ ok: false, preview: expect.stringContaining(why) }),
    ]);
    write('egg-count', `${EGGS}print 1`);
    await run(['think', 'trust', 'egg-count']);
    expect((await turn()).results.at(-1)).toMatchObject({ ok: true });
  });

  test('is named at the start', async () => {
    const { home, write } = await world({ 'egg-count': EGGS, worth: WORTH });
    write('egg-count', 'print 1');
    const again = await openApp({ home });
    await again.app.start();
    expect(again.announced).toEqual([
      'The program egg-count has changed, so it is off. Read it, then: wooster think trust "egg-count"',
    ]);
  });
});

test('a name stands for a file; a wrong one is told, and what is near', async () => {
  const { run } = await world({ 'egg-count': EGGS });
  expect((await run(['think', 'run', 'egg count', '--arg', 'hens=7'])).lines).toContain('7 eggs');
  await expect(run(['think', 'run', 'egg cuont'])).rejects.toMatchObject({
    message: 'There is no program "egg cuont". Did you mean "egg count"?',
  });
  await expect(run(['think', 'run', './egg-count'])).rejects.toMatchObject({ code: 'file_not_found' });
});

describe('the schedule tool', () => {
  const call = (args: unknown) => ({ toolCalls: [{ name: 'schedule', args: args as Record<string, unknown> }] });

  test('takes a program with its arguments', async () => {
    const wanted = { when: 'tomorrow 8am', text: 'worth', as: 'program', args: { count: 6 } };
    const { turn, app, run } = await world({ worth: WORTH }, [call(wanted), 'Done.']);
    await turn();
    const [job] = await app.schedule.jobs.list();
    expect(job).toMatchObject({ prompt: 'Run worth count=6', options: { program: { args: { count: 6 } } } });
    const { rows } = await run(['schedule', 'run', job?.id ?? '']);
    expect(rows[0]).toMatchObject({ state: 'succeeded', output: expect.stringContaining('75') });
  });

  test.each([
    ['an argument that does not fit', { text: 'worth', args: { count: 'many' } }, 'count'],
    ['one that is missing', { text: 'worth' }, 'count is missing'],
    ['a program that there is none of', { text: 'wroth', args: { count: 1 } }, 'Did you mean "worth"'],
    ['one that is off', { text: 'other' }, 'wooster think trust other'],
  ])('refuses %s', async (_what, wanted, why) => {
    const { turn, app, write } = await world({ worth: WORTH }, [
      call({ when: 'tomorrow 8am', as: 'program', ...wanted }),
      'Done.',
    ]);
    write('other', 'print 1');
    const { results } = await turn();
    expect(JSON.stringify(results)).toContain(JSON.stringify(why).slice(1, -1));
    expect(await app.schedule.jobs.list()).toEqual([]);
  });
});

describe('without a model', () => {
  test.each([
    ['what programs do I have', /- egg-count: Counts the eggs\./u],
    ['please start the egg count now', /^3 eggs$/u],
    ['run my egg count for hens 12', /^12 eggs$/u],
    ['starte das Programm egg count', /^3 eggs$/u],
    ['run worth', /^For worth: what is count\?$/u],
  ])('%s', async (said, answer) => {
    const { say } = await world({ 'egg-count': EGGS, worth: WORTH });
    expect((await say(said)).text).toMatch(answer);
  });

  test('a program is scheduled as one, and its question is answered', async () => {
    const { say, app } = await world({ 'invoice-check': 'print "all paid"', worth: WORTH });
    const answer = await say('run the invoice check every Monday at 8');
    expect(answer.text).toMatch(/^Scheduled: the program invoice check/u);
    const [job] = await app.schedule.jobs.list();
    expect(job?.options.program?.path).toMatch(/invoice-check\.tl$/u);
    await say('run worth', 'conv_worth');
    expect((await say('4', 'conv_worth')).text).toContain('50');
  });

  test.each([
    ['run the morning brief every weekday at 7:30', /^Scheduled: the program morning brief, every weekday at 7:30/u],
    ['every Monday at 8 run morning brief', /^Scheduled: the program morning brief, every Monday at 8/u],
    ['starte das Programm morning brief jeden Montag um 8', /^Geplant: das Programm morning brief, jeden Montag um 8/u],
  ])('a word of time in its name is none: %s', async (said, answer) => {
    const { say, app } = await world({ 'morning-brief': 'print "all quiet"' });
    expect((await say(said)).text).toMatch(answer);
    expect((await app.schedule.jobs.list())[0]?.options.program?.path).toMatch(/morning-brief\.tl$/u);
  });

  test('that there is none is said too', async () => {
    const { say } = await world({});
    expect((await say('what programs do I have')).text).toMatch(/no programs yet/u);
  });
});

test('other programs see and call them over MCP', async () => {
  const { app, session, home } = await world({ 'egg-count': EGGS });
  const server = served({ app, session, signal: new AbortController().signal });
  const tools = await server.tools();
  expect(tools.map(({ name }) => name)).toContain('egg_count');
  expect(await server.call('egg_count', { hens: 4 }, new AbortController().signal)).toMatchObject({
    ok: true,
    value: '4 eggs',
  });
  expect(readFileSync(join(home, 'projects', 'home', 'home.md'), 'utf8')).toContain('counted');
});
