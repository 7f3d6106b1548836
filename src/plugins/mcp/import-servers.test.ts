import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { findServers } from './import-servers.ts';

const TOML = `model = "o"
[mcp_servers.docs]
command = "npx" # how
args = ["-y", 'docs-server']
[mcp_servers.docs.env]
"TOKEN" = "\${env:DOCS}"
[mcp_servers.inline]
command = "a"
env = { KEY = "v", B = "c" }
`;

/** Entries of other programs, and what they are imported as. */
const FILES: readonly (readonly [file: string, text: string, entries: Record<string, unknown>])[] = [
  [
    'claude_desktop_config.json',
    '{"mcpServers": {"Git Hub": {"command": "npx", "args": ["x"], "alwaysAllow": ["*"], "autoApprove": ["y"]}}}',
    { 'git-hub': { command: 'npx', args: ['x'], disabled: true } },
  ],
  [
    'claude.json',
    '{"projects": {"/p": {"mcpServers": {"a": {"type": "http", "url": "https://a.test/mcp", "headers": {"K": "v"}}}}}}',
    { a: { type: 'http', url: 'https://a.test/mcp', headers: { K: 'v' }, disabled: true } },
  ],
  [
    'vscode.json',
    `{ // here\n "servers": {"pw": {"command": "npx", "env": {"K": "\${input:my-key}"}, }, } }`,
    { pw: { command: 'npx', args: [], env: { K: `\${MY_KEY}` }, disabled: true } },
  ],
  [
    'settings.json',
    '{"mcpServers": {"g": {"httpUrl": "https://g.test/mcp", "trust": true}}}',
    { g: { type: 'http', url: 'https://g.test/mcp', disabled: true } },
  ],
  [
    'config.toml',
    TOML,
    {
      docs: { command: 'npx', args: ['-y', 'docs-server'], env: { TOKEN: `\${DOCS}` }, disabled: true },
      inline: { command: 'a', args: [], env: { KEY: 'v', B: 'c' }, disabled: true },
    },
  ],
  [
    'table.toml',
    `[mcp_servers."my docs"] # of mine
  url = 'https://d.test/mcp#top' # where
  "enabled" = true
[mcp_servers."my docs".headers]
X-Key = "a#b"
Max = 7
[other.mcp_servers.no]
command = "no"
[mcp_servers.list]
command = 'C:\\bin\\x'
args = [ # all of them
  'a', "b", # "c",
  "it's 'c'", ",]",
  "[#", '[', "\\"[",
]
env = {"A-1"  =  "x, y = 1",  B='c',C="\${input:c}"}
  cwd="quoted"  # text
"cwd-2"  =  "none"
`,
    {
      'my-docs': {
        ...{ type: 'http', url: 'https://d.test/mcp#top', disabled: true },
        headers: { 'X-Key': 'a#b', Max: '7' },
      },
      list: {
        command: 'C:\\bin\\x',
        args: ['a', 'b', "it's 'c'", ',]', '[#', '[', '"['],
        env: { 'A-1': 'x, y = 1', B: 'c', C: `\${C}` },
        cwd: 'quoted',
        disabled: true,
      },
    },
  ],
  [
    'tables-twice.toml',
    `command = "nobody's"
[mcp_servers.a.env]
A = "1"
[mcp_servers.a]
command = "a"
`,
    { a: { command: 'a', args: [], env: { A: '1' }, disabled: true } },
  ],
  [
    'comments.json',
    `{ "servers": { // "old": {"command": "x"},
  /* "older": {
    "command": "x" }, */
  "a": {"command": "a", "args": ["//x", "/* y */", "say \\"//z\\"", ",]",],},
} }`,
    { a: { command: 'a', args: ['//x', '/* y */', 'say "//z"', ',]'], disabled: true } },
  ],
  [
    'fields.json',
    `{"mcpServers": {
  "a": {"serverUrl": "https://a.test", "headers": {"K": "\${env:my-key}", "Retry": 3}},
  "b": {"cmd": "b", "cwd": "/tmp", "envs": {"PORT": 80, "ON": true}, "type": "sse", "headers": {"no": "headers"}},
  "c": {"command": "c", "args": ["\${env:A}", 7], "env": ["none"], "cwd": ""},
  "d": {"command": "d", "args": "none"}
}}`,
    {
      a: { type: 'http', url: 'https://a.test', headers: { K: `\${MY_KEY}`, Retry: '3' }, disabled: true },
      b: { command: 'b', args: [], cwd: '/tmp', env: { PORT: '80', ON: 'true' }, disabled: true },
      c: { command: 'c', args: [`\${A}`, 7], disabled: true },
      d: { command: 'd', args: [], disabled: true },
    },
  ],
  [
    'places.json',
    `{"projects": {"/p": {"mcpServers": {"p": {"command": "p"}, "both": {"command": "p"}}}, "/q": 7},
  "mcpServers": {"both": {"command": "m"}}, "servers": {"s": {"command": "s"}}, "mcp_servers": {"u": {"command": "u"}},
  "mcp": {"servers": {"i": {"command": "i"}}, "timeout": 7}}`,
    Object.fromEntries(
      ['p', 'both', 's', 'u', 'i'].map((name) => [
        name,
        { command: name === 'both' ? 'm' : name, args: [], disabled: true },
      ]),
    ),
  ],
  [
    'names.json',
    JSON.stringify({
      mcpServers: Object.fromEntries(
        ['@Acme // Git Hub', '--a', '__', 'ünï', `x${'y'.repeat(40)}`].map((name) => [name, { command: 'c' }]),
      ),
    }),
    Object.fromEntries(
      ['acme-git-hub', 'a', 'server', 'n-', `x${'y'.repeat(31)}`].map((name) => [
        name,
        { command: 'c', args: [], disabled: true },
      ]),
    ),
  ],
  [
    'opencode.json',
    '{"mcp": {"o": {"type": "local", "command": ["bun", "x", "o"], "environment": {"A": "1"}}}}',
    { o: { command: 'bun', args: ['x', 'o'], env: { A: '1' }, disabled: true } },
  ],
];

