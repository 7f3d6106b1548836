import { z } from 'zod';
import { loadExamples } from '../../base/examples.ts';
import { makeFolder } from '../../base/folders.ts';
import { replaceFile } from '../../base/replace-file.ts';
import type { ConversationArchive } from '../../conversation/archive.ts';
import type { Toolbox } from '../../tools/gate/toolbox.ts';
import { mustBeAgreed } from '../../tools/stakes.ts';
import { defineTool, type Tool } from '../../tools/tool.ts';
import type { Programs } from '../programs/programs.ts';
import type { ProgramParts } from '../runtime/program-world.ts';
import { SAVES, type TurnReader } from './recorded-turn.ts';

const examplesOf = loadExamples(import.meta.dirname, 'save-tool');
const seldom = { seldom: true } as const;
/** A rehearsal may ask a model several times. */
const LIMIT_MS = 300_000;

/** What saving needs. */
export interface Saving extends Omit<TurnReader, 'toolbox'> {
  readonly archive: Pick<ConversationArchive, 'messages' | 'hasActed'>;
  readonly programs: Programs;
  readonly models: ProgramParts['models'];
  toolbox(): Toolbox;
  /** Whether a language model can be asked. */
  hasModel(): Promise<boolean>;
}

/**
 * `save_program`: the last request that did something, as a program. The owner sees it with all that it does, and
 * agrees to these bytes; then it is written, rehearsed without its effects, and on.
 */
export function saveTool(saving: Saving): Tool {
  return defineTool({
    name: SAVES,
    positional: ['name'],
    description: 'Save the last request as a program.',
    input: z.object({ name: z.string().trim().min(1).max(60).optional() }),
    output: z.object({
      name: z.string(),
      state: z.enum(['on', 'off']).meta(seldom),
      source: z.string().meta(seldom),
      notes: z.array(z.string()).meta(seldom),
      would: z.array(z.string()).meta(seldom),
      problem: z.string().optional().meta(seldom),
    }),
    policy: {
      effect: 'local',
      change: 'settings',
      control: async ({ name }, context) => {
        const { propose, shown } = await import('./proposed.ts');
        const proposed = await propose(saving, context, name);
        return { diff: shown(proposed), stakes: [proposed.stake] };
      },
    },
    provenance: { readsFrom: [] },
    presentation: {
      examples: examplesOf('save_program'),
      offer: ({ conversationId, origin }) => FACES.has(origin) && saving.archive.hasActed(conversationId),
      told: ({ state }) => ({ code: state === 'on' ? 'saved' : 'saved_off', values: {} }),
    },
    timeoutMs: LIMIT_MS,
    execute: async ({ name }, context) => {
      const { agreed, signal, turn: asking, holds } = context;
      const { difference, propose, rehearse, wordsFor } = await import('./proposed.ts');
      const { draft, turn, path, stake } = await propose(saving, context, name);
      if (agreed) mustBeAgreed([stake], agreed);
      makeFolder(saving.programs.folders.home);
      await replaceFile(path, draft.source);
      const program = await saving.programs.load(path, { toolbox: saving.toolbox(), project: asking.project });
      const { calls, problem, untrusted } = await rehearse(saving, program, { signal, asking });
      // What it would do may hold what it has read.
      holds({ untrusted });
      const differs = problem ?? difference(turn, calls);
      if (differs === undefined) await saving.programs.trust(program, asking.project);
      return {
        ...{ name: draft.name, source: draft.source, notes: [...draft.notes] },
        state: differs === undefined ? ('on' as const) : ('off' as const),
        would: calls.filter(({ stubbed }) => stubbed).map(wordsFor),
        ...(differs === undefined ? {} : { problem: differs }),
      };
    },
  });
}

/** Where somebody says it. Programs and jobs do not save themselves. */
const FACES: ReadonlySet<string> = new Set(['repl', 'cli', 'channel', 'chat', 'http', 'editor', 'embed']);
