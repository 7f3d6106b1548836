import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { npmRegistry } from '../../testing/npm-registry.ts';
import { wooster } from '../../testing/wooster.ts';

const NAME = '@someone/wooster-plugin-moon';

/** A plugin as its author publishes it, with a dependency and a script that must not run. */
function moon(version: string, ran: string) {
  const about = { name: NAME, version, description: 'Says how full the moon is.', type: 'module', main: 'index.js' };
  const scripts = { postinstall: `node -e "require('node:fs').writeFileSync('${ran}', '')"` };
  const wooster = { hosts: [], folders: [], effects: ['none'] };
  return {
    'package.json': JSON.stringify({ ...about, scripts, wooster, dependencies: { 'full-moon': '^1.0.0' } }),
    'index.js': `import { percent } from 'full-moon';
      import { definePlugin, defineTool, z } from '#plugin';
      export default definePlugin({
        name: 'moon', version: '${version}', description: 'Says how full the moon is.',
        getAgentTools: () => [defineTool({
          name: 'moon.phase', description: 'Say how full the moon is (${version}).', input: z.object({ day: z.int() }),
          policy: { effect: 'none', reads: 'public' }, provenance: { returns: 'trusted' }, execute: ({ day }) => percent(day),
        })],
      });`,
  };
}

const NEEDED = {
  'package.json': '{"name":"full-moon","version":"1.0.0","type":"module","main":"index.js"}',
  'index.js': 'export const percent = (day) => day * 7;',
};
const SKILLS = {
  'package.json': '{"name":"garden-skills","version":"2.0.0"}',
  'skills/prune/SKILL.md': '---\nname: prune\ndescription: When and how to prune roses.\n---\nPrune in March.\n',
};

test('a plugin and skills come from a registry by name, and the plugin is brought up to date from there', async () => {
  const registry = await npmRegistry();
  const home = temporaryFolder();
  const ran = join(home, 'ran');
  for (const files of [NEEDED, moon('1.2.3', ran), SKILLS]) registry.publish(files);
  const run = (...args: string[]) => wooster(args, { home, env: registry.env });

  const added = await run('plugin', 'add', NAME, '--yes');
  expect(added.stdout, added.stderr).toContain('moon is on.');
  expect(registry.asked()).toEqual(expect.arrayContaining([`/${NAME}`, '/full-moon']));
  expect((await run('tools', 'moon.phase')).stdout).toContain('(1.2.3)');
  registry.publish(moon('1.3.0', ran));
  expect((await run('plugin', 'update', 'moon', '--yes')).code).toBe(0);
  expect((await run('tools', 'moon.phase')).stdout).toContain('(1.3.0)');
  expect(existsSync(ran)).toBe(false);

  const missing = await run('plugin', 'add', '@someone/wooster-plugin-sun', '--yes');
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('wooster-plugin-sun')]);
  expect((await run('skills', 'add', 'garden-skills')).stdout).toContain('prune');
  expect((await run('skills', 'list')).stdout).toMatch(/prune/u);
}, 120_000);
