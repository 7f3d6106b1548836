import { z } from 'zod';
import { defineTool, type Tool } from '../tools/tool.ts';
import type { Box, BoxResult, WorkspaceLimits } from './backend.ts';

export interface ExecuteCommandDeps {
  readonly limits: WorkspaceLimits;
  readonly boxOf: (conversationId: string) => Promise<Box>;
  /** Called before each command, for the log. */
  onRun(command: string): void;
}

/** Time for starting a container, on top of the command's own time. */
const OPENING_MS = 120_000;

/** The shell of the workspace as a tool. With a network, a command may reach any host: its destination is no URL. */
export function createExecuteCommandTool({ limits, boxOf, onRun }: ExecuteCommandDeps): Tool {
  const seconds = Math.round(limits.timeoutMs / 1000);
  return defineTool({
    name: 'execute_command',
    positional: ['command'],
    aliases: { command: ['cmd', 'script', 'code'] },
    description: `Run a shell command in /workspace (at most ${seconds} s). Nothing it starts outlives it.`,
    input: z.object({ command: z.string().trim().min(1).max(100_000) }),
    output: z.string(),
    timeoutMs: limits.timeoutMs + OPENING_MS,
    policy: {
      ...{ effect: 'local', change: 'append', network: limits.network },
      ...(limits.network ? { destination: () => 'the network, from the workspace' } : {}),
    },
    // Even without a network, its files may come from anywhere.
    execute: async ({ command }, { turn, signal }) => {
      const box = await boxOf(turn.conversationId);
      onRun(command);
      return describe(await box.run({ argv: ['sh', '-c', command], timeoutMs: limits.timeoutMs, signal }), limits);
    },
  });
}

function describe({ exitCode, stdout, stderr, stopped }: BoxResult, limits: WorkspaceLimits): string {
  const ended = {
    timeout: `Stopped after ${limits.timeoutMs} ms, together with everything it started.`,
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
