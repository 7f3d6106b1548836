import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { AssistantError } from '../../base/errors.ts';
import { loadExamples } from '../../base/examples.ts';
import type { ProjectFiles } from '../../tools/builtin/project-files.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import { authorOf, HOME_FILES } from '../../tools/undo/kept-states.ts';
import type { ProgramFolders } from './program-folders.ts';

const examplesOf = loadExamples(import.meta.dirname, 'delete-program');

export interface Deleting {
  readonly folders: ProgramFolders;
  /** What they replace or delete can be brought back. */
  readonly files: Pick<ProjectFiles, 'delete'>;
  /** The jobs that run a program, in words. */
  jobsOf(path: string): Promise<readonly string[]>;
}

/** `delete_program`: a program with its test and what that was recorded with. Undo brings it back, as on as it was. */
export function deleteProgramTool({ folders, files, jobsOf }: Deleting): Tool {
  return defineTool({
    name: 'delete_program',
    positional: ['name'],
    description: 'Delete a program.',
    input: z.object({ name: z.string().trim().min(1).max(100) }),
    output: z.object({ name: z.string(), jobs: z.array(z.string()).meta({ seldom: true }) }),
    policy: { effect: 'local', change: 'delete' },
    provenance: { readsFrom: [] },
    durability: { trace: 'version', versioned: true },
    presentation: {
      examples: examplesOf('delete_program'),
      needs: { what: 'programs', any: async ({ project }) => (await folders.files(project)).length > 0 },
    },
    timeoutMs: 10_000,
    execute: async ({ name: said }, context) => {
      const { project } = context.turn;
      const path = await folders.find(said, project);
      const found = (await folders.files(project)).find((each) => each.path === path);
      if (!found) throw notOurs(said);
      const name = basename(path, '.tl');
      const beside = (await readdir(dirname(path))).filter((file) => file.startsWith(`${name}.test.`));
      const place = found.place === 'home' ? HOME_FILES : project;
      for (const file of [found.file, ...beside]) await files.delete(place, `programs/${file}`, authorOf(context));
      return { name, jobs: [...(await jobsOf(path))] };
    },
  });
}

function notOurs(said: string): AssistantError {
  return new AssistantError('bad_usage', `${said} is no program of the home or of the project.`, {
    hint: 'wooster think list shows them.',
  });
}
