import type { Backend, BoxResult, BoxRun, BoxSpec } from '../workspace/backend.ts';

/** What happened to a backend, in order. */
export interface BackendLog {
  readonly opened: BoxSpec[];
  readonly runs: BoxRun[];
  closed: number;
  swept: number;
}

const NOTHING_DONE: BoxResult = { exitCode: 1, stdout: '', stderr: '' };

/** What a box with all its limits answers to the probes of the self-test, by what is found in their scripts. */
const ANSWERS: Readonly<Record<string, Partial<BoxResult>>> = {
  'echo ready': { exitCode: 0, stdout: 'ready\n' },
  '> /workspace/p': { exitCode: 0, stdout: '1\n' },
  CapEff: { exitCode: 0 },
  'sleep 30': { stopped: 'timeout' },
  '/sys/class/net': { exitCode: 0 },
};

/**
 * A backend that runs nothing and whose limits all seem to hold. `answer` tells otherwise about a command; `problem`
 * and `open` replace the backend's own.
 */
export function idealBackend(
  changes: Partial<Backend> = {},
  answer: (script: string, run: BoxRun) => Partial<BoxResult> | undefined = () => undefined,
): { backend: Backend; log: BackendLog } {
  const log: BackendLog = { opened: [], runs: [], closed: 0, swept: 0 };
  const backend: Backend = {
    name: 'ideal',
    problem: async () => undefined,
    sweep: async () => void log.swept++,
    open: async (spec) => {
      log.opened.push(spec);
      return {
        run: async (run) => {
          log.runs.push(run);
          const script = run.argv[2] ?? '';
          const known = Object.entries(ANSWERS).find(([part]) => script === part || script.includes(part));
          return { ...NOTHING_DONE, ...(answer(script, run) ?? known?.[1]) };
        },
        close: async () => void log.closed++,
      };
    },
    ...changes,
  };
  return { backend, log };
}
