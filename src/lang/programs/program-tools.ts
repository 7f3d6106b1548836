import { createHash } from 'node:crypto';
import type { TurnToolsRun } from '../../agent/types.ts';
import { isRecord } from '../../base/json.ts';
import { readableTool } from '../../plugins/readable-tool.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import type { DeclaredTool, Entry } from '../compile/compile.ts';
import { failureText } from './failure-text.ts';
import type { LoadedProgram } from './load-program.ts';
import { type ProgramDeps, runWithin } from './run-within.ts';

/** Generous, since a program may work through a list; the calls that it makes have limits of their own. */
const LIMIT_MS = 600_000;

/** The tools of a program: itself under the name of its file, if it can be run, and those that it declares. */
export function toolsOfProgram({ name, description, isRunnable, compiled }: LoadedProgram): readonly OfferedTool[] {
  const { params: schema, tools } = compiled;
  const positional = isRecord(schema.properties) ? Object.keys(schema.properties) : [];
  const own = { name: toolName(name), description, schema, positional, entry: { kind: 'main' } as const };
  const declared = tools.map((tool) => ({ ...tool, entry: { kind: 'tool', name: tool.name } as const }));
  return isRunnable ? [own, ...declared] : declared;
}

export interface OfferedTool extends DeclaredTool {
  readonly entry: Entry;
}

/**
 * One of these as a tool of a turn. It has no effect of its own: whatever its program does goes through the gate,
 * within the turn, and is labelled there.
 */
export async function programTool(
  deps: ProgramDeps,
  program: LoadedProgram,
  offered: OfferedTool,
  run: TurnToolsRun,
): Promise<Tool> {
  const { name, description, schema, positional, entry } = offered;
  const tool = defineTool({
    name,
    description,
    policy: { effect: 'none' },
    provenance: { readsFrom: [] },
    timeoutMs: LIMIT_MS,
    input: schema,
    execute: async (args, { signal }) => {
      const result = await runWithin(deps, program, { run, entry, args, signal });
      signal.throwIfAborted();
      if (result.failed) throw new Error(failureText(result.failed, program));
      return result.value ?? result.printed;
    },
  });
  return { ...(await readableTool(tool)), positional, origin: `program ${program.name}.tl` };
}

/** `Morning brief-2` becomes `morning_brief_2`. Model APIs limit the length, and want a letter first. */
function toolName(file: string): string {
  const words = file
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/gu, '_')
    .replace(/^_+|_+$/gu, '');
  if (/^[a-z]/u.test(words)) return words.slice(0, 60);
  return `program_${words.slice(0, 50) || createHash('sha256').update(file).digest('hex').slice(0, 8)}`;
}
