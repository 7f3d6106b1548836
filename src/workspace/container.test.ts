import { chmodSync, statSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { processIdentity } from '../base/process-identity.ts';
import { temporaryFolder } from '../testing/home.ts';
import { type ScriptedProgram, type StartedProgram, scriptPrograms } from '../testing/scripted-programs.ts';
import { chooseBackends } from './backends.ts';
import { containerEngine } from './container.ts';

const LIMITS = { timeoutMs: 5000, memoryMb: 256, processes: 60, diskMb: 64, network: false };
const signal = new AbortController().signal;

/** An engine that answers its commands like this, everything else with success. */
function engine(answers: Readonly<Record<string, ScriptedProgram>> = {}) {
  const started = scriptPrograms(({ file, args }) => answers[file === 'docker' ? (args[0] ?? '') : file] ?? {});
  return { docker: containerEngine({ program: 'docker', image: 'IMG' }), started };
}

const wordsOf = (started: readonly StartedProgram[]) => started.map(({ file, args }) => [file, ...args].join(' '));

const NEW: Readonly<Record<string, ScriptedProgram>> = { inspect: { exitCode: 1 } };
const CLEAN = 'sh -c "$@"; code=$?; kill -9 -1 2>/dev/null; exit $code sh';

test.each([
  ['auto', ['docker', 'podman', 'bubblewrap']],
  ['docker', ['docker']],
  ['podman', ['podman']],
  ['bubblewrap', ['bubblewrap']],
] as const)('%s tries %j', (name, names) => {
  expect(chooseBackends(name, 'IMG').map((backend) => backend.name)).toEqual(names);
});

test('both engines run containers from the image', async () => {
  for (const program of ['docker', 'podman'] as const) {
    const started = scriptPrograms(({ args }) => ({ exitCode: args[0] === 'inspect' ? 1 : 0 }));
    const [backend] = chooseBackends(program, 'my/image');
    await backend?.open({ id: 'c1', dir: temporaryFolder(), limits: LIMITS });
    expect(started.map(({ file }) => file)).toEqual([program, program]);
    expect(started[1]?.args).toContain('my/image');
  }
});

test.each([
  [{ stdout: '27.0\n' }, undefined],
  [{ refused: 'ENOENT' }, 'docker is not installed'],
  [{ refused: 'EACCES' }, 'docker cannot run: spawn docker EACCES'],
  [{ exitCode: 1, stderr: ' Cannot connect.\nIs it up?\n' }, 'docker does not answer: Cannot connect.'],
  [{ exitCode: 3, stderr: ' \n' }, 'docker does not answer: exit 3'],
] as const)('an engine that answers %j is told as %j', async (version, problem) => {
  const { docker, started } = engine({ version });
  expect(docker.name).toBe('docker');
  expect(await docker.problem()).toBe(problem);
  expect(wordsOf(started)).toEqual(['docker version --format {{.Server.Version}}']);
});

test('a container is made with every wall and may write to its folder', async () => {
  const dir = temporaryFolder();
  chmodSync(dir, 0o700);
  const { docker, started } = engine(NEW);
  await docker.open({ id: 'c1', dir, limits: LIMITS });
  expect(statSync(dir).mode & 0o777).toBe(0o777);
  expect(wordsOf(started)).toEqual([
    'docker inspect --format {{.State.Running}} wooster-c1',
    [
      `docker run --detach --name wooster-c1 --label wooster.owner=${processIdentity()}`,
      '--network none --hostname workspace --memory 256m --memory-swap 256m --pids-limit 60 --cpus 2',
      '--ulimit nofile=1024:1024 --ulimit nproc=4096:4096 --ulimit core=0:0 --ulimit fsize=67108864',
      '--read-only --tmpfs /tmp:rw,size=64m,mode=1777 --shm-size 16m',
      '--user 65534:65534 --cap-drop ALL --security-opt no-new-privileges',
      `--volume ${dir}:/workspace --workdir /workspace --env HOME=/workspace`,
      'IMG sh -c trap "exit 0" TERM; while :; do sleep 3600 & wait $!; done',
    ].join(' '),
  ]);
});

test('a workspace with a network gets the bridge', async () => {
  const { docker, started } = engine(NEW);
  await docker.open({ id: 'c1', dir: temporaryFolder(), limits: { ...LIMITS, network: true } });
  expect(wordsOf(started)[1]).toContain(' --network bridge ');
});

test.each([
  [{ stdout: 'true\n' }, ['inspect']],
  [{ stdout: 'false\n' }, ['inspect', 'rm', 'run']],
  [{ exitCode: 1 }, ['inspect', 'run']],
  [{ stdout: 'true\n', exitCode: 1 }, ['inspect', 'run']],
])('of a container that is there as %j a running one is used again', async (inspect, commands) => {
  const { docker, started } = engine({ inspect });
  const box = await docker.open({ id: 'c1', dir: temporaryFolder(), limits: LIMITS });
  expect(started.map(({ args }) => args[0])).toEqual(commands);
  if (commands[1] === 'rm') expect(started[1]?.args).toEqual(['rm', '-f', 'wooster-c1']);
  expect(await box.run({ argv: ['true'], timeoutMs: 100, signal })).toMatchObject({ exitCode: 0 });
  expect(started.at(-1)?.args).toContain('wooster-c1');
});

test('a container that does not start is removed, and the engine is quoted', async () => {
  const { docker, started } = engine({ ...NEW, run: { exitCode: 125, stderr: ' no such image\n' } });
  await expect(docker.open({ id: 'c1', dir: temporaryFolder(), limits: LIMITS })).rejects.toMatchObject({
    code: 'workspace_unavailable',
    message: 'docker run failed: no such image',
    hint: 'Check that the engine is running and has the image WORKSPACE_IMAGE (docker pull).',
  });
  expect(wordsOf(started).slice(2)).toEqual(['docker rm --force wooster-c1']);
});

test('a command runs inside with its input, and its leftovers are killed', async () => {
  const { docker, started } = engine({ ...NEW, exec: { stdout: 'abcdef', stderr: 'err', exitCode: 3 } });
  const box = await docker.open({ id: 'c1', dir: temporaryFolder(), limits: LIMITS });
  const run = { argv: ['cat', 'a b'], stdin: 'in', timeoutMs: 100, signal, maxOutputChars: 4 };
  expect(await box.run(run)).toEqual({
    exitCode: 3,
    stdout: 'abc\n… 2 characters left out …\nf',
    stderr: 'err',
    stopped: undefined,
  });
  expect(wordsOf(started).slice(2)).toEqual([
    `docker exec --interactive --workdir /workspace wooster-c1 ${CLEAN} cat a b`,
  ]);
  expect(await started[2]?.stdin).toBe('in');
});

test('a command ends when the folder is too large, and with the container all it started', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const sizes = ['65536\t/x', '65537\t/x'];
  const started = scriptPrograms(({ file, args }) => {
    if (file === 'du') return { stdout: sizes.shift() ?? '' };
    return args[0] === 'exec' ? { hangs: 'until killed' } : { stdout: 'true' };
  });
  const dir = temporaryFolder();
  const box = await containerEngine({ program: 'docker', image: 'IMG' }).open({ id: 'c1', dir, limits: LIMITS });
  const result = box.run({ argv: ['fill'], timeoutMs: 5000, signal });
  await vi.advanceTimersByTimeAsync(499);
  expect(started.some(({ killed }) => killed)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await result).toMatchObject({ stopped: 'disk' });
  expect(wordsOf(started).slice(2)).toEqual([`du -sk ${dir}`, `du -sk ${dir}`, 'docker restart -t 0 wooster-c1']);
});

