import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../base/log.ts';
import { Redactor } from '../base/redact.ts';
import { FakeClock } from '../testing/clock.ts';
import * as fault from '../testing/fault-server.ts';
import { temporaryFolder } from '../testing/home.ts';
import { type ModelsChanges, modelRequest, modelsOptions } from '../testing/models-options.ts';
import { openTestStore } from '../testing/stores.ts';
import { createModels, type ModelsDeps } from './models.ts';
import type { ModelRequest } from './types.ts';

const first = new fault.FaultServer();
const second = new fault.FaultServer();
beforeAll(async () => Promise.all([first.start(), second.start()]));
afterAll(async () => Promise.all([first.stop(), second.stop()]));

const both = () => ({
  providers: { openai: { baseUrl: first.url, model: 'first' } },
  localServerUrl: second.url,
  tiers: { fast: { model: 'second' } },
});

async function open(options: ModelsChanges, deps: Partial<ModelsDeps> = {}) {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  const clock = new FakeClock(new Date(2026, 10, 20, 12));
  const models = createModels({
    timeZone: 'UTC',
    options: modelsOptions(options),
    store,
    log: silentLog,
    redactor: new Redactor(),
    now: clock.now,
    pace: { sleep: async () => {}, random: () => 0 },
    ...deps,
  });
  const pick = (changes: Partial<ModelRequest> = {}) => models.pick(modelRequest(changes));
  const ask = async () => (await (await pick()).model.invoke('hello')).text;
  return { models, clock, pick, ask };
}

/** A model server on a port of one's choice. */
async function serve(port: number): Promise<{ port: number; stop: () => void }> {
  const server = createServer((_request, response) => {
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ data: [{ id: 'bge-small' }, { id: 'qwen3:4b' }] }));
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, stop };
}

describe('while the program runs', () => {
  test('a model that fails is skipped, and comes back when it works again', async () => {
    const { ask, pick, models, clock } = await open(both());
    first.play(fault.status(500));
    second.play(fault.ok('from the second'));
    expect(await ask()).toBe('from the second');
    expect(first.requests).toHaveLength(3);
    expect(await ask()).toBe('from the second');
    expect(first.requests).toHaveLength(3);
    expect(models.why().join('\n')).toMatch(/first: .*skipped: answered 500/u);
    clock.advance(30_001);
    first.play(fault.ok('from the first'));
    expect(await ask()).toBe('from the first');
    expect((await pick()).name).toBe('first');
  });

  test('when all are down the first is still asked, not nobody', async () => {
    const { ask } = await open(both());
    first.play(fault.status(500));
    second.play(fault.status(500));
    await expect(ask()).rejects.toMatchObject({ code: 'model_unreachable' });
    first.play(fault.ok('back'));
    expect(await ask()).toBe('back');
  });

  test('a local server that starts later is found; one that goes away is not missed', async () => {
    const early = await serve(0);
    early.stop();
    const { pick, clock } = await open({ localEnabled: true }, { probePorts: [early.port] });
    expect((await pick()).provider).toBe('builtin');
    const late = await serve(early.port);
    expect((await pick()).provider).toBe('builtin');
    clock.advance(30_001);
    expect(await pick()).toMatchObject({ provider: 'compatible', name: 'qwen3:4b' });
    late.stop();
    clock.advance(30_001);
    expect((await pick()).provider).toBe('builtin');
  });

  test('a server without a model name is asked for one; while it is down the message says what was tried', async () => {
    const server = await serve(0);
    const options = { providers: { openai: { baseUrl: `http://127.0.0.1:${server.port}/v1` } } };
    const { pick, clock } = await open(options);
    expect((await pick()).name).toBe('qwen3:4b');
    server.stop();
    clock.advance(30_001);
    await expect(pick()).rejects.toMatchObject({
      code: 'model_unreachable',
      message: expect.stringContaining(options.providers.openai.baseUrl),
    });
  });
});

