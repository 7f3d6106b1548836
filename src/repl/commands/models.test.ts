import { describe, expect, test } from 'vitest';
import { openCommands } from '../../testing/commands.ts';
import { ScriptedModel } from '../../testing/scripted-model.ts';

/** The program with a model `paid:p` that costs 0.02 USD for each answer. */
async function open(config: Readonly<Record<string, unknown>> = { models: { use: 'paid:p' } }) {
  const opened = await openCommands({ config });
  const { models } = opened.app;
  models.registerProvider('paid', async () => new ScriptedModel(['hi']));
  models.registerPricing('paid:p', { input: 1000, output: 2000 });
  const answer = async () => {
    const signal = new AbortController().signal;
    const request = { profile: 'TOOL_EXECUTION', mode: 'classic_tools', project: 'home', purpose: 'turn' } as const;
    const { model } = await models.pick({ ...request, signal });
    await model.invoke('hello');
  };
  return { ...opened, answer };
}

describe('/models', () => {
  test('lists who is asked, in order, with price, source and state', async () => {
    const { run, answer } = await open({ models: { use: 'paid:p', more: 'builtin:builtin' } });
    await answer();
    const { lines, rows } = await run(['models']);
    const text = lines.join('\n');
    expect(text).toMatch(/^1\. paid:p {2}ready/u);
    expect(text).toMatch(/1000\/2000 USD per million tokens.*from MODEL_NAME/u);
    expect(text).toMatch(/1 call, 0 failed, median \d+ ms/u);
    expect(text).toMatch(/2\. builtin {2}ready \(in this process\)/u);
    expect(text).toMatch(/^Embeddings: built in \(this machine\)$/mu);
    expect(rows).toMatchObject([{ provider: 'paid', name: 'p' }, { provider: 'builtin' }]);
  });
});

describe('/model', () => {
  test('puts a model first until the router chooses again', async () => {
    const { run } = await open();
    expect((await run(['model'])).lines).toEqual(['Model paid:p.']);
    expect((await run(['model', 'builtin'])).lines).toEqual(['Model builtin.']);
    expect((await run(['model', 'auto'])).lines).toEqual(['Model paid:p.']);
  });

  test('refuses a provider that is not set up, and the old choice stays', async () => {
    const { run } = await open();
    await expect(run(['model', 'anthropic:claude-sonnet-4-5'])).rejects.toMatchObject({ code: 'bad_usage' });
    expect((await run(['model'])).lines).toEqual(['Model paid:p.']);
  });
});

describe('/routing', () => {
  test('shows each task, and why the last request went where it went', async () => {
    const { run, answer, app } = await open({ models: { use: 'paid:p' }, routing: { strategy: 'cost' } });
    expect((await run(['routing', 'why'])).lines).toEqual(app.models.why());
    await answer();
    expect((await run(['routing'])).rows).toHaveLength(6);
    const why = async (...task: string[]) => (await run(['routing', 'why', ...task])).lines.join('\n');
    expect(await why()).toMatch(/^paid:p: 3000 USD.*\ntask TOOL_EXECUTION .*strategy cost/u);
    expect(await why('complex')).toMatch(/task COMPLEX_REASONING/u);
  });

  test.each([[['fly']], [['why', 'nonsense']]])('%j is refused with a hint', async (args) => {
    const { run } = await open();
    await expect(run(['routing', ...args])).rejects.toMatchObject({ code: 'bad_usage' });
  });
});

describe('/usage', () => {
  test('draws cost by model, and rows for --json', async () => {
    const { run, answer } = await open({ models: { use: 'paid:p' }, budget: { dayUsd: 1 } });
    await answer();
    const { lines, rows } = await run(['usage']);
    const text = lines.join('\n');
    expect(text).toMatch(/budget for today: 0\.02 of 1 USD/u);
    expect(text).toMatch(/Cost this month:\npaid:p █{28} 0\.02 USD; 1 call, 10 tokens in, 5 out/u);
    expect(rows).toContainEqual(expect.objectContaining({ group: 'paid:p', calls: 1, costUsd: 0.02 }));
  });

  test.each(['model', 'mode', 'project', 'job', 'day', 'month', 'purpose'])('groups by %s', async (by) => {
    const { run, answer } = await open();
    await answer();
    expect((await run(['usage', '--by', by, '--since', 'all'])).rows).toHaveLength(1);
  });

  test('on and off change the session; anything else is refused', async () => {
    const { run, session } = await open({});
    await run(['usage', 'on']);
    expect(session.showUsage).toBe(true);
    await run(['usage', 'off']);
    expect(session.showUsage).toBe(false);
    for (const words of [['maybe'], ['--by', 'colour'], ['--since', 'ever']])
      await expect(run(['usage', ...words])).rejects.toMatchObject({ code: 'bad_usage' });
  });
});
