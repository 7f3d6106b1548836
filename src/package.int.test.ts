import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

/**
 * What an embedder does: install the packed package into an empty project, then type-check and run the programs of
 * docs/embedding.md. Nothing of the checkout is in reach but the compiler and Node's types.
 */
const ROOT = resolve(import.meta.dirname, '..');
const EXAMPLES = readdirSync(join(ROOT, 'examples')).filter((name) => name.startsWith('embed'));
const COMPILER = {
  ...{ target: 'es2024', lib: ['es2024', 'esnext.disposable'], module: 'nodenext', strict: true, noEmit: true },
  ...{ skipLibCheck: false, types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] },
};
/** Packing builds; installing fetches packages and compiles one of them. */
const INSTALL_MS = 600_000;
const NPM_INSTALL = [
  ...['--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'],
  // A connection that hangs is tried again, instead of waited for until the hook gives up.
  ...['--fetch-timeout=30000', '--fetch-retries=5'],
];

const app = mkdtempSync(join(tmpdir(), 'wooster-app-'));
/** Neither this machine's keys and servers nor what npm tells the scripts it runs: only how the registry is reached. */
const { PATH, TMPDIR, NODE_EXTRA_CA_CERTS, npm_config_cafile, npm_config_registry, HTTPS_PROXY } = process.env;
const network = { NODE_EXTRA_CA_CERTS, npm_config_cafile, npm_config_registry, HTTPS_PROXY };
const env = {
  ...network,
  PATH,
  TMPDIR,
  HOME: process.env.HOME,
  ROUTING_LOCAL_ENABLED: 'false',
  WOOSTER_HOME: join(app, 'data'),
};

/** @returns standard output. @throws with both outputs in the message when the program fails. */
async function run(program: string, args: readonly string[], cwd = app): Promise<string> {
  const ran = promisify(execFile)(program, args, { cwd, env, maxBuffer: 16 * 1024 * 1024 });
  return (await ran.catch((error) => Promise.reject(new Error(`${error.message}\n${error.stdout}\n${error.stderr}`))))
    .stdout;
}

beforeAll(async () => {
  await run('npm', ['pack', '--loglevel=error', '--pack-destination', app], ROOT);
  const [tarball = ''] = readdirSync(app).filter((name) => name.endsWith('.tgz'));
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', private: true, type: 'module' }));
  writeFileSync(join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER, include: ['*.ts'] }));
  await run('npm', ['install', ...NPM_INSTALL, `./${tarball}`]);
  for (const name of EXAMPLES) copyFileSync(join(ROOT, 'examples', name), join(app, name));
}, INSTALL_MS);

afterAll(() => rmSync(app, { recursive: true, force: true }));

test('the package holds no sources, which Node would not run there', () => {
  const files = readdirSync(join(app, 'node_modules/wooster'), { recursive: true, encoding: 'utf8' });
  expect(files.filter((path) => /\.ts$/u.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining(['dist/prompts/base_system_prompt.txt', 'dist/plugins/tasks/plugin.json']),
  );
  const ours = ['dist/src/models/local/catalogue.json', 'dist/src/models/local/engine/lock.json'];
  expect(files.filter((path) => /local.*\.json$|\.env$/u.test(path)).toSorted()).toEqual(ours);
});

test('what it exports has types, and so do the examples', async () => {
  await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', app]);
});

test.each([
  ['embed.ts', ['2+2 = 4', '6 * 7 = 42']],
  ['embed-program.ts', ['eggs: 4 2 0']],
  ['embed-tools.ts', ['low tide is at 14:05']],
  ['embed-langchain.ts', ['2+2 = 4', 'Noted in', '[home.md, line']],
])('%s runs without a key', async (name, expected) => {
  const output = await run(join(app, 'node_modules/node/bin/node'), [name]);
  for (const text of expected) expect(output).toContain(text);
});

test('every example is run', () => {
  expect(EXAMPLES.toSorted()).toEqual(['embed-langchain.ts', 'embed-program.ts', 'embed-tools.ts', 'embed.ts']);
});

test('the program works from the package: both modes, documents, plugins', async () => {
  const wooster = join(app, 'node_modules/.bin/wooster');
  expect(await run('npx', ['--no-install', 'wooster', '--version'])).toMatch(/^wooster \d/u);
  expect(await run(wooster, ['ask', 'what is 2+2?'])).toContain('4');
  expect(await run(wooster, ['ask', 'what is 12 * 12?', '--mode', 'code'])).toContain('144');
  writeFileSync(join(app, 'ferry.md'), '# Ferry\n\nThe ferry to Nesodden leaves at seven.\n');
  await run(wooster, ['ingest', 'ferry.md']);
  expect(await run(wooster, ['rag', 'search', 'when does the ferry leave'])).toContain('Nesodden');
  expect(await run(wooster, ['plugins'])).toMatch(/^off\s+tasks/mu);
});

test('a program that was compiled runs by node and from another program, and says what is wrong', async () => {
  const [wooster, node] = [join(app, 'node_modules/.bin/wooster'), join(app, 'node_modules/node/bin/node')];
  const newest = 'let notes = listNotes()\nprint notes[notes.length - 1].text\n';
  const source = `param name: string = "Bo"\nwriteNote("met " + name)\n${newest}return name.length\n`;
  writeFileSync(join(app, 'brief.tl'), source);
  await run(wooster, ['think', 'compile', 'brief.tl', '-o', 'brief.js']);
  expect(await run(node, ['brief.js', 'name=Grace'])).toBe('met Grace\n5\n');
  await expect(run(node, ['brief.js', 'nme=Grace'])).rejects.toThrow('The program has no parameter nme; it has: name.');
  const [, snippet = ''] = /^```js\n(.*?)^```$/msu.exec(readFileSync(join(ROOT, 'docs/library.md'), 'utf8')) ?? [];
  writeFileSync(join(app, 'use.js'), `${snippet}console.log(value, printed, cost.calls);\nawait close();\n`);
  expect(await run(node, ['use.js'])).toBe('met Ada\n3 met Ada 0\n');
});

test('the programs to start from come along', async () => {
  const wooster = join(app, 'node_modules/.bin/wooster');
  expect(await run(wooster, ['think', 'add', '--yes'])).toContain('morning-brief');
  expect(await run(wooster, ['think', 'run', 'morning-brief'])).toContain('Nothing is planned.');
});

test('a plugin of the user, in TypeScript, gets the API of the built program', async () => {
  const folder = join(app, 'data/user-plugins/hello');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'index.ts'),
    `import { definePlugin, defineTool, z } from '#plugin';
     const hello = { name: 'hello', description: 'Say hello.', input: z.object({}), timeoutMs: 1000 };
     const labels = { policy: { effect: 'none' }, provenance: { readsFrom: [] } } as const;
     export default definePlugin({
       name: 'hello', version: '1.0.0', description: 'Greets.',
       getAgentTools: () => [defineTool({ ...hello, ...labels, execute: () => 'hello' })],
     });`,
  );
  writeFileSync(join(app, 'data/.env'), 'PLUGIN_HELLO_ENABLED=true\n');
  expect(await run(join(app, 'node_modules/.bin/wooster'), ['plugins'])).toMatch(/^on\s+hello 1\.0\.0/mu);
});

test('nothing is written into the package', () => {
  expect(existsSync(join(app, 'data/logs'))).toBe(true);
  expect(existsSync(join(app, 'node_modules/wooster/dist/logs'))).toBe(false);
});
