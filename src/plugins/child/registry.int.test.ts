import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { webServer } from '../../testing/web-server.ts';
import { wooster } from '../../testing/wooster.ts';

/** Files of a package by path, `package.json` among them. */
type PackageFiles = Readonly<Record<string, string>>;

interface NpmRegistry {
  /** What npm has to be told, to ask this registry and keep nothing. */
  readonly env: Readonly<Record<string, string>>;
  /** What was asked for, in order. */
  readonly asked: () => readonly string[];
  publish(files: PackageFiles): void;
}

/** A registry of npm on this machine: the documents of its packages, and its packages. */
async function npmRegistry(): Promise<NpmRegistry> {
  const dir = temporaryFolder();
  const versions = new Map<string, Record<string, object>>();
  const packed = new Map<string, Buffer>();
  const server = await webServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const [file, known] = [packed.get(path), versions.get(path)];
    if (file) response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file);
    else if (known) response.writeHead(200, { 'content-type': 'application/json' }).end(documentOf(path, known));
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}');
  });
  return {
    env: { npm_config_registry: `${server.origin}/`, npm_config_cache: join(dir, 'cache') },
    asked: () => server.received.map(({ url }) => decodeURIComponent(url)),
    publish(files) {
      const about = JSON.parse(files['package.json'] ?? '{}') as { name: string; version: string };
      const tarball = pack(mkdtempSync(join(dir, 'package-')), files);
      const path = `${about.name}/-/${about.version}.tgz`;
      packed.set(path, tarball);
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      const dist = { tarball: `${server.origin}/${path}`, integrity };
      versions.set(about.name, { ...versions.get(about.name), [about.version]: { ...about, dist } });
    },
  };
}

function documentOf(name: string, versions: Record<string, object>): string {
  return JSON.stringify({ name, versions, 'dist-tags': { latest: Object.keys(versions).at(-1) } });
}

function pack(folder: string, files: PackageFiles): Buffer {
  for (const [path, content] of Object.entries(files)) {
    const place = join(folder, 'package', path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
  return readFileSync(join(folder, 'package.tgz'));
}

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
          policy: { effect: 'none' }, provenance: { readsFrom: [] }, execute: ({ day }) => percent(day),
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
