import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from './testing/home.ts';

const ROOT = resolve(import.meta.dirname, '..');
const STAMP = 'node_modules/.package-lock.json';

/** Stands for npm: notes its words and its standard input, waits for `go` if told to, and leaves what an install leaves. */
const NPM = `#!/bin/sh
echo "$*" >> "$NOTES/words"
cat >> "$NOTES/input"
[ -z "$NPM_FAILS" ] || exit 1
while [ -n "$NPM_WAITS" ] && [ ! -e "$NOTES/go" ]; do sleep 0.1; done
mkdir -p node_modules/node/bin
printf '#!/bin/sh\\necho "runs $*"\\n' > node_modules/node/bin/node
chmod +x node_modules/node/bin/node
touch ${STAMP}
`;

function checkout() {
  const root = temporaryFolder();
  for (const path of ['bin/wooster', 'scripts/install.sh']) cpSync(join(ROOT, path), join(root, path));
  writeFileSync(join(root, 'package-lock.json'), '{}');
  mkdirSync(join(root, 'path'));
  writeFileSync(join(root, 'path/npm'), NPM);
  chmodSync(join(root, 'path/npm'), 0o755);
  return {
    root,
    start(env: Record<string, string> = {}, word = 'ask') {
      const path = `${join(root, 'path')}:${process.env.PATH}`;
      const options = { cwd: '/', input: 'a question\n', encoding: 'utf8' as const };
      return spawnSync(join(root, 'bin/wooster'), [word], { ...options, env: { PATH: path, NOTES: root, ...env } });
    },
    /** The same in a process group of its own, without waiting for its end. */
    begin(env: Record<string, string> = {}) {
      const path = `${join(root, 'path')}:${process.env.PATH}`;
      const options = { cwd: '/', detached: true, env: { PATH: path, NOTES: root, NPM_WAITS: '1', ...env } };
      const child = spawn(join(root, 'bin/wooster'), ['ask'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
      const said = { stdout: '', stderr: '' };
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said.stdout += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said.stderr += text;
      });
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      const killAll = () => {
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
      };
      onTestFinished(() => {
        try {
          killAll();
        } catch {
          // Its group has ended by itself.
        }
      });
      return { said, ended, killAll };
    },
    go: () => writeFileSync(join(root, 'go'), ''),
    installs: () =>
      existsSync(join(root, 'words')) ? readFileSync(join(root, 'words'), 'utf8').trim().split('\n') : [],
    age(path: string, seconds: number) {
      const then = new Date(Date.now() - seconds * 1000);
      utimesSync(join(root, path), then, then);
    },
  };
}

describe('the launcher', () => {
  test('installs from the lock on a fresh clone, says so on stderr, and leaves standard input alone', () => {
    const { root, start, installs } = checkout();
    const ran = start();
    expect(installs()).toEqual([expect.stringMatching(/^ci\b/u)]);
    expect(readFileSync(join(root, 'input'), 'utf8')).toBe('');
    expect(ran.stderr).toContain('Installing packages from the lock');
    expect(ran.stdout).toBe(`runs --no-sparkplug --max-semi-space-size=1 ${root}/src/main.ts ask\n`);
  });

  test('a service keeps less in memory: no cache of code, one heap of glibc, and V8 is told to be small', () => {
    const { root, start } = checkout();
    const shown = join(root, 'node_modules/node/bin/node');
    start();
    writeFileSync(shown, '#!/bin/sh\necho "$NODE_DISABLE_COMPILE_CACHE $MALLOC_ARENA_MAX $*"\n');
    expect(start({}, 'serve').stdout).toMatch(/^1 1 .*--optimize-for-size .* serve\n$/u);
    expect(start().stdout).toMatch(/^ {2}--no-sparkplug/u);
  });

  test('does not install again until the lock is newer', () => {
    const { start, installs, age } = checkout();
    start();
    age('package-lock.json', 60);
    expect(start().stderr).toBe('');
    expect(installs()).toHaveLength(1);
    age(STAMP, 120);
    start();
    // Only what is missing: emptying the folder would pull it away under programs that are running.
    expect(installs()).toEqual([expect.stringMatching(/^ci\b/u), expect.stringMatching(/^install\b/u)]);
  });

  test('says what is needed when the installation fails, and does not start', () => {
    const ran = checkout().start({ NPM_FAILS: '1' });
    expect(ran.status).toBe(1);
    expect(ran.stderr).toContain('Node 20 or newer, npm, python3, make and g++ are needed');
    expect(ran.stdout).toBe('');
  });
});

