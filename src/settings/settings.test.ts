import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { loadSettings, type Settings } from './settings.ts';
import { everySetting } from './table.ts';
import { unreadSettings } from './unread.ts';

const before = { ...process.env };

beforeEach(() => {
  for (const { setting } of everySetting())
    for (const name of [setting.env, ...setting.aliases]) delete process.env[name];
});

afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
});

/** A home whose `.env` and config/local.json are these. */
function load(files: { env?: string; config?: unknown } = {}): Settings {
  const home = temporaryFolder();
  if (files.env !== undefined) writeFileSync(join(home, '.env'), files.env);
  if (files.config !== undefined) {
    mkdirSync(join(home, 'config'));
    writeFileSync(join(home, 'config', 'local.json'), JSON.stringify(files.config));
  }
  return loadSettings(home);
}

test('nothing set is every default', () => {
  const settings = load();
  expect(settings.agent.chatMode).toBe('classic_tools');
  expect(settings.codeAgent).toMatchObject({ maxAttempts: 2, stepTimeoutMs: 20_000, totalTimeoutMs: 60_000 });
  expect(settings.secrets).toEqual([]);
});

test('config file, .env and environment: the later wins', () => {
  const config = { codeAgent: { maxAttempts: 3, maxIterations: 4, memoryLimitMb: 64 } };
  process.env.CODE_AGENT_MEMORY_LIMIT_MB = '256';
  const settings = load({ config, env: 'CODE_AGENT_MAX_ITERATIONS=7\nCODE_AGENT_MEMORY_LIMIT_MB=99\n' });
  expect(settings.codeAgent).toMatchObject({ maxAttempts: 3, maxIterations: 7, memoryLimitMb: 256 });
});

test.each([
  ['code', 'code_agent'],
  ['tools', 'classic_tools'],
  ['Code_Agent', 'code_agent'],
])('CHAT_MODE=%s is accepted as /mode accepts it', (name, mode) => {
  process.env.CHAT_MODE = name;
  expect(load().agent.chatMode).toBe(mode);
});

test.each([
  ['CHAT_MODE', 'turbo', 'classic_tools | code_agent'],
  ['CODE_AGENT_MAX_ATTEMPTS', 'two', 'whole number from 1 to 20'],
  ['CODE_AGENT_MAX_ATTEMPTS', '0', 'whole number from 1 to 20'],
  ['CODE_AGENT_MAX_ATTEMPTS', '1.5', 'whole number from 1 to 20'],
  ['CODE_AGENT_STRICT_FORMAT', 'perhaps', 'true or false'],
  ['OPENAI_BASE_URL', 'not a url', 'http or https URL'],
  ['OPENAI_BASE_URL', 'file:///etc/passwd', 'http or https URL'],
])('%s=%s stops the start and says what is allowed', (name, value, form) => {
  process.env[name] = value;
  expect(() => load()).toThrow(
    expect.objectContaining({
      code: 'bad_setting',
      message: expect.stringContaining(name),
      hint: expect.stringContaining(form),
    }),
  );
});

test('a word is read in any case, and an error names the variable that was set', () => {
  process.env.LOG_LEVEL = 'DEBUG';
  expect(load().program.logLevel).toBe('debug');
  delete process.env.LOGGING_FILE_LOG_LEVEL;
  process.env.LOG_LEVEL = 'loud';
  expect(() => load()).toThrow(expect.objectContaining({ message: expect.stringContaining('(LOG_LEVEL)') }));
});

test('what is set without an effect is named, with what to do instead', () => {
  process.env.OPENAI_MODEL = 'gpt-4o';
  const settings = load({
    config: { codeAgent: { maxAttemps: 3 }, plugins: { mine: { key: 1 } } },
    env: 'CHAT_MOD=auto\nMINE=1\n',
  });
  expect(unreadSettings(settings)).toEqual([
    { name: 'OPENAI_MODEL', instead: 'set OPENAI_MODEL_NAME' },
    { name: 'CHAT_MOD', instead: 'did you mean CHAT_MODE?' },
    { name: 'codeAgent.maxAttemps in config/local.json', instead: 'did you mean codeAgent.maxAttempts?' },
  ]);
  delete process.env.OPENAI_MODEL;
});

test('a bad secret is named, not shown', () => {
  process.env.DISCORD_WEBHOOK_URL = 'hunter2-is-no-address';
  const attempt = () => load();
  expect(attempt).toThrow(expect.objectContaining({ code: 'bad_setting' }));
  expect(attempt).not.toThrow(/hunter2/u);
});

