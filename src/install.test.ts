import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from './testing/home.ts';

const ROOT = resolve(import.meta.dirname, '..');
const STAMP = 'node_modules/.package-lock.json';

/** Stands for npm: notes its words and its standard input, and leaves what an install leaves. */
const NPM = `#!/bin/sh
echo "$*" >> "$NOTES/words"
cat >> "$NOTES/input"
[ -z "$NPM_FAILS" ] || exit 1
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
    start(env: Record<string, string> = {}) {
      const path = `${join(root, 'path')}:${process.env.PATH}`;
      const options = { cwd: '/', input: 'a question\n', encoding: 'utf8' as const };
      return spawnSync(join(root, 'bin/wooster'), ['ask'], { ...options, env: { PATH: path, NOTES: root, ...env } });
    },
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
    expect(ran.stdout).toBe(`runs ${root}/src/main.ts ask\n`);
  });

  test('does not install again until the lock is newer', () => {
    const { start, installs, age } = checkout();
    start();
    age('package-lock.json', 60);
    expect(start().stderr).toBe('');
    expect(installs()).toHaveLength(1);
    age(STAMP, 120);
    start();
    expect(installs()).toHaveLength(2);
  });

  test('says what is needed when the installation fails, and does not start', () => {
    const ran = checkout().start({ NPM_FAILS: '1' });
    expect(ran.status).toBe(1);
    expect(ran.stderr).toContain('Node 20 or newer, npm, python3, make and g++ are needed');
    expect(ran.stdout).toBe('');
  });
});