test.each(FILES)('%s', (file, text, entries) => {
  const path = join(temporaryFolder(), file);
  writeFileSync(path, text);
  const { found, unusable } = findServers(path);
  expect(Object.fromEntries(found.map(({ name, entry }) => [name, entry]))).toEqual(entries);
  expect(unusable).toEqual([]);
});

test.each([
  ['{"mcpServers": {"old": {"type": "sse", "url": "https://x.test/sse"}}}', 'the older "sse" form'],
  ['{"mcpServers": {"none": {}}}', 'neither a command nor a url'],
  ['{"mcpServers": {"odd": 7}}', 'it is not an object'],
  ['{"mcpServers": {"UP": {"command": "c", "cwd": 7}}}', 'cwd: '],
])('%s is left out with the reason', (text, problem) => {
  const path = join(temporaryFolder(), 'mcp.json');
  writeFileSync(path, text);
  const { found, unusable } = findServers(path);
  expect(found).toEqual([]);
  const [name = ''] = Object.keys(JSON.parse(text).mcpServers);
  expect(unusable).toEqual([{ name, file: path, problem: expect.stringContaining(problem) }]);
});

test('a table of an odd name is one of its own', () => {
  const path = join(temporaryFolder(), 'config.toml');
  writeFileSync(path, '[mcp_servers.__proto__]\ncommand = "c"\n[mcp_servers.__proto__.env]\nA = "1"\n');
  expect(findServers(path)).toEqual({ found: [], unusable: [] });
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test.each(['', '[]', '{"mcpServers": []}'])('a file with %j gives nothing', (text) => {
  const path = join(temporaryFolder(), 'mcp.json');
  writeFileSync(path, text);
  expect(findServers(path)).toEqual({ found: [], unusable: [] });
});

/** The settings files of other programs: in the person's home folder, or in the working folder. */
const USUAL = [
  'home/Library/Application Support/Claude/claude_desktop_config.json',
  'home/.config/Claude/claude_desktop_config.json',
  'home/.claude.json',
  'home/.cursor/mcp.json',
  'home/.gemini/settings.json',
  'home/.codex/config.toml',
  'home/.config/opencode/opencode.json',
  'home/.codeium/windsurf/mcp_config.json',
  'work/.mcp.json',
  'work/.vscode/mcp.json',
  'work/.cursor/mcp.json',
];

/** A person's folders with these files, each with a server named after its number. */
function withFiles(files: readonly string[]): string {
  const root = temporaryFolder();
  for (const [index, file] of files.entries()) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    const text = file.endsWith('.toml')
      ? `[mcp_servers.s${index}]\ncommand = "c"`
      : `{"mcpServers": {"s${index}": {"command": "c"}}}`;
    writeFileSync(join(root, file), text);
  }
  vi.stubEnv('HOME', join(root, 'home'));
  vi.stubEnv('APPDATA', undefined);
  const here = vi.spyOn(process, 'cwd').mockReturnValue(join(root, 'work'));
  onTestFinished(() => {
    here.mockRestore();
    vi.unstubAllEnvs();
  });
  return root;
}

test('the files of all programs are looked for where they usually are', () => {
  const root = withFiles(USUAL);
  expect(findServers().found.map(({ name, file }) => [name, file])).toEqual(
    USUAL.map((file, index) => [`s${index}`, join(root, file)]),
  );
});

test('a person without any of them has none, and on Windows there is a folder for them', () => {
  const root = withFiles(['data/Claude/claude_desktop_config.json']);
  expect(findServers()).toEqual({ found: [], unusable: [] });
  vi.stubEnv('APPDATA', join(root, 'data'));
  expect(findServers().found).toMatchObject([{ name: 's0' }]);
});

test.each([
  ['{ "mcpServers": { "s0": ', [{ name: 'mcp.json', problem: 'it is not valid JSON' }]],
  [' ', []],
])('a file with %j is told only where something is lost, and the others are read', (text, told) => {
  const root = withFiles(['home/.cursor/mcp.json', 'home/.gemini/settings.json']);
  writeFileSync(join(root, 'home/.cursor/mcp.json'), text);
  const { found, unusable } = findServers();
  expect(found.map(({ name }) => name)).toEqual(['s1']);
  expect(unusable).toEqual(told.map((each) => ({ ...each, file: join(root, 'home/.cursor/mcp.json') })));
});

test('a file that is no TOML is told with its line, and the others are read', () => {
  const root = withFiles(['home/.cursor/mcp.json', 'home/.codex/config.toml']);
  const file = join(root, 'home/.codex/config.toml');
  writeFileSync(file, 'model = "o"\ncommand = unquoted\n');
  const { found, unusable } = findServers();
  expect(found.map(({ name }) => name)).toEqual(['s0']);
  expect(unusable).toEqual([{ name: 'config.toml', file, problem: 'it is not valid TOML (line 2)' }]);
});
