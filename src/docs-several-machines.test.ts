import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './testing/home.ts';
import { STORE_KINDS } from './testing/stores.ts';
import { query, serverUrl } from './testing/test-database.ts';
import { childEnvironment, rows } from './testing/wooster.ts';

const ROOT = resolve(import.meta.dirname, '..');
const PAGE = readFileSync(join(ROOT, 'docs/several-machines.md'), 'utf8');
/** Some twenty starts of the program, and three workers until all are seen. */
const PAGE_MS = 400_000;

/** The fenced blocks of one language: `sh` runs as it is, `bash` only where the reader has filled in their own names. */
function blocks(language: string): string[] {
  const fenced = PAGE.matchAll(/^```(\w+)\n(.*?)^```$/gmsu);
  return [...fenced].filter((match) => match[1] === language).map((match) => match[2] ?? '');
}

/** What the page lets the administrator do, with a name of its own. @returns the URL for the programs. */
async function administer(): Promise<string> {
  const name = `docs_${randomBytes(4).toString('hex')}`;
  const [sql = ''] = blocks('sql');
  const named = sql.replace(/\bwooster\b/gu, name);
  onTestFinished(async () => {
    await query(serverUrl(), `drop database if exists ${name} with (force)`);
    await query(serverUrl(), `drop role if exists ${name}`);
  });
  for (const statement of named.split(';').filter((each) => each.trim() !== '')) await query(serverUrl(), statement);
  return Object.assign(new URL(serverUrl()), { username: name, password: 'CHOSEN', pathname: `/${name}` }).href;
}

describe.runIf(STORE_KINDS.includes('postgres'))('docs/several-machines.md', () => {
  test('every command in it runs, in the order of the page, and three workers share the home', {
    timeout: PAGE_MS,
  }, async () => {
    const [home, projects] = [temporaryFolder(), temporaryFolder()];
    const own = { ROUTING_LOCAL_ENABLED: 'false', WOOSTER_HOME: home };
    // The home that the page moves.
    const run = (block: string, env: NodeJS.ProcessEnv) =>
      spawnSync('sh', ['-ec', block], { cwd: ROOT, encoding: 'utf8', input: '', env });
    const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE } = childEnvironment({ home });
    const plain = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, ...own };
    expect(run('bin/wooster ask "note: oat milk"', plain).status).toBe(0);
    const env = { ...plain, WOOSTER_STORE_URL: await administer(), WOOSTER_PROJECTS_DIR: projects };
    const shown: string[] = [];
    for (const block of blocks('sh')) {
      const { status, stdout, stderr } = run(block, env);
      expect(status, `${block}\n${stdout}${stderr}`).toBe(0);
      shown.push(stdout);
    }
    const workers = shown.find((each) => each.includes('Running schedules')) ?? '';
    expect(workers.match(/^worker .*seen/gmu)).toHaveLength(4);
    const machine = rows(workers.slice(workers.lastIndexOf('\n{')));
    expect(machine).toMatchObject([{ store: { kind: 'postgres' }, runs: { due: 0 } }]);
  });
});
