import { z } from 'zod';
import { defineTool, type Tool } from '../tools/tool.ts';
import type { Box, BoxResult, WorkspaceLimits } from './backend.ts';

export interface ExecuteCommandDeps {
  readonly limits: WorkspaceLimits;
  readonly boxOf: (conversationId: string) => Promise<Box>;
  onRun(command: string): void;
}

/** Time for opening a container before a command's own time begins. */
const OPENING_MS = 120_000;

/** A shell in the workspace. With a network the output may come from anywhere and the command may reach anybody. */
export function createExecuteCommandTool({ limits, boxOf, onRun }: ExecuteCommandDeps): Tool {
  const seconds = Math.round(limits.timeoutMs / 1000);
  return defineTool({
    name: 'execute_command',
    positional: ['command'],
    aliases: { command: ['cmd', 'script', 'code'] },
    description: `Run a shell command in /workspace (at most ${seconds} s). Nothing that it starts outlives it.`,
    input: z.object({ command: z.string().trim().min(1).max(100_000) }),
    output: z.string(),
    effect: 'local',
    reads: 'private',
    // Its files may be anybody's, network or not.
    returns: 'untrusted',
    timeoutMs: limits.timeoutMs + OPENING_MS,
    change: 'append',
    ...(limits.network ? { destination: () => 'the network, from the workspace' } : {}),
    execute: async ({ command }, { turn, signal }) => {
      const box = await boxOf(turn.conversationId);
      onRun(command);
      return describe(await box.run({ argv: ['sh', '-c', command], timeoutMs: limits.timeoutMs, signal }), limits);
    },
  });
}

function describe({ exitCode, stdout, stderr, stopped }: BoxResult, limits: WorkspaceLimits): string {
  const ended = {
    timeout: `Stopped after ${limits.timeoutMs} ms, with everything it had started.`,
    memory: `Stopped: it used more than ${limits.memoryMb} MiB of memory.`,
    disk: `Stopped: /workspace holds more than ${limits.diskMb} MiB.`,
    aborted: 'Stopped: the turn was cancelled.',
  };
  const parts = [
    stdout.trimEnd(),
    stderr.trim() === '' ? '' : `stderr:\n${stderr.trimEnd()}`,
    stopped ? ended[stopped] : `exit code ${exitCode}`,
  ];
  return parts.filter((part) => part !== '').join('\n');
}
