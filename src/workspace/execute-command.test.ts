import { expect, test } from 'vitest';
import { testScope, testToolbox } from '../testing/scope.ts';
import { changeOf } from '../tools/tool.ts';
import type { BoxResult, BoxRun } from './backend.ts';
import { createExecuteCommandTool } from './execute-command.ts';

const LIMITS = { timeoutMs: 5000, memoryMb: 256, processes: 60, diskMb: 64, network: false };

/** The tool over a box that comes to this, and what happened in order. */
function world(result: Partial<BoxResult>, changes: Partial<typeof LIMITS> = {}) {
  const told: unknown[] = [];
  const runs: BoxRun[] = [];
  const tool = createExecuteCommandTool({
    limits: { ...LIMITS, ...changes },
    boxOf: async (conversationId) => {
      told.push(conversationId);
      const run = async (command: BoxRun) => {
        runs.push(command);
        return { exitCode: 0, stdout: '', stderr: '', ...result };
      };
      return { run, close: async () => {} };
    },
    onRun: (command) => told.push(command),
  });
  return { tool, told, runs };
}

test('the model is told the time, and the gate what may happen', async () => {
  const { tool } = world({}, { timeoutMs: 5499 });
  expect(tool).toMatchObject({
    name: 'execute_command',
    positional: ['command'],
    aliases: { command: ['cmd', 'script', 'code'] },
    description: 'Run a shell command in /workspace (at most 5 s). Nothing it starts outlives it.',
    policy: { effect: 'local', network: false },
    timeoutMs: 125_499,
  });
  expect(await changeOf(tool, { command: 'x' }, {} as never)).toBe('append');
  expect(tool.policy.destination?.({ command: 'x' })).toBeUndefined();
});

test('with a network a command may reach anybody', () => {
  const { tool } = world({}, { network: true });
  expect(tool.policy.network).toBe(true);
  expect(tool.policy.destination?.({ command: 'curl x' })).toBe('the network, from the workspace');
});

test.each([
  ['', false],
  [' \n', false],
  ['x', true],
  ['x'.repeat(100_000), true],
  ['x'.repeat(100_001), false],
])('a command of these letters is taken or not', (command, ok) => {
  expect(world({}).tool.input.safeParse({ command }).success).toBe(ok);
});

test("a command runs in the shell of the conversation's box and is noted before", async () => {
  const { tool, told, runs } = world({ stdout: 'hi\n' });
  const scope = await testScope();
  expect(await testToolbox([tool], scope).call('execute_command', { command: ' echo hi ' }, scope)).toMatchObject({
    ok: true,
    text: 'hi\nexit code 0',
  });
  expect(told).toEqual(['conv_1', 'echo hi']);
  expect(runs).toEqual([{ argv: ['sh', '-c', 'echo hi'], timeoutMs: 5000, signal: expect.any(AbortSignal) }]);
});

test.each<[Partial<BoxResult>, string]>([
  [{}, 'exit code 0'],
  [{ exitCode: 3, stdout: '  a\n\n', stderr: '  b\n\n' }, '  a\nstderr:\n  b\nexit code 3'],
  [{ stderr: ' \n' }, 'exit code 0'],
  [{ stdout: 'a', stopped: 'timeout' }, 'a\nStopped after 5000 ms, together with everything it started.'],
  [{ stopped: 'memory' }, 'Stopped: it used more than 256 MiB of memory.'],
  [{ stopped: 'disk' }, 'Stopped: /workspace holds more than 64 MiB.'],
  [{ stopped: 'aborted' }, 'Stopped: the turn was cancelled.'],
])('%j is told as %j', async (result, text) => {
  const { tool } = world(result);
  const scope = await testScope();
  const { turn, context } = scope;
  expect(await tool.execute({ command: 'x' }, { turn, signal: context.signal } as never)).toBe(text);
});
