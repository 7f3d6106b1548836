import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { AssistantError } from '../../base/errors.ts';
import { temporaryFolder } from '../../testing/home.ts';
import { type Entry, SettingsFile } from './settings-file.ts';

const NOTES = { command: 'npx', args: ['notes'] };

/** A home with this `mcp.json`. */
function open(text?: string) {
  const home = temporaryFolder();
  const file = new SettingsFile(home);
  if (text !== undefined) writeFileSync(file.path, text);
  return { home, file, written: () => readFileSync(file.path, 'utf8') };
}

const withNotes = (more: object = {}) => open(JSON.stringify({ ...more, mcpServers: { notes: NOTES } }));

/** What the person is told about a refusal. */
async function refusal(work: () => unknown) {
  const error = await (async () => work())().catch((thrown: unknown) => thrown);
  if (!(error instanceof AssistantError)) throw new Error('it was not refused');
  return { code: error.code, message: error.message, hint: error.hint };
}

describe('mcp.json', () => {
  test('is written with its entry when there was none', async () => {
    const { file, home, written } = open();
    expect(file.path).toBe(join(home, 'mcp.json'));
    expect(file.entries()).toEqual({});
    await file.put('far', { url: 'https://a.test' });
    expect(written()).toBe('{\n  "mcpServers": {\n    "far": {\n      "url": "https://a.test"\n    }\n  }\n}\n');
  });

  test('keeps whatever else is in it, and an entry takes the place of the one of its name', async () => {
    const { file, written } = withNotes({ theirs: [1] });
    await file.put('far', { url: 'https://a.test' });
    await file.put('notes', { command: 'uvx' });
    expect(JSON.parse(written())).toEqual({
      theirs: [1],
      mcpServers: { notes: { command: 'uvx' }, far: { url: 'https://a.test' } },
    });
  });

  test('gets no entry that is no server', async () => {
    const { file, written } = withNotes();
    const before = written();
    expect(await refusal(() => file.put('far', { url: 'ftp://a.test' }))).toEqual({
      code: 'bad_usage',
      message: 'far is no usable server: url: "ftp://a.test" is no web address.',
      hint: 'Give a command after "--", or --url with an http or https address.',
    });
    expect(written()).toBe(before);
  });

  test('says of a server that it is off, and nothing of one that is on', async () => {
    const { file } = withNotes();
    await file.enable('notes', false);
    expect(file.entries()).toEqual({ notes: { ...NOTES, disabled: true } });
    await file.enable('notes', true);
    expect(file.entries()).toEqual({ notes: NOTES });
  });

  test('loses one entry and no other', async () => {
    const { file, written } = open(JSON.stringify({ theirs: 1, mcpServers: { a: NOTES, b: NOTES } }));
    await file.remove('a');
    expect(JSON.parse(written())).toEqual({ theirs: 1, mcpServers: { b: NOTES } });
  });

  test.each<[what: string, of: (file: SettingsFile) => unknown]>([
    ['shown', (file) => file.entry('toString')],
    ['switched on', (file) => file.enable('toString', true)],
    ['removed', (file) => file.remove('toString')],
  ])('a server that is not there is not %s', async (_what, of) => {
    const message = 'There is no MCP server toString.';
    expect(await refusal(() => of(open('{"mcpServers": {"a": {}, "b": {}}}').file))).toEqual({
      ...{ code: 'bad_usage', message },
      hint: 'There are: a, b.',
    });
    const hint = '"wooster mcp add" adds one.';
    expect(await refusal(() => of(open().file))).toEqual({ code: 'bad_usage', message, hint });
  });

  test('that cannot be read is not written over', async () => {
    const { file, written } = open('{"mcpServers": []}');
    expect(await refusal(() => file.put('a', NOTES))).toMatchObject({ code: 'bad_setting' });
    expect(written()).toBe('{"mcpServers": []}');
    expect(file.entry.bind(file, 'a')).toThrow('"mcpServers" is not an object');
  });
});

