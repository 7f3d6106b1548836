import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { Redactor } from '../../base/redact.ts';
import { createGateway } from '../../net/gateway.ts';
import { lastingFolder, temporaryFolder } from '../../testing/home.ts';
import { NO_GRANTS } from '../../testing/plugin.ts';
import { testScope, testToolbox } from '../../testing/scope.ts';
import { wooster } from '../../testing/wooster.ts';
import { Plugins } from '../plugins.ts';

const SOURCE = `import { readFileSync, writeFileSync } from 'node:fs';
import { definePlugin, defineTool, z } from '#plugin';
console.log('noise');
const tool = (name, input, execute) => defineTool({
  name, description: name, input, policy: { effect: 'none' }, provenance: { readsFrom: [] }, timeoutMs: 5000, execute,
});
export default definePlugin({
  name: 'moon', version: '1.2.3', description: 'Says how full the moon is.',
  initialize(host) { this.home = host.config.home; },
  getAgentTools() {
    const { home } = this;
    return [
      tool('moon.phase', z.object({ day: z.int() }), ({ day }) => ({ percent: day * 7 })),
      tool('moon.read', z.object({ path: z.string() }), ({ path }) => readFileSync(path, 'utf8')),
      tool('moon.keep', z.object({}), () => writeFileSync(home + '/moon/log.txt', 'full')),
      tool('moon.variables', z.object({}), () => Object.keys(process.env).filter((name) => /MOON|SECRET/.test(name))),
      tool('moon.spin', z.object({}), () => { for (;;); }),
      tool('moon.leave', z.object({}), () => process.kill(process.pid, 'SIGKILL')),
    ];
  },
});`;

/** A plugin of somebody else, as npm packs it. */
function packed(dir: string, version: string): string {
  const folder = join(dir, 'package');
  mkdirSync(folder, { recursive: true });
  const wooster = { hosts: [], folders: ['moon'], effects: ['none'], env: ['MOON_KEY'] };
  const description = 'Says how full the moon is.';
  const script = `node -e "require('node:fs').writeFileSync('${join(dir, 'ran')}', '')"`;
  const manifest = { name: '@someone/wooster-plugin-moon', version, description, type: 'module', main: 'index.js' };
  const scripts = { postinstall: script };
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, wooster, scripts }));
  writeFileSync(join(folder, 'index.js'), `${SOURCE}\n// ${version}\n`);
  const [name = ''] = execFileSync('npm', ['pack', '--silent', '--ignore-scripts'], { cwd: folder, encoding: 'utf8' })
    .trim()
    .split('\n');
  return join(folder, name);
}

describe('a packed plugin in a fresh home', () => {
  const { dir, remove } = lastingFolder();
  const home = join(dir, 'home');
  const env = { MOON_KEY: 'round', OTHER_SECRET: 'no' };
  beforeAll(async () => {
    mkdirSync(join(home, 'moon'), { recursive: true });
    writeFileSync(join(home, 'memory.md'), 'private');
    const added = await wooster(['plugin', 'add', packed(dir, '1.2.3'), '--yes'], { home, env });
    expect(added.stdout).toContain('moon is on.');
    expect(added.stdout).toContain('effects: none');
    return remove;
  });

  async function calls(home = join(dir, 'home')) {
    const gateway = createGateway({ allowPrivate: [], log: silentLog });
    const plugins = await Plugins.load({
      ...{ oursDir: '/nowhere', theirsDir: undefined, addedDir: join(home, 'state', 'plugins') },
      ...{ switchesFile: join(home, 'state', 'plugins.json'), homeDir: home, timeZone: 'UTC', env, config: {} },
      ...{ log: silentLog, redactor: new Redactor(), reserved: [], gateway, grants: NO_GRANTS },
      foreign: { artifacts: { keep: async () => '' }, fetchFor: () => fetch },
    });
    onTestFinished(() => plugins.shutdown());
    const scope = await testScope();
    const toolbox = testToolbox(plugins.tools(), scope);
    return async (tool: string, input: unknown = {}) => {
      const result = await toolbox.call(tool, input, scope);
      return result.ok ? result.value : result.error;
    };
  }

  test('its tools are there, and no script of the package was run', async () => {
    const call = await calls();
    expect(await call('moon.phase', { day: 3 })).toEqual({ percent: 21 });
    expect(await call('moon.phase', { day: 'x' })).toContain('moon.phase (plugin moon): day: ');
    expect(() => readFileSync(join(dir, 'ran'))).toThrow('ENOENT');
  });

  test('it has its folders and its variables, and nothing else of the home', async () => {
    const call = await calls();
    await call('moon.keep');
    expect(readFileSync(join(home, 'moon', 'log.txt'), 'utf8')).toBe('full');
    expect(await call('moon.read', { path: join(home, 'memory.md') })).toContain(
      'Access to this API has been restricted',
    );
    expect(await call('moon.read', { path: '/etc/hostname' })).toContain('Access to this API has been restricted');
    expect(await call('moon.variables')).toEqual(JSON.stringify(['MOON_KEY']));
  });

  test('it ends without the program', async () => {
    const call = await calls();
    expect(await call('moon.leave')).toContain('moon ended during the call');
    expect(await call('moon.phase', { day: 1 })).toEqual({ percent: 7 });
  });

  test('a busy loop in it is ended, with its name, and nothing of it runs on', async () => {
    const own = temporaryFolder();
    cpSync(home, own, { recursive: true });
    const call = await calls(own);
    const said = await call('moon.spin');
    expect(said).toContain('moon ended during the call (it held its process for 10 s and was stopped');
    await expect.poll(() => processesOf(own), { timeout: 5000 }).toEqual([]);
    const { stdout } = await wooster(['doctor'], { home: own, env });
    expect(stdout).toContain('moon: it held its process for 10 s and was stopped');
  }, 60_000);

  test('an update waits for consent, removal leaves nothing', async () => {
    writeFileSync(join(home, 'state', 'plugins', 'moon', 'source.txt'), packed(dir, '1.3.0'));
    const asked = await wooster(['plugin', 'update', 'moon'], { home, env });
    expect([asked.stdout, asked.code]).toEqual([expect.stringContaining('+ // 1.3.0'), 2]);
    const { stdout } = await wooster(['plugin', 'remove', 'moon'], { home, env });
    expect(stdout).toBe('moon is gone, with its files.\n');
    expect(JSON.parse(readFileSync(join(home, 'state', 'plugins.json'), 'utf8'))).toEqual({});
  });
});

/** What runs and names a folder on its command line. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return line.includes(folder) ? [line] : [];
      } catch {
        return [];
      }
    });
}
