import { expect, test } from 'vitest';
import type { PluginHost } from './definition.ts';
import { adaptLegacy, isLegacy, isLegacyClass, type ServiceMap } from './legacy.ts';

interface Services {
  getConfig(): unknown;
  log(level: string, message: string, metadata?: Record<string, unknown>): void;
  registerService(name: string, service: unknown): void;
  getService(name: string): unknown;
}

/** A plugin of the legacy Wooster that records what it is given. */
class Tide {
  static readonly pluginName = 'tide';
  static readonly version = '1.2.3';
  static readonly description = 'Tides.';
  static given: [config: unknown, services: Services] | undefined;
  tools: unknown;
  tasks: unknown;
  initialize(...given: [unknown, Services]) {
    Tide.given = given;
  }
  getAgentTools() {
    return this.tools;
  }
  getScheduledTaskSetups() {
    return this.tasks;
  }
}

function host() {
  const logged: unknown[] = [];
  const at = (level: string) => (message: string, fields?: unknown) => void logged.push([level, message, fields]);
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return { host: { config: { station: 7 }, log } as unknown as PluginHost, logged };
}

test.each<[value: unknown, isOne: boolean]>([
  [Tide, true],
  [() => 7, false],
  [{ name: 'tide' }, false],
  [undefined, false],
])('%s is a class: %s', (value, isOne) => {
  expect(isLegacyClass(value)).toBe(isOne);
});

test('a class says who it is, or is called by its own name', () => {
  expect(adaptLegacy(Tide, new Map())).toMatchObject({ name: 'tide', version: '1.2.3', description: 'Tides.' });
  const plugin = adaptLegacy(class Bare {}, new Map());
  expect(plugin).toMatchObject({ name: 'Bare', version: '0.0.0', description: '' });
  expect([isLegacy(plugin), isLegacy({ ...plugin })]).toEqual([true, false]);
});

test('a class without methods does nothing', async () => {
  const plugin = adaptLegacy(class Bare {}, new Map());
  await plugin.initialize?.(host().host as never);
  await plugin.shutdown?.();
  expect([await plugin.getAgentTools?.(), await plugin.getScheduledTaskSetups?.()]).toEqual([[], []]);
});

test('it gets its config, a log, and what other plugins have registered', async () => {
  const services: ServiceMap = new Map([['moon', 'full']]);
  const { host: given, logged } = host();
  await adaptLegacy(Tide, services).initialize?.(given as never);
  const [config, has] = Tide.given ?? [];
  expect([config, has?.getConfig(), has?.getService('moon'), has?.getService('sun')]).toEqual([
    ...[{ station: 7 }, { station: 7 }, 'full', undefined],
  ]);
  has?.registerService('tide', 'low');
  expect(services.get('tide')).toBe('low');
  for (const level of ['DEBUG', 'info', 'Warn', 'error', 'verbose']) has?.log(level, 'said', { n: 1 });
  expect(logged).toEqual(['debug', 'info', 'warn', 'error', 'info'].map((level) => [level, 'said', { n: 1 }]));
});

test.each<[given: unknown, tools: readonly unknown[]]>([
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  ['a', ['a']],
  [null, []],
  [undefined, []],
])('the tools %j are a list', async (given, tools) => {
  class WithTools extends Tide {
    override tools = given;
  }
  expect(await adaptLegacy(WithTools, new Map()).getAgentTools?.()).toEqual(tools);
});

test('a task runs on its schedule, with its payload, and tells what it gives', async () => {
  const own = {
    ...{
      taskKey: 'tide.daily',
      description: 'Daily.',
      defaultScheduleExpression: '0 8 * * *',
      initialPayload: { n: 1 },
    },
    result: 'low' as unknown,
    functionToExecute(this: { result: unknown }, payload: unknown) {
      return payload === 'nothing' ? undefined : this.result;
    },
  };
  const other = { ...own, description: '', effectiveScheduleExpression: '0 9 * * *', result: { tide: 'high' } };
  class WithTasks extends Tide {
    override tasks = [own, other];
  }
  const [first, second] = (await adaptLegacy(WithTasks, new Map()).getScheduledTaskSetups?.()) ?? [];
  const { run: _run, ...shown } = first ?? { run: undefined };
  expect(shown).toEqual({
    ...{ taskKey: 'tide.daily', description: 'Daily.', schedule: '0 8 * * *', payload: { n: 1 } },
  });
  expect(second).toMatchObject({ description: 'tide.daily', schedule: '0 9 * * *' });
  const { signal } = new AbortController();
  expect(await first?.run('all', signal)).toBe('low');
  expect(await first?.run('nothing', signal)).toBeUndefined();
  expect(await second?.run('all', signal)).toContain('high');
});