describe('a linked node_modules, as in a git worktree', () => {
  /** A checkout with packages, and a second one whose node_modules is a link to them and whose lock is newer. */
  function worktree(lock: string) {
    const main = checkout();
    main.start();
    const linked = checkout();
    symlinkSync(join(main.root, 'node_modules'), join(linked.root, 'node_modules'));
    writeFileSync(join(linked.root, 'package-lock.json'), lock);
    main.age(STAMP, 60);
    return { main, linked };
  }

  test('is never installed into, and is used in silence when it fits the lock', () => {
    const { main, linked } = worktree('{}');
    const ran = linked.start();
    expect([ran.stdout, ran.stderr]).toEqual([
      `runs --no-sparkplug --max-semi-space-size=1 ${linked.root}/src/main.ts ask\n`,
      '',
    ]);
    expect(linked.installs()).toEqual([]);
    expect(existsSync(join(main.root, STAMP))).toBe(true);
  });

  test('is used with a warning when the locks differ', () => {
    const { linked } = worktree('{"lockfileVersion": 3}');
    const ran = linked.start();
    expect(ran.stderr).toContain('its packages may not match package-lock.json');
    expect([ran.status, linked.installs()]).toEqual([0, []]);
  });

  test('stops the start when there are no packages behind it', () => {
    const { main, linked } = worktree('{}');
    rmSync(join(main.root, 'node_modules'), { recursive: true });
    const ran = linked.start();
    expect([ran.status, ran.stdout, linked.installs()]).toEqual([1, '', []]);
    expect(ran.stderr).toContain('node_modules is a link to a folder without installed packages');
    expect(existsSync(join(linked.root, '.installing'))).toBe(false);
  });
});

const WITHIN = { timeout: 20_000, interval: 50 };

describe('two starts at the same moment', () => {
  test('install once: the second says that it waits, and then has nothing left to do', async () => {
    const { begin, go, installs, root } = checkout();
    const [first, second] = [begin(), begin()];
    await vi.waitUntil(() => installs().length > 0, WITHIN);
    await vi.waitUntil(() => /waiting for it/u.test(first.said.stderr + second.said.stderr), WITHIN);
    go();
    expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
    expect(installs()).toHaveLength(1);
    expect([first.said.stdout, second.said.stdout]).toEqual(
      Array(2).fill(`runs --no-sparkplug --max-semi-space-size=1 ${root}/src/main.ts ask\n`),
    );
    expect(existsSync(join(root, '.installing'))).toBe(false);
  }, 60_000);

  test('a first one that was killed does not block the second', async () => {
    const { begin, go, installs } = checkout();
    const first = begin();
    await vi.waitUntil(() => installs().length === 1, WITHIN);
    first.killAll();
    await first.ended;
    go();
    const second = begin();
    expect(await second.ended).toBe(0);
    expect(installs()).toHaveLength(2);
    expect(second.said.stdout).toContain('runs ');
  }, 60_000);

  test('what a killed one left is cleared away by one of many', async () => {
    const { begin, go, installs } = checkout();
    const first = begin();
    await vi.waitUntil(() => installs().length === 1, WITHIN);
    first.killAll();
    await first.ended;
    const others = [begin(), begin(), begin(), begin()];
    await vi.waitUntil(() => installs().length === 2, WITHIN);
    await vi.waitUntil(() => others.filter(({ said }) => said.stderr.includes('waiting for it')).length === 3, WITHIN);
    go();
    expect(await Promise.all(others.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    expect(installs()).toHaveLength(2);
  }, 60_000);

  test('an npm whose script was killed is waited for', async () => {
    const { begin, go, installs, root } = checkout();
    begin();
    await vi.waitUntil(() => installs().length === 1, WITHIN);
    process.kill(Number(readFileSync(join(root, '.installing/owner'), 'utf8')), 'SIGKILL');
    const second = begin();
    await vi.waitUntil(() => second.said.stderr.includes('waiting for it'), WITHIN);
    go();
    expect(await second.ended).toBe(0);
    expect(installs()).toHaveLength(1);
  }, 60_000);

  test('a process id that another program got since does not block either', async () => {
    const { begin, go, root } = checkout();
    mkdirSync(join(root, '.installing'));
    writeFileSync(join(root, '.installing/owner'), `${process.pid}\n`);
    go();
    expect(await begin().ended).toBe(0);
  }, 60_000);
});
