/**
 * The official conformance test of MCP clients, against ours: `npm run test:mcp`. It comes from npm for the run, since
 * its 122 packages are for nothing else.
 */
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const PACKAGE = '@modelcontextprotocol/conformance@0.1.16';
const SCENARIOS = ['initialize', 'tools_call', 'elicitation-sep1034-client-defaults', 'sse-retry'];
const LIMIT_MS = 120_000;

const client = `${process.execPath} --disable-warning=ExperimentalWarning ${join(ROOT, 'src/testing/mcp-conformance-child.ts')}`;
let [passed, failed] = [0, 0];
for (const scenario of SCENARIOS) {
  const args = ['--yes', PACKAGE, 'client', '--command', client, '--scenario', scenario];
  const ran = spawnSync('npx', args, { cwd: ROOT, encoding: 'utf8', timeout: LIMIT_MS });
  const said = `${ran.stdout}${ran.stderr}`;
  const [, good = '0', all = '0'] = /Passed:\s*(\d+)\/(\d+)/u.exec(said) ?? [];
  const isBad = ran.status !== 0 || good !== all || all === '0';
  passed += Number(good);
  failed += Number(all) - Number(good) + (isBad && good === all ? 1 : 0);
  process.stdout.write(`${isBad ? 'MISS' : 'ok  '}  ${scenario.padEnd(38)} ${good}/${all}\n${isBad ? said : ''}`);
}
process.stdout.write(`${passed} checks passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
