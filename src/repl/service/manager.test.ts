import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/home.ts';
import { install, lingering, managerOf, perform, type RunProgram, uninstall } from './manager.ts';

function scene(platform: NodeJS.Platform) {
  const homeDir = temporaryFolder();
  const user = { platform, uid: 501, name: 'me', homeDir, env: {} };
  const facts = {
    ...{ name: 'wooster', home: join(homeDir, 'wooster'), launcher: '/opt/wooster/bin/wooster' },
    ...{ environment: join(homeDir, 'wooster/state/service.env'), output: join(homeDir, 'service.log') },
  };
  const ran: string[] = [];
  const run: RunProgram = async (program, words) => {
    ran.push([program, ...words].join(' '));
    return 'told\n';
  };
  return { user, manager: managerOf(user, facts, { OPENAI_API_KEY: 'k' }), ran, run };
}

describe.each(['linux', 'darwin'] as const)('on %s', (platform) => {
  test('a service is installed for its owner alone, once more over itself, and removed', async () => {
    const { manager, ran, run } = scene(platform);
    for (let times = 0; times < 2; times++) {
      const files = await install(manager, run);
      expect(files.map((path) => statSync(path).mode & 0o777)).toEqual(files.map(() => 0o600));
      expect(files.map((path) => readFileSync(path, 'utf8')).join('')).toContain('OPENAI_API_KEY');
    }
    expect(ran.at(-1)).toMatch(/^(?:systemctl --user enable --now wooster\.service|launchctl bootstrap gui\/501 .*)$/u);
    const { files, problem } = await uninstall(manager, run);
    expect([files.length > 0, files.filter((path) => existsSync(path)), problem]).toEqual([true, [], undefined]);
    expect(await uninstall(manager, run)).toEqual({ files: [], problem: undefined });
  });

  test('of one that cannot be started nothing stays, unless it was installed before', async () => {
    const { manager, run } = scene(platform);
    const failing = () => Promise.reject(new Error('Failed to connect to bus'));
    const left = () => manager.files.filter(({ path }) => existsSync(path));
    await expect(install(manager, failing)).rejects.toThrow('Failed to connect to bus');
    expect(left()).toEqual([]);
    await install(manager, run);
    await expect(install(manager, failing)).rejects.toThrow('Failed to connect to bus');
    expect(left()).toEqual(manager.files);
  });

  test('one that was stopped before is removed all the same', async () => {
    const { manager, run } = scene(platform);
    await install(manager, run);
    const { files, problem } = await uninstall(manager, () => Promise.reject(new Error('No such process')));
    expect(files.filter((path) => existsSync(path))).toEqual([]);
    expect(problem).toContain('No such process');
  });
});

test('what the manager says when it fails is passed on', async () => {
  const { manager } = scene('linux');
  const failing = () => Promise.reject(new Error('Failed to connect to bus'));
  await expect(perform(manager, 'start', failing)).rejects.toMatchObject({
    message: '`systemctl --user start wooster.service` failed: Failed to connect to bus.',
    hint: expect.stringContaining('docs/service.md'),
  });
});

test('another system is refused with what can be done there', () => {
  expect(() => scene('win32')).toThrow('Services on win32 are not known');
});

test.each([
  ['is on already', ['yes'], undefined, 1],
  ['may be turned on by the user', ['no', 'yes'], undefined, 3],
  ['is for an administrator', ['no', 'no'], 'sudo loginctl enable-linger me', 3],
])('lingering %s', async (_, answers, missing, programs) => {
  const { user } = scene('linux');
  const ran: string[] = [];
  const left = [...answers];
  const run: RunProgram = async (program, words) => {
    ran.push(`${program} ${words[0]}`);
    return words[0] === 'show-user' ? `${left.shift()}\n` : '';
  };
  expect(await lingering(user, run)).toBe(missing);
  expect(ran).toHaveLength(programs);
});
