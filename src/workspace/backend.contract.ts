import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backend, Box, BoxResult } from './backend.ts';
import { BoxFiles } from './box-files.ts';

const LIMITS = { timeoutMs: 10_000, memoryMb: 128, processes: 40, diskMb: 32, network: false } as const;

/** Ways to get out and ways to take too much. Each script prints `ESCAPED` when it got what it must not get. */
const ESCAPES: readonly (readonly [string, string])[] = [
  ['writing outside', 'touch /usr/x 2>/dev/null && echo ESCAPED'],
  ['writing into the root', 'touch /x 2>/dev/null && echo ESCAPED'],
  ['writing into /etc', 'mkdir -p /etc 2>/dev/null; echo x > /etc/passwd && echo ESCAPED'],
  ["reading the host's home", 'ls /root /home/* 2>/dev/null | grep . && echo ESCAPED'],
  ['reading shadow', 'cat /etc/shadow && echo ESCAPED'],
  ["reading the program's environment", 'cat /proc/*/environ | tr "\\0" "\\n" | grep WOOSTER_SECRET && echo ESCAPED'],
  ['reaching the container socket', 'ls /var/run/docker.sock /run/podman/podman.sock && echo ESCAPED'],
  ["reading the host's secret file", 'cat "$1/secret" && echo ESCAPED'],
  ['TCP over IPv4', 'bash -c "exec 3<>/dev/tcp/127.0.0.1/$2" && echo ESCAPED'],
  ['TCP over IPv6', 'bash -c "exec 3<>/dev/tcp/::1/$2" && echo ESCAPED'],
  ['an outside address', 'bash -c "exec 3<>/dev/udp/1.1.1.1/53 && echo x >&3" && echo ESCAPED'],
  ['name resolution', 'getent hosts example.com && echo ESCAPED'],
  ['mounting', 'mount -t tmpfs none /workspace && echo ESCAPED'],
  ['tracing another process', 'test -r /proc/1/mem && head -c 1 /proc/1/mem && echo ESCAPED'],
  ['becoming root', 'find / -xdev -perm -4000 -type f 2>/dev/null | head -1 | grep -q . && su -c "echo ESCAPED"'],
  ["killing the host's program", 'kill -9 "$3" && test "$3" != "$$" && ls /proc/"$3" && echo ESCAPED'],
  ['making a device', 'mknod /workspace/disk b 8 0 && echo ESCAPED'],
  ['writing to the kernel', '(: >> /proc/sys/kernel/panic) && echo ESCAPED'],
  ['a process storm', 'i=0; while [ $i -lt 80 ]; do sleep 3 & i=$((i+1)); done 2>/dev/null && echo ESCAPED'],
  [
    'a gigabyte of memory',
    'test "$(head -c 1000000000 /dev/zero | tail -c 1000000000 | wc -c)" = 1000000000 && echo ESCAPED',
  ],
  ['a gigabyte in shared memory', 'head -c 1000000000 /dev/zero > /dev/shm/x && echo ESCAPED'],
  ['a file that is too large', 'head -c 200000000 /dev/zero > /workspace/big && echo ESCAPED'],
];