describe('wishes', () => {
  test.each([
    ['{"model": "second"}', 'second'],
    ['{"models": {"model": "compatible:second"}}', 'second'],
    ['{"strategy": "quality"}', 'first'],
    ['{}', 'first'],
  ])('of a project: %s', async (text, expected) => {
    const projectsDir = temporaryFolder();
    mkdirSync(join(projectsDir, 'boat'));
    writeFileSync(join(projectsDir, 'boat', 'wooster.config.json'), text);
    const { pick } = await open(both(), { projectsDir });
    expect((await pick({ project: 'boat' })).name).toBe(expected);
  });

  test.each(['{"localOnly": "yes"}', '{"strategy": "magic"}', '{nonsense'])(
    'of a project that cannot be read stop the turn: %s',
    async (text) => {
      const projectsDir = temporaryFolder();
      mkdirSync(join(projectsDir, 'boat'));
      writeFileSync(join(projectsDir, 'boat', 'wooster.config.json'), text);
      const { pick } = await open(both(), { projectsDir });
      await expect(pick({ project: 'boat' })).rejects.toMatchObject({
        code: 'bad_setting',
        message: expect.stringContaining('wooster.config.json'),
      });
    },
  );

  test('of a mode', async () => {
    const { pick } = await open({ ...both(), codeModel: 'second' });
    expect((await pick({ mode: 'code_agent' })).name).toBe('second');
    expect((await pick()).name).toBe('first');
  });

  test('of the person come before all others', async () => {
    const { pick, models } = await open({ ...both(), toolsModel: 'first' });
    await models.select('second');
    expect((await pick()).name).toBe('second');
    await models.select('builtin');
    expect((await pick()).name).toBe('builtin');
  });

  test('of the settings: the window that is set counts for every model', async () => {
    const { pick } = await open({ ...both(), contextWindowTokens: 12_345 });
    expect((await pick()).contextWindow).toBe(12_345);
  });
});

describe('rules', () => {
  const tiers = () => ({
    tiers: { fast: { url: first.url, model: 'quick' }, thinking: { url: second.url, model: 'deep' } },
  });
  const name = async (options: ModelsChanges, request: Partial<ModelRequest>) =>
    (await (await open({ ...tiers(), ...options })).pick(request)).name;

  test('the thinking server gets the hard tasks, the fast one the rest', async () => {
    expect(await name({}, {})).toBe('quick');
    expect(await name({}, { severalSteps: true })).toBe('deep');
    expect(await name({}, { profile: 'COMPLEX_REASONING' })).toBe('deep');
    expect(await name({}, { profile: 'COMPLEX_REASONING', purpose: 'compaction' })).toBe('quick');
  });

  test('a rule changes that, also for a model that nothing else sets up', async () => {
    expect(await name({ rules: { planning: 'fast' } }, { profile: 'COMPLEX_REASONING' })).toBe('quick');
    const { why, name: chosen } = await (await open({ ...tiers(), rules: { singleToolCall: 'ollama:tiny' } })).pick();
    expect(chosen).toBe('tiny');
    expect(why[0]).toContain('requested by ROUTING_RULE_SINGLE_TOOL');
  });

  test('a rule goes before the configured order, the choice of the person before the rule', async () => {
    const openai = { providers: { openai: { apiKey: 'k', model: 'cloud' } } };
    expect(await name(openai, {})).toBe('cloud');
    const { models, pick } = await open({ ...tiers(), ...openai, rules: { singleToolCall: 'fast' } });
    expect((await pick()).name).toBe('quick');
    await models.select('openai:cloud');
    expect((await pick()).name).toBe('cloud');
  });

  test('ROUTING_ENABLED=false: no rule and no strategy, the first that is set up', async () => {
    const off = { routingEnabled: false, rules: { planning: 'thinking' }, strategy: 'quality' } as const;
    expect(await name(off, { profile: 'COMPLEX_REASONING' })).toBe('quick');
    const { why } = await (await open({ ...tiers(), ...off })).pick();
    expect(why.join('\n')).toContain('routing is switched off');
  });
});
