import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import { createModels } from '../../models/models.ts';
import type { ModelsOptions } from '../../models/options.ts';
import { openStore } from '../../store/store.ts';
import { modelsOptions } from '../../testing/models-options.ts';
import { ScriptedModel } from '../../testing/scripted-model.ts';
import { testSession } from '../../testing/session.ts';
import type { Command, CommandCall } from '../command.ts';
import { model } from './model.ts';
import { models } from './models.ts';
import { routing } from './routing.ts';
import { usage } from './usage.ts';

function open(options: Partial<ModelsOptions> = {}) {
  const store = openStore(':memory:');
  onTestFinished(() => store.close());
  const control = createModels({
    options: modelsOptions(options),
    store,
    log: silentLog,
    redactor: new Redactor(),
    now: () => new Date(),
  });
  control.registerProvider('paid', async () => new ScriptedModel(['hi']));
  control.registerPricing('paid:p', { input: 1000, output: 2000 });
  const session = testSession({ interactive: false });
  const run = async (command: Command, args: readonly string[], flags: CommandCall['flags'] = {}) => {
    const lines: string[] = [];
    const rows: unknown[] = [];
    const out = { line: (text: string) => lines.push(text), row: (row: unknown) => rows.push(row) };
    const call = {
      place: 'slash',
      args,
      flags,
      session,
      parts: { models: control },
      out,
      signal: new AbortController().signal,
    };
    await command.run(call as unknown as CommandCall);
    return { text: lines.join('\n'), rows };
  };
  const answer = async () => {
    const signal = new AbortController().signal;
    const choice = await control.pick({
      profile: 'TOOL_EXECUTION',
      mode: 'classic_tools',
      project: 'home',
      purpose: 'turn',
      signal,
    });
    await choice.model.invoke('hello');
  };
  return { run, session, answer };
}

describe('/models', () => {
  test('lists who is asked, in order, with price, source and state', async () => {
    const { run, answer } = open({ use: 'paid:p', more: ['builtin:builtin'] });
    await answer();
    const { text, rows } = await run(models, []);
    expect(text).toMatch(/^1\. paid:p {2}ready/u);
    expect(text).toMatch(/1000\/2000 USD per million tokens.*from MODEL_NAME/u);
    expect(text).toMatch(/1 calls, 0 failed, median \d+ ms/u);
    expect(text).toMatch(/2\. builtin {2}ready \(in this program\)/u);
    expect(text).toMatch(/documents are embedded by built in/u);
    expect(rows).toMatchObject([{ provider: 'paid', name: 'p' }, { provider: 'builtin' }]);
  });
});

describe('/model', () => {
  test('puts a model first until the router chooses again', async () => {
    const { run } = open({ use: 'paid:p' });
    expect((await run(model, [])).text).toBe('Model paid:p.');
    expect((await run(model, ['builtin'])).text).toBe('Model builtin.');
    expect((await run(model, ['auto'])).text).toBe('Model paid:p.');
  });

  test('refuses a provider that is not set up, and the old choice stays', async () => {
    const { run } = open({ use: 'paid:p' });
    await expect(run(model, ['anthropic:claude-sonnet-4-5'])).rejects.toMatchObject({ code: 'bad_usage' });
    expect((await run(model, [])).text).toBe('Model paid:p.');
  });
});

describe('/routing', () => {
  test('shows each task, and why the last request went where it went', async () => {
    const { run, answer } = open({ use: 'paid:p', strategy: 'cost' });
    expect((await run(routing, ['why'])).text).toBe('nothing was decided yet');
    await answer();
    expect((await run(routing, [])).rows).toHaveLength(6);
    expect((await run(routing, ['why'])).text).toMatch(/^paid:p: 3000 USD.*\ntask TOOL_EXECUTION .*strategy cost/u);
    expect((await run(routing, ['why', 'complex'])).text).toMatch(/task COMPLEX_REASONING/u);
  });

  test.each([[['fly']], [['why', 'nonsense']]])('%j is refused with a hint', async (args) => {
    await expect(open().run(routing, args)).rejects.toMatchObject({ code: 'bad_usage' });
  });
});

describe('/usage', () => {
  test('draws cost by model, and rows for --json', async () => {
    const { run, answer } = open({ use: 'paid:p', budgetDayUsd: 1 });
    await answer();
    const { text, rows } = await run(usage, []);
    expect(text).toMatch(/budget for today: 0\.02 of 1 USD/u);
    expect(text).toMatch(/Cost this month:\npaid:p █{28} 0\.02 USD; 1 calls, 10 tokens in, 5 out/u);
    expect(rows).toContainEqual(expect.objectContaining({ group: 'paid:p', calls: 1, costUsd: 0.02 }));
  });

  test.each(['model', 'mode', 'project', 'job', 'day', 'month', 'purpose'])('groups by %s', async (by) => {
    const { run, answer } = open({ use: 'paid:p' });
    await answer();
    expect((await run(usage, [], { by, since: 'all' })).rows).toHaveLength(1);
  });

  test('on and off change the session; anything else is refused', async () => {
    const { run, session } = open();
    await run(usage, ['on']);
    expect(session.showUsage).toBe(true);
    await run(usage, ['off']);
    expect(session.showUsage).toBe(false);
    await expect(run(usage, ['maybe'])).rejects.toMatchObject({ code: 'bad_usage' });
    await expect(run(usage, [], { by: 'colour' })).rejects.toMatchObject({ code: 'bad_usage' });
    await expect(run(usage, [], { since: 'ever' })).rejects.toMatchObject({ code: 'bad_usage' });
  });
});
