import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../testing/home.ts';
import { loadSettings } from './settings.ts';

/** The settings of a home with these files and only these variables. */
function load(files: Readonly<Record<string, unknown>>, variables: NodeJS.ProcessEnv = {}) {
  const home = temporaryFolder();
  mkdirSync(join(home, 'config'));
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(home, name), typeof content === 'string' ? content : JSON.stringify(content));
  return loadSettings(home, variables);
}

const attempts = (codeAgent: unknown) => ({ codeAgent: { maxAttempts: codeAgent } });

test('the file of the environment is read, that of development unless another is named', () => {
  const files = { 'config/development.json': attempts(7), 'config/production.json': attempts(8) };
  expect(load(files).codeAgent.maxAttempts).toBe(7);
  expect(load(files, { NODE_ENV: 'production' }).codeAgent.maxAttempts).toBe(8);
});

test.each([
  ['null', attempts(null)],
  ['an empty text', attempts('')],
  ['a placeholder', attempts('<your number>')],
  ['nothing where the group is a word', { codeAgent: 'fast' }],
])('%s in a config file is the default', (_, config) => {
  expect(load({ 'config/local.json': config }).codeAgent.maxAttempts).toBe(2);
});

test.each([
  ['"my phone"', 'my phone'],
  [' "my phone" ', 'my phone'],
  ['""my phone""', '"my phone"'],
  ['"two\nlines"', 'two\nlines'],
  ['say "phone"', 'say "phone"'],
  ['"my" phone', '"my" phone'],
  ['"my phone\'', '"my phone\''],
  ['Your_Phone_Here', undefined],
  ['CHANGEME', undefined],
  ['my changeme', 'my changeme'],
  ['changeme later', 'changeme later'],
  ['a <b>', 'a <b>'],
])('a text written as %j is %j', (written, value) => {
  expect(load({}, { NOTIFY_CHANNEL: written }).channels.defaultChannel).toBe(value);
});

test('what is no secret may begin like an entry of the keychain', () => {
  expect(load({}, { NOTIFY_CHANNEL: 'keychain:mine' }).channels.defaultChannel).toBe('keychain:mine');
});

test('a plugin gets its section, and of a bundled one the checked values', () => {
  const config = { plugins: { mine: { key: 1 }, contacts: { more: 2, folder: ' people ' } } };
  const { plugins } = load({ 'config/local.json': config }, { MAIL_IMAP_PORT: '143' });
  expect(plugins).toMatchObject({ mine: { key: 1 }, mail: { imapPort: 143, imapHost: 'imap.gmail.com' } });
  expect(plugins.contacts).toEqual({ more: 2, folder: 'people' });
});

test.each(['none', null, [1]])('bundled plugins are told their settings where plugins is %j', (section) => {
  const { plugins, bundled } = load({ 'config/local.json': { plugins: section } });
  expect(plugins).toEqual(bundled);
  expect(plugins.mail).toMatchObject({ imapPort: 993 });
});

test('nothing can change the settings, however deep', () => {
  const settings = load({}, { OPENAI_API_KEY: 'k' });
  expect(() => Object.assign(settings, { plugins: {} })).toThrow(TypeError);
  expect(() => Object.assign(settings.models.limits, { idleMs: 1 })).toThrow(TypeError);
  expect(() => Object.assign(settings.models.providers.openai ?? {}, { apiKey: 'mine' })).toThrow(TypeError);
});

test('a bad value is said with key, variable and what is allowed', () => {
  expect(() => load({ 'config/local.json': attempts(0) })).toThrow(
    expect.objectContaining({
      code: 'bad_setting',
      message: expect.stringMatching(
        /^Setting codeAgent\.maxAttempts \(CODE_AGENT_MAX_ATTEMPTS\) is not valid: .*1\.$/u,
      ),
      hint: 'Set CODE_AGENT_MAX_ATTEMPTS to: whole number from 1 to 20. Or remove it to use the default.',
    }),
  );
});

test('a config file that is no JSON is said, with its cause', () => {
  expect(() => load({ 'config/local.json': '{ "codeAgent": ' })).toThrow(
    expect.objectContaining({
      code: 'bad_setting',
      message: expect.stringContaining('local.json'),
      hint: 'Fix the file; it must be valid JSON.',
      cause: expect.any(Error),
    }),
  );
});

test('an .env that cannot be read is said, with its cause', () => {
  const home = temporaryFolder();
  mkdirSync(join(home, '.env'));
  expect(() => loadSettings(home, {})).toThrow(
    expect.objectContaining({
      code: 'bad_setting',
      message: expect.stringMatching(/^Cannot read .*\.env: EISDIR.*\.$/u),
      hint: 'Check that it is a readable text file.',
      cause: expect.any(Error),
    }),
  );
});
