import { basename } from 'node:path';
import { z } from 'zod';
import type { TurnToolsRun } from '../../agent/types.ts';
import { isRecord } from '../../base/json.ts';
import { adaptSchema } from '../../plugins/schema/schema.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import type { DeclaredTool, Entry } from '../compile/compile.ts';
import { failureText } from './failure-text.ts';
import type { ListedProgram } from './listed.ts';
import type { LoadedProgram } from './load-program.ts';
import { examplesOf } from './program-examples.ts';
import { originOf, toolName } from './program-name.ts';
import { type ProgramDeps, runWithin } from './run-within.ts';

/** Generous, since a program may work through a list; the calls that it makes have limits of their own. */
const LIMIT_MS = 600_000;

/** The tools of a program: itself under the name of its file, if it can be run, and those that it declares. */
export function toolsOfProgram({ name, description, isRunnable, compiled }: LoadedProgram): readonly OfferedTool[] {
  const { params: schema, result: output, tools } = compiled;
  const positional = isRecord(schema.properties) ? Object.keys(schema.properties) : [];
  const about = { name: toolName(name), description, schema, positional, ...(output ? { output } : {}) };
  const own = { ...about, entry: { kind: 'main' } as const };
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
  offered: OfferedTool,
  { program, run, within }: Calling,
): Promise<Tool> {
  const { name, description, positional, entry } = offered;
  const { input, output } = await typesOf(offered);
  const tool = defineTool({
    name,
    description,
    policy: { effect: 'none' },
    provenance: { readsFrom: [] },
    presentation: { examples: entry.kind === 'main' ? examplesOf(program) : [] },
    timeoutMs: LIMIT_MS,
    input,
    output,
    execute: async (args, { signal }) => {
      if (within.includes(program.path)) throw new Error(`the program ${program.name} calls itself, without an end`);
      const around = { run, entry, args: args as Record<string, unknown>, signal, within: [...within, program.path] };
      const result = await runWithin(deps, program, around);
      signal.throwIfAborted();
      if (result.failed) throw new Error(failureText(result.failed, program));
      return result.value ?? result.printed;
    },
  });
  return { ...tool, positional, origin: originOf(program.name) };
}

/** Who calls a program. */
export interface Calling {
  readonly program: LoadedProgram;
  readonly run: TurnToolsRun;
  /** The paths of the programs that are running around the call. */
  readonly within: readonly string[];
}

interface Types {
  readonly input: z.ZodType;
  readonly output: z.ZodType | undefined;
}

/** Read once for each compiled program, so that every turn has the same. */
const TYPES = new WeakMap<object, Promise<Types>>();

function typesOf({ schema, output }: OfferedTool): Promise<Types> {
  const known = TYPES.get(schema) ?? readTypes(schema, output);
  TYPES.set(schema, known);
  return known;
}

/** What a program prints, where it returns nothing, is a text. */
async function readTypes(schema: Schema, output: Schema = { type: 'string' }): Promise<Types> {
  const input = await adaptSchema(schema);
  // A value of a type is checked where it is made: that a function may end without one is a warning only.
  const shown = z.unknown().meta(output);
  return { input, output: shown };
}

type Schema = Record<string, unknown>;

/**
 * Stands for a program that the owner agreed to as it was before, or that cannot be used any more: a call says so, and
 * what brings it back.
 */
export function changedTool({ file, state, why }: Pick<ListedProgram, 'file' | 'state' | 'why'>): Tool {
  const name = basename(file, '.tl');
  const said =
    state === 'broken'
      ? `the program ${name} cannot be used any more: ${why ?? 'it cannot be read'}`
      : `the program ${name} has changed since its owner agreed to it. They see it by: wooster think trust ${name}`;
  return defineTool({
    name: toolName(name),
    description: `The program ${name}, which has changed: a call says what its owner has to do.`,
    policy: { effect: 'none' },
    provenance: { readsFrom: [] },
    presentation: { offer: () => false },
    input: z.looseObject({}),
    output: z.string(),
    execute: () => {
      throw new Error(said);
    },
  });
}