describe('what is secret by its name', () => {
  const SECRET = 'quite-secret-1';
  const before = new Set(Object.keys(process.env));

  afterEach(() => {
    for (const name of Object.keys(process.env)) if (!before.has(name)) delete process.env[name];
  });

  function named(values: Record<string, string>, { env = '', server = 'my-far' } = {}) {
    const { home, file } = open();
    const path = join(home, '.env');
    if (env !== '') writeFileSync(path, env);
    const entry: Entry = file.namedSecrets(server, values);
    return { entry, path, text: existsSync(path) ? readFileSync(path, 'utf8') : '' };
  }

  test('goes to .env, which its owner alone reads, and is there at once', () => {
    const { entry, path, text } = named({ API_TOKEN: SECRET, Mode: 'quick' });
    expect(entry).toEqual({ API_TOKEN: `\${API_TOKEN}`, Mode: 'quick' });
    expect(text).toBe(`\nAPI_TOKEN='${SECRET}'\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(process.env.API_TOKEN).toBe(SECRET);
  });

  test.each([
    ['Authorization', 'AUTHORIZATION'],
    ['proxy-authorization', 'PROXY_AUTHORIZATION'],
    ['X-Api-Key', 'X_API_KEY'],
    ['x.auth.token', 'X_AUTH_TOKEN'],
  ])('a header %s is named %s', (header, name) => {
    const { entry, text } = named({ [header]: `Bearer ${SECRET}` });
    expect(entry).toEqual({ [header]: `\${${name}}` });
    expect(text).toBe(`\n${name}='Bearer ${SECRET}'\n`);
  });

  test.each([
    ['a variable of another program', { API_TOKEN: `\${THEIRS}_and_more` }],
    ['no secret', { Pre_Authorization_mode: 'quite-a-long-word' }],
    ['too short for one', { API_TOKEN: '1234567' }],
  ])('what is %s stays', (_what, values) => {
    expect(named(values)).toMatchObject({ entry: values, text: '' });
  });

  test('is not written again where .env says it', () => {
    const { entry, text } = named({ API_TOKEN: SECRET }, { env: `API_TOKEN=${SECRET}\n` });
    expect(entry).toEqual({ API_TOKEN: `\${API_TOKEN}` });
    expect(text).toBe(`API_TOKEN=${SECRET}\n`);
  });

  test('has a name of its own where .env says something else by that name', () => {
    const { entry, text } = named({ 'API-TOKEN': SECRET }, { env: 'API_TOKEN=another\n' });
    expect(entry).toEqual({ 'API-TOKEN': `\${MCP_MY_FAR_API_TOKEN}` });
    expect(text).toBe(`API_TOKEN=another\n\nMCP_MY_FAR_API_TOKEN='${SECRET}'\n`);
  });

  test('has a name of its own where the environment says something else', () => {
    process.env.API_TOKEN = 'another';
    expect(named({ API_TOKEN: SECRET }).entry).toEqual({ API_TOKEN: `\${MCP_MY_FAR_API_TOKEN}` });
    expect(process.env).toMatchObject({ API_TOKEN: 'another', MCP_MY_FAR_API_TOKEN: SECRET });
  });

  test('stays where both names are taken', () => {
    const env = 'API_TOKEN=another\nMCP_MY_FAR_API_TOKEN=one-more\n';
    expect(named({ API_TOKEN: SECRET }, { env })).toMatchObject({ entry: { API_TOKEN: SECRET }, text: env });
  });

  test('two of one name in one entry have a name each', () => {
    const { entry, text } = named({ 'API-TOKEN': SECRET, 'API.TOKEN': 'quite-secret-2' });
    expect(entry).toEqual({ 'API-TOKEN': `\${API_TOKEN}`, 'API.TOKEN': `\${MCP_MY_FAR_API_TOKEN}` });
    expect(parseEnv(text)).toEqual({ API_TOKEN: SECRET, MCP_MY_FAR_API_TOKEN: 'quite-secret-2' });
  });

  test.each([
    ['a quote', `it's-secret`, `"it's-secret"`],
    ['both quotes', `it's-"secret"`, `\`it's-"secret"\``],
    ['a quote and a line break by name', `it's\\nsecret`, `\`it's\\nsecret\``],
    ['a sign and a blank', 'a #secret= b', `'a #secret= b'`],
  ])('comes back from .env as it was, with %s in it', (_what, value, quoted) => {
    const { text } = named({ API_TOKEN: value });
    expect(text).toBe(`\nAPI_TOKEN=${quoted}\n`);
    expect(parseEnv(text)).toEqual({ API_TOKEN: value });
  });

  test('stays where .env cannot hold it', () => {
    const values = { API_TOKEN: `it's-"a"-\`secret\`` };
    expect(named(values)).toMatchObject({ entry: values, text: '' });
  });
});
