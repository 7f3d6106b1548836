import type { BaseMessage } from '@langchain/core/messages';
import { z } from 'zod';
import { defineTool, type Tool } from '../tools/tool.ts';
import type { Scripted, ScriptedReply } from './scripted-model.ts';

export const LONG_TASK = 'Walk through the fields one after another, note each one down and say when you are done.';

/** The tools for LONG_TASK: `note` has an effect, `look` only fills the context window. */
export function walkTools(act: (text: string) => void): readonly Tool[] {
  const base = { provenance: { readsFrom: [] }, timeoutMs: 5000 } as const;
  const note = defineTool({
    ...base,
    name: 'note',
    description: 'Note a field down.',
    input: z.object({ field: z.number() }),
    policy: { effect: 'local', change: 'append' },
    execute: ({ field }) => {
      act(`field ${field}`);
      return `noted field ${field}`;
    },
  });
  const look = defineTool({
    ...base,
    name: 'look',
    description: 'Look at a field.',
    input: z.object({ field: z.number() }),
    policy: { effect: 'none' },
    execute: ({ field }) => `seen field ${field}: ${'sheep '.repeat(100)}`,
  });
  return [note, look];
}

/**
 * A model that works through the fields, two calls per step. It keeps no state: like a real model, it reads from the
 * request how far it has got, in results or in a summary, so it can be killed and asked again at any point.
 */
export function walkingModel(fields: number, tools: readonly string[] = ['note', 'look']): Scripted[] {
  const next = (messages: readonly BaseMessage[]): ScriptedReply => {
    const reached = lastField(messages);
    if (messages[0]?.text.startsWith('You keep the memory')) return { text: summary(reached) };
    if (reached >= fields) return { text: `All ${fields} fields are noted.` };
    const args = { field: reached + 1 };
    return { text: `Now field ${args.field}.`, toolCalls: tools.map((name) => ({ name, args })) };
  };
  return Array.from({ length: fields * 3 + 50 }, () => next);
}

function summary(reached: number): string {
  const sections = ['## Work done', `noted field ${reached}`, '## Decisions', '-', '## Current state', '-'];
  return ['## Task', LONG_TASK, ...sections, '## Open work', '- [ ] the next field', '## Errors', 'none'].join('\n');
}

function lastField(messages: readonly BaseMessage[]): number {
  const seen = messages.flatMap((message) => [...message.text.matchAll(/(?:noted|seen) field (\d+)/gu)]);
  return Math.max(0, ...seen.map((match) => Number(match[1])));
}