/** What every backend must pass: no escape, every limit, and the file tools inside. */
export function backendContract(backend: Backend): void {
  describe(`a workspace on ${backend.name}`, () => {
    let box: Box;
    let dir: string;
    let port = 0;
    const listener = createServer((socket) => socket.end());
    const signal = new AbortController().signal;
    const sh = (script: string, timeoutMs = 8000): Promise<BoxResult> =>
      box.run({ argv: ['sh', '-c', script, 'sh', dir, String(port), String(process.pid)], timeoutMs, signal });

    beforeAll(async () => {
      const parent = mkdtempSync(join(tmpdir(), 'wooster-box-'));
      dir = join(parent, 'files');
      mkdirSync(dir, { mode: 0o777 });
      writeFileSync(join(parent, 'secret'), 'the host');
      await new Promise<void>((resolve) => listener.listen(0, '::', resolve));
      const address = listener.address();
      port = typeof address === 'object' && address ? address.port : 0;
      box = await backend.open({ id: `contract-${process.pid}`, dir, limits: LIMITS });
    });
    afterAll(async () => {
      await box.close();
      listener.close();
      rmSync(join(dir, '..'), { recursive: true, force: true });
    });

    test.each(ESCAPES)('%s is not possible', async (_name, script) => {
      const { stdout } = await sh(script);
      expect(stdout).not.toContain('ESCAPED');
      await sh('rm -rf /workspace/big');
    });

    test('a spinning command ends at its time', async () => {
      expect(await sh('while :; do :; done', 500)).toMatchObject({ stopped: 'timeout' });
    });

    test('an orphan dies with its command', async () => {
      await sh('setsid sh -c "while :; do date +%N > /workspace/alive; done" & sleep 20', 500);
      const first = await sh('cat /workspace/alive');
      const second = await sh('sleep 0.2; cat /workspace/alive');
      expect(second.stdout).toBe(first.stdout);
    });

    test('of 100 MB of output the two ends are kept', async () => {
      const { stdout } = await sh('echo first; head -c 100000000 /dev/zero | tr "\\0" x; echo; echo last');
      expect(stdout.length).toBeLessThan(10_200);
      expect(stdout).toMatch(/^first\n[\s\S]*characters left out[\s\S]*\nlast\n$/u);
    });

    test('an abort ends the command', async () => {
      const stop = new AbortController();
      const running = box.run({ argv: ['sleep', '20'], timeoutMs: 20_000, signal: stop.signal });
      stop.abort();
      expect(await running).toMatchObject({ stopped: 'aborted' });
    });

    test('exit code and error output are told', async () => {
      expect(await sh('echo no >&2; exit 7')).toMatchObject({ exitCode: 7, stderr: 'no\n' });
    });

    test.each([
      ['notes.txt', 'plain'],
      ['deep/er/file "with" $quotes \'and\' spaces.txt', 'x\n'],
      ['/workspace/absolute.txt', 'ünïcode ✓\n'],
      ['large.txt', 'line\n'.repeat(200_000)],
    ])('%s is written and read back', async (path, content) => {
      const files = new BoxFiles(async () => box);
      await files.write('home', path, content);
      expect(await files.read('home', path)).toBe(content);
      expect(await files.exists('home', path)).toBe(true);
    });

    test('folders are listed', async () => {
      const files = new BoxFiles(async () => box);
      await files.write('home', 'list/a.txt', '');
      await files.write('home', 'list/b/c.txt', '');
      expect(await files.list('home', 'list')).toEqual([
        { name: 'a.txt', folder: false, bytes: 0 },
        { name: 'b', folder: true },
      ]);
      expect(await files.files('home', 'list')).toEqual([
        { path: 'list/a.txt', bytes: 0 },
        { path: 'list/b/c.txt', bytes: 0 },
      ]);
    });

    test('files are edited, moved and deleted, and nothing is moved out or over another', async () => {
      const files = new BoxFiles(async () => box);
      await files.write('home', 'change/a.txt', 'one');
      expect(await files.edit('home', 'change/a.txt', async (text) => `${text} two`)).toBe('one two');
      await files.move('home', { from: 'change/a.txt', to: 'change/deep/b.txt' });
      expect(await files.read('home', 'change/deep/b.txt')).toBe('one two');
      const out = files.move('home', { from: 'change/deep/b.txt', to: '../b.txt' });
      await expect(out).rejects.toMatchObject({ code: 'path_refused' });
      await files.delete('home', 'change/deep/b.txt');
      expect(await files.exists('home', 'change/deep/b.txt')).toBe(false);
      await expect(files.delete('home', 'change')).rejects.toMatchObject({ code: 'file_not_found' });
    });

    test.each(['../../etc/passwd', '/etc/passwd', 'link/passwd', '/workspace/../etc/passwd'])(
      '%s is refused',
      async (path) => {
        try {
          symlinkSync('/etc', join(dir, 'link'));
        } catch {
          // The last case created it.
        }
        const files = new BoxFiles(async () => box);
        await expect(files.read('home', path)).rejects.toMatchObject({ code: 'path_refused' });
        await expect(files.write('home', path, 'x')).rejects.toMatchObject({ code: 'path_refused' });
      },
    );

    test("files are the host's folder, so a new box has them", async () => {
      await new BoxFiles(async () => box).write('home', 'kept.txt', 'still here');
      expect(readFileSync(join(dir, 'kept.txt'), 'utf8')).toBe('still here');
    });
  });
}