test('commands wait for each other, and one that could not run holds up none', async () => {
  let execs = 0;
  const started = scriptPrograms(({ args }) => {
    if (args[0] === 'inspect') return { stdout: 'true' };
    if (args[0] === 'restart') return { exitCode: 1, stderr: 'gone' };
    return execs++ === 0 ? { hangs: 'until killed' } : {};
  });
  const box = await containerEngine({ program: 'docker', image: 'IMG' }).open({
    id: 'c1',
    dir: temporaryFolder(),
    limits: LIMITS,
  });
  const stop = new AbortController();
  const first = box.run({ argv: ['one'], timeoutMs: 5000, signal: stop.signal });
  const second = box.run({ argv: ['two'], timeoutMs: 5000, signal });
  await Promise.resolve();
  expect(wordsOf(started).slice(1)).toEqual([expect.stringContaining('one')]);
  stop.abort();
  await expect(first).rejects.toMatchObject({ message: 'docker restart failed: gone' });
  expect(await second).toMatchObject({ exitCode: 0 });
  expect(wordsOf(started).slice(2)).toEqual(['docker restart -t 0 wooster-c1', expect.stringContaining('two')]);
});

test('closing stops and removes the container', async () => {
  const { docker, started } = engine({ inspect: { stdout: 'true' } });
  const box = await docker.open({ id: 'c1', dir: temporaryFolder(), limits: LIMITS });
  await box.close();
  expect(wordsOf(started).slice(1)).toEqual(['docker stop -t 10 wooster-c1', 'docker rm --force wooster-c1']);
});

test('only containers whose program is gone are swept away', async () => {
  const stdout = `mine ${processIdentity()}\n gone host:1@never#2 \nnobody \n\n`;
  const { docker, started } = engine({ ps: { stdout } });
  await docker.sweep();
  expect(wordsOf(started)).toEqual([
    'docker ps --all --filter label=wooster.owner --format {{.Names}} {{.Label "wooster.owner"}}',
    'docker rm --force gone',
    'docker rm --force nobody',
  ]);
});

test('an engine that does not list its containers is left alone', async () => {
  const { docker, started } = engine({ ps: { exitCode: 1, stdout: 'gone host:1@never#2\n' } });
  await docker.sweep();
  expect(started.length).toBe(1);
});
