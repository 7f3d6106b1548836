import { z } from 'zod';
import { loadExamples } from '../../base/examples.ts';
import type { Toolbox } from '../../tools/gate/toolbox.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import type { Programs } from './programs.ts';

const seldom = { seldom: true } as const;
const examplesOf = loadExamples(import.meta.dirname, 'list-programs');

/** `list_programs`: the owner's programs, whether they are on or not. */
export function listProgramsTool(programs: Programs, toolbox: () => Toolbox): Tool {
  return defineTool({
    name: 'list_programs',
    positional: [],
    description: "The owner's programs, tools themselves.",
    input: z.object({}),
    output: z.array(
      z.object({
        name: z.string(),
        description: z.string().meta(seldom),
        state: z.enum(['on', 'off', 'changed', 'broken']).meta(seldom),
      }),
    ),
    policy: { effect: 'none' },
    // What they say of themselves is told to models only where the owner has agreed to it.
    provenance: { readsFrom: [] },
    presentation: {
      examples: examplesOf('list_programs'),
      needs: { what: 'programs', any: async ({ project }) => (await programs.folders.files(project)).length > 0 },
    },
    timeoutMs: 30_000,
    execute: async (_input, { turn: { project } }) => {
      const all = await programs.list({ toolbox: toolbox(), project });
      return all.map(({ file, state, description }) => ({
        name: file.replace(/\.tl$/u, ''),
        description: state === 'on' ? (description ?? '') : '',
        state,
      }));
    },
  });
}
