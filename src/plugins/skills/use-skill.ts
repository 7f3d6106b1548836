import { z } from 'zod';
import { defineTool, type Tool } from '../../tools/tool.ts';

/** A file of a skill for a model. */
export interface ReadSkill {
  readonly text: string;
  /** The other files. */
  readonly files: string[];
  readonly own: boolean;
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
    policy: { effect: 'none', reads: 'public' },
    provenance: { returns: 'untrusted', own: ({ own }) => own },
    timeoutMs: 10_000,
    execute: ({ name, file }, { turn }) => skills.read(name, turn.project, file),
  });
}
