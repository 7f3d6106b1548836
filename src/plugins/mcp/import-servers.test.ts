import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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

/** What other programs write, and what becomes of it. */
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
  ['{"mcpServers": {"odd": 7}}', 'it is no object'],
])('%s is left out with the reason', (text, problem) => {
  const path = join(temporaryFolder(), 'mcp.json');
  writeFileSync(path, text);
  const { found, unusable } = findServers(path);
  expect(found).toEqual([]);
  expect(unusable[0]?.problem).toContain(problem);
});

test.each(['', 'no JSON', '[]', '{"mcpServers": []}'])('a file with %j gives nothing', (text) => {
  const path = join(temporaryFolder(), 'mcp.json');
  writeFileSync(path, text);
  expect(findServers(path)).toEqual({ found: [], unusable: [] });
});
