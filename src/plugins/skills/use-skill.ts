import { z } from 'zod';
import { defineTool, type StoredText, type Tool } from '../../tools/tool.ts';

/** A file of a skill for a model. */
export interface ReadSkill {
  readonly text: string;
  /** The other files. */
  readonly files: string[];
  readonly own: boolean;
  /** Whose text it is; what comes with the program is its own. */
  readonly sources: readonly StoredText[];
}

/** Reads a file of a skill; rejects for one that is off. */
interface SkillReader {
  read(name: string, project: string, file?: string): Promise<ReadSkill>;
}

/**
 * `use_skill`: the text of a skill, or of one of its files. It runs nothing: a skill's script is a text like any other,
 * which a workspace can run through the gate.
 */
export function createUseSkillTool(skills: SkillReader): Tool {
  return defineTool({
    name: 'use_skill',
    positional: ['name', 'file'],
    aliases: { name: ['skill'], file: ['path'] },
    description: 'Read a skill, or one `file` of it. Its scripts run in a workspace only.',
    input: z.object({ name: z.string().trim().min(1).max(64), file: z.string().trim().min(1).max(300).optional() }),
    output: z.object({ text: z.string(), files: z.array(z.string()), own: z.boolean() }),
    policy: { effect: 'none' },
    timeoutMs: 10_000,
    execute: async ({ name, file }, { turn, holds }) => {
      const { sources, ...read } = await skills.read(name, turn.project, file);
      holds(...sources);
      return read;
    },
  });
}