describe('what users write', () => {
  test.each([
    ['TRUE', true],
    ['on', true],
    ['1', true],
    ['Yes', true],
    ['false', false],
    ['0', false],
    ['OFF', false],
    ['', false],
  ])('a switch set to %j is %s', (value, expected) => {
    process.env.CODE_AGENT_STRICT_FORMAT = value;
    expect(load().codeAgent.strictFormat).toBe(expected);
  });

  test.each(['"+4712345678"', "'+4712345678'", '+4712345678'])('one pair of quotes does not count: %s', (value) => {
    process.env.SIGNAL_CLI_NUMBER = value;
    expect(load().channels.signalNumber).toBe('+4712345678');
  });

  test.each(['YOUR_OPENAI_API_KEY_HERE', 'changeme', '<your key>', ''])('%j is no key', (value) => {
    process.env.OPENAI_API_KEY = value;
    expect(load().models.providers.openai?.apiKey).toBeUndefined();
  });

  test('a list is split at commas', () => {
    process.env.EGRESS_ALLOW_PRIVATE = ' 127.0.0.1:8080, nas.local:443 ,';
    expect(load().net.allowPrivate).toEqual(['127.0.0.1:8080', 'nas.local:443']);
  });
});

test('a variable of an earlier version still counts, the present name wins', () => {
  process.env.MODEL_ROUTING_STRATEGY = 'speed';
  expect(load().models.strategy).toBe('speed');
  process.env.ROUTING_STRATEGY = 'cost';
  expect(load().models.strategy).toBe('cost');
});

test('secrets are handed to the redactor', () => {
  process.env.OPENAI_API_KEY = 'a-key-of-mine';
  expect(load().secrets).toContain('a-key-of-mine');
});

test('a broken config file is named, without a stack', () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'config'));
  writeFileSync(join(home, 'config', 'local.json'), '{ "codeAgent": ');
  expect(() => loadSettings(home)).toThrow(
    expect.objectContaining({ code: 'bad_setting', message: expect.stringContaining('local.json') }),
  );
});

test('no two settings share a key or a variable', () => {
  const names = everySetting().flatMap(({ setting }) => [setting.key, setting.env, ...setting.aliases]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

describe.runIf(process.platform === 'linux')('a secret in the keychain', () => {
  /** A fake keychain program with one entry. */
  function keychain(): void {
    const dir = temporaryFolder();
    const script = '#!/bin/sh\n[ "$*" = "lookup service wooster account search" ] && echo from-the-keychain\n';
    writeFileSync(join(dir, 'secret-tool'), script, { mode: 0o755 });
    process.env.PATH = `${dir}:${process.env.PATH}`;
  }

  test('is read by its name and known to the redactor', () => {
    keychain();
    const settings = load({ env: 'TAVILY_API_KEY=keychain:search\n' });
    expect(settings.web.tavilyApiKey).toBe('from-the-keychain');
    expect(settings.secrets).toEqual(['from-the-keychain']);
  });

  test('that is not there is said at the start', () => {
    keychain();
    expect(() => load({ env: 'TAVILY_API_KEY=keychain:other\n' })).toThrow(/TAVILY_API_KEY.*"other".*found nothing/u);
  });

  test('needs a keychain', () => {
    process.env.PATH = temporaryFolder();
    expect(() => load({ env: 'TAVILY_API_KEY=keychain:search\n' })).toThrow('secret-tool is not installed');
  });
});

test('a routing rule is a tier or a model; the third tier of the earlier router is the fast one', () => {
  process.env.ROUTING_RULE_PLANNING = 'Thinking';
  process.env.ROUTING_RULE_DEFAULT = 'router';
  process.env.ROUTING_RULE_CREATIVE = 'openai:gpt-4o';
  process.env.MODEL_ROUTING_ENABLED = 'false';
  expect(loadSettings(temporaryFolder()).models).toMatchObject({
    rules: { planning: 'thinking', default: 'fast', creative: 'openai:gpt-4o', singleToolCall: undefined },
    routingEnabled: false,
  });
  process.env.ROUTING_RULE_PLANNING = 'quickly';
  expect(() => loadSettings(temporaryFolder())).toThrow(/ROUTING_RULE_PLANNING.*fast, thinking or provider:model/u);
});
