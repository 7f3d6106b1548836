import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Drive the program with an independent client of the Agent Client Protocol, installed for this run alone. */
const ACPX = 'acpx@0.19.1';
const PROGRAM = resolve(import.meta.dirname, '../bin/wooster');

const folder = mkdtempSync(join(tmpdir(), 'acp-client-'));
let failed = 0;
try {
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', folder, ACPX], {
    stdio: 'inherit',
  });
  const acpx = join(folder, 'node_modules/.bin/acpx');
  const home = join(folder, 'home');
  const work = mkdtempSync(join(folder, 'work-'));
  const agent = `${PROGRAM} acp --home ${home}`;
  const env = {
    ...process.env,
    HOME: folder,
    PATH: `${resolve(import.meta.dirname, '../node_modules/node/bin')}:${process.env.PATH}`,
  };
  const run = (name: string, args: readonly string[], expected: RegExp) => {
    const { status, stdout, stderr } = spawnSync(acpx, ['--agent', agent, ...args], {
      cwd: work,
      env,
      encoding: 'utf8',
      timeout: 120_000,
    });
    const ok = status === 0 && expected.test(stdout);
    if (!ok) failed += 1;
    process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${name}\n${ok ? '' : `${stdout}\n${stderr}\n`}`);
  };
  run('a prompt', ['--approve-all', 'exec', 'note: buy milk'], /buy milk/u);
  run('as JSON', ['--approve-all', '--format', 'json', 'exec', 'what is 2 + 3?'], /5/u);
  run('with all permissions denied', ['--deny-all', '--format', 'json', 'exec', 'note: buy eggs'], /eggs/u);
  run('a new session', ['--approve-all', 'sessions', 'new'], /./u);
  run('a prompt in it', ['--approve-all', 'prompt', 'note: buy bread'], /bread/u);
  run('its mode', ['set-mode', 'code_agent'], /code_agent|mode/u);
  run('the list of sessions', ['sessions', 'list'], /./u);
  run('a cancel with nothing running', ['cancel'], /./u);
  run('the end of the session', ['sessions', 'close'], /./u);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
}
process.exitCode = failed === 0 ? 0 : 1;
