import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { launchdPlist, serviceName, systemdEnvironment, systemdUnit } from './unit.ts';

const facts = {
  name: 'wooster',
  home: '/home/me/my "home" 100% $x',
  launcher: '/opt/wooster & co/bin/wooster',
  environment: '/home/me/state/service.env',
  output: '/home/me/logs/service.log',
};
const hasSystemd = existsSync('/usr/bin/systemd-analyze');

/** What systemd says about a unit: it succeeds with unknown keys, and only tells. */
function verified(unit: string): string {
  const dir = temporaryFolder();
  const path = join(dir, 'wooster.service');
  writeFileSync(path, unit);
  const env = { ...process.env, XDG_RUNTIME_DIR: dir };
  const { stderr, stdout, status } = spawnSync('systemd-analyze', ['--user', 'verify', path], {
    env,
    encoding: 'utf8',
  });
  const said = `${stdout}${stderr}`.split('\n').filter((line) => line.includes('wooster.service'));
  return [...(status === 0 ? [] : [`exit ${status}`]), ...said].join('\n');
}

describe.runIf(hasSystemd)('the unit', () => {
  test('is understood by systemd, whatever the folders are called', () => {
    const dir = temporaryFolder();
    const launcher = join(dir, 'a "b" $c', 'bin', 'wooster');
    mkdirSync(join(launcher, '..'), { recursive: true });
    writeFileSync(launcher, '');
    chmodSync(launcher, 0o755);
    expect(verified(systemdUnit({ ...facts, launcher }))).toBe('');
  });

  test('would not be, with a key that systemd does not know', () => {
    expect(verified(`${systemdUnit(facts)}\n[Service]\nRestrat=always\n`)).toContain('Restrat');
  });
});

test('the variables come through a file for systemd as they are', () => {
  const variables = { A: 'a "b" \\c $d `e`', B: "it's" };
  // The rules for double quotes are those of a shell.
  const path = join(temporaryFolder(), 'env');
  writeFileSync(path, systemdEnvironment(variables));
  const shell = spawnSync('sh', ['-c', `. ${path}; printf '%s|%s' "$A" "$B"`], { encoding: 'utf8' });
  expect(shell.stdout).toBe(`${variables.A}|${variables.B}`);
  expect(Object.keys(parseEnv(readFileSync(path, 'utf8')))).toEqual(['A', 'B']);
});

test('the launch agent is a property list, whatever the folders are called', () => {
  const read = 'import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))';
  const input = launchdPlist(facts, { WOOSTER_HOME: facts.home, KEY: '<a & b>' });
  const { stdout } = spawnSync('python3', ['-c', read], { input, encoding: 'utf8' });
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ Label: 'wooster.wooster', RunAtLoad: true, KeepAlive: true, Umask: 0o077 },
    ProgramArguments: ['/bin/sh', facts.launcher, 'serve', '--home', facts.home],
    EnvironmentVariables: { WOOSTER_HOME: facts.home, KEY: '<a & b>' },
  });
});

test('each home of a user has a service of its own', () => {
  expect(serviceName('/opt/wooster', '/opt/wooster')).toBe('wooster');
  const names = ['/home/me/Mein Haus', '/srv/Mein Haus', '/'].map((home) => serviceName(home, '/opt/wooster'));
  expect(new Set(names).size).toBe(3);
  expect(names[0]).toMatch(/^wooster-mein-haus-[0-9a-f]{6}$/u);
});
